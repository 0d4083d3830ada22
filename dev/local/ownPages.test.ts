import type { IncomingMessage } from 'node:http';
import { expect, test } from '@jest/globals';
import { ownPageOf } from './ownPages.ts';

const pageOf = (url: string, accept = '*/*', method = 'GET') =>
  ownPageOf({ url, method, headers: { accept } } as IncomingMessage);

test.each([
  ['/console', 'console'],
  ['/console/', 'console'],
  ['/console/api/context?x=1', 'console'],
  ['/try', 'try'],
  ['/try?flag=a', 'try'],
  ['/try/sdk.js', 'try'],
  ['/consoles', undefined],
  ['/trying', undefined],
  ['/', undefined],
  ['/api/public/sdk/server/latest-all', undefined],
])('%s is for %p', (url, expected) => {
  expect(pageOf(url)).toBe(expected);
});

test('the bare address is the console for browsers only', () => {
  expect(pageOf('/', 'text/html,application/xhtml+xml')).toBe('console');
  expect(pageOf('/', 'text/html', 'POST')).toBeUndefined();
});
