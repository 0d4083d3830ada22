import { describe, expect, test } from '@jest/globals';
import { formatSecret } from '../../../shared/protocol/secret.ts';
import { readKeys, readUrls } from './access.ts';

const [envA, envB] = ['ad99d259-1f50-4ed9-a002-7c65e25487df', '8dc61769-5af3-4d9f-8cb3-d7342e24c3eb'] as const;
const secret = (envId: string) => formatSecret('00000000-1f50-4ed9-a002-7c65e25487df', envId);

describe('URLs', () => {
  test('are taken as the stack prints them and as SDKs complete them', () => {
    const expected = { streamingUrl: 'wss://a.example', httpUrl: 'https://b.example' };
    expect(readUrls('wss://a.example', 'https://b.example')).toEqual(expected);
    expect(readUrls('wss://a.example/streaming/', 'https://b.example/')).toEqual(expected);
  });

  test.each([
    ['https://a.example', 'https://b.example', 'the streaming URL must be wss://… or ws://…'],
    ['wss://a.example', 'wss://b.example', 'the HTTP URL must be https://… or http://…'],
    ['a.example', 'https://b.example', 'but is "a.example"'],
  ])('%s and %s are refused', (streaming, http, message) => {
    expect(() => readUrls(streaming, http)).toThrow(message);
  });
});

describe('keys', () => {
  test('are both of one environment, or none', () => {
    expect(readKeys(undefined, undefined)).toBeUndefined();
    const [clientKey, serverKey] = [secret(envA), secret(envA)];
    expect(readKeys(clientKey, serverKey)).toEqual({ clientKey, serverKey });
  });

  test.each([
    [secret(envA), undefined, 'give both'],
    ['short', secret(envA), '--client-key is not a secret'],
    [secret(envA), 'short', '--server-key is not a secret'],
    [secret(envA), secret(envB), 'two environments'],
  ])('%s and %s are refused, without repeating them', (client, server, message) => {
    expect(() => readKeys(client, server)).toThrow(message);
    expect(() => readKeys(client, server)).not.toThrow(client);
  });
});
