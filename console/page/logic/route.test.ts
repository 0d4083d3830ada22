import { expect, test } from '@jest/globals';
import { formatRoute, inEnvironment, parseFlagTab, parseRoute } from './route.ts';

test('keeps the tab of a flag in the address', () => {
  const route = { envId: 'e', view: 'flags', id: 'new-checkout', query: 'history' } as const;
  expect(formatRoute(route)).toBe('#/e/flags/new-checkout?history');
  expect(parseRoute(formatRoute(route))).toEqual(route);
  expect(parseFlagTab(parseRoute(formatRoute(route)).query)).toBe('history');
});

test('keeps the flag, its tab and a search in another environment', () => {
  const flag = { envId: 'e', view: 'flags', id: 'new-checkout', query: 'history' } as const;
  expect(inEnvironment(flag, 'other')).toEqual({ ...flag, envId: 'other' });
  const search = { envId: 'e', view: 'flags', query: 'q=a' } as const;
  expect(inEnvironment(search, 'other')).toEqual({ ...search, envId: 'other' });
});

test('forgets the compared environment in another environment', () => {
  const comparison = { envId: 'e', view: 'compare', id: 'other', query: 'reversed' } as const;
  expect(inEnvironment(comparison, 'other')).toEqual({ envId: 'other', view: 'compare' });
});

test.each([undefined, '', 'unknown'])('shows the first tab for the query %p', (query) => {
  expect(parseFlagTab(query)).toBe('targeting');
});
