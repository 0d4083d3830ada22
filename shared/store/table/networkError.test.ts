import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { describeNetworkError } from './networkError.ts';

const unresolved = new Error('getaddrinfo ENOTFOUND sts.eu-west-9.amazonaws.com');
const inProvider = Object.assign(new Error(String(unresolved)), { name: 'CredentialsProviderError' });
const refused = new Error('connect ECONNREFUSED 127.0.0.1:1');

const noTunnel = new Error(
  'Failed to establish tunnel to a.amazonaws.com:443 via http://bob:secret@10.0.0.1:3128: HTTP/1.1 407 No',
);

const usual = process.env;
beforeAll(() => {
  process.env = { ...usual, https_proxy: 'http://bob:secret@10.0.0.1:3128' };
});
afterAll(() => {
  process.env = usual;
});

test.each([
  [noTunnel, 'the HTTPS proxy refuses a.amazonaws.com:443 (HTTP/1.1 407 No)'],
  [new Error('connect ECONNREFUSED 10.0.0.1:3128'), 'the proxy 10.0.0.1:3128 cannot be reached (ECONNREFUSED)'],
  [unresolved, 'the host name sts.eu-west-9.amazonaws.com cannot be resolved (ENOTFOUND)'],
  [inProvider, 'the host name sts.eu-west-9.amazonaws.com cannot be resolved (ENOTFOUND)'],
  [new TypeError('fetch failed', { cause: unresolved }), expect.stringContaining('sts.eu-west-9.amazonaws.com')],
  [refused, '127.0.0.1:1 cannot be reached (ECONNREFUSED)'],
  [new AggregateError([refused, refused]), '127.0.0.1:1 cannot be reached (ECONNREFUSED)'],
  [new Error('The security token is not valid'), undefined],
])('%s names the host', (error, text) => {
  expect(describeNetworkError(error)).toEqual(text);
});
