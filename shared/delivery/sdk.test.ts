import { expect, test } from '@jest/globals';
import { parsePatchContents, patchContentsFor } from './sdk.ts';

test.each([
  ['Node, which names nothing', {}, 'any'],
  ['.NET', { 'User-Agent': 'featbit-dotnet-server-sdk' }, 'any'],
  ['.NET with its version', { 'User-Agent': 'featbit-dotnet-server-sdk/1.2.11' }, 'any'],
  ['.NET Framework, which may not set that header', { 'X-FeatBit-User-Agent': 'featbit-dotnet-server-sdk' }, 'any'],
  ['Python', { 'User-Agent': 'fb-python-server-sdk' }, 'one-kind'],
  ['Go', { 'User-Agent': 'fb-go-server-sdk' }, 'one-item'],
  ['Java', { 'User-Agent': 'fb-java-server-sdk' }, 'one-item'],
  ['Ruby', { 'User-Agent': 'fb-ruby-server-sdk' }, 'one-item'],
  ['one that is not known', { 'User-Agent': 'my own, after featbit-dotnet-server-sdk' }, 'one-item'],
  ['a proxy that fills the header in', { 'User-Agent': 'Amazon CloudFront' }, 'one-item'],
  ['an empty name', { 'User-Agent': '' }, 'one-item'],
])('%s', (_, headers, contents) => {
  expect(patchContentsFor(headers)).toBe(contents);
});

test('finds headers in any letter case, among others, and works without', () => {
  const others = { host: 'example.org', 'x-forwarded-for': '203.0.113.1' };
  expect(patchContentsFor({ ...others, 'user-agent': 'fb-go-server-sdk' })).toBe('one-item');
  expect(patchContentsFor({ ...others, 'USER-AGENT': 'fb-python-server-sdk' })).toBe('one-kind');
  expect(patchContentsFor({ ...others, 'x-featbit-user-agent': 'featbit-dotnet-server-sdk' })).toBe('any');
  expect([others, null, undefined].map(patchContentsFor)).toEqual(['any', 'one-item', 'one-item']);
});

test('later messages repeat the first; an unknown value means one item a patch', () => {
  expect(['any', 'one-kind', 'one-item', undefined, 'else'].map(parsePatchContents)).toEqual([
    'any',
    'one-kind',
    'one-item',
    'one-item',
    'one-item',
  ]);
});
