import { expect, test } from '@jest/globals';
import { corsPolicy } from './cors.ts';

test('allows browsers every header, with those of SDKs by name', () => {
  expect(corsPolicy.allowOrigins).toEqual(['*']);
  expect(corsPolicy.allowMethods).toEqual(['GET', 'POST', 'OPTIONS']);
  expect(corsPolicy.allowHeaders).toEqual([
    'authorization',
    'content-type',
    'user-agent',
    'x-user-agent',
    'x-api-key',
    'if-none-match',
    '*',
  ]);
  expect(corsPolicy.exposeHeaders).toEqual(['etag', 'retry-after']);
});
