import { expect, test } from '@jest/globals';
import { describeCredentialError } from './credentialError.ts';

const named = (name: string) => Object.assign(new Error('whatever AWS says'), { name });

test.each([
  ['CredentialsProviderError', '', /^there are no AWS credentials; set AWS_PROFILE, .* \(CredentialsProviderError\)$/],
  [
    'CredentialsProviderError',
    'nope',
    /^the AWS profile "nope" gives no credentials; sign in again, or set AWS_PROFILE/,
  ],
  ['ExpiredToken', 'nope', /^the AWS credentials have expired; sign in again \(ExpiredToken\)$/],
  ['InvalidClientTokenId', '', /^AWS does not know these credentials; /],
])('%s with the profile "%s" says how to fix it', (name, profile, text) => {
  expect(describeCredentialError(named(name), profile)).toMatch(text);
});

test('says nothing of errors that have another cause', () => {
  expect(describeCredentialError(named('TimeoutError'), 'nope')).toBeUndefined();
});
