import { expect, test } from '@jest/globals';
import { formatRoute, parseFlagTab, parseRoute } from './route.ts';

test('keeps the tab of a flag in the address', () => {
  const route = { envId: 'e', view: 'flags', id: 'new-checkout', query: 'history' } as const;
  expect(formatRoute(route)).toBe('#/e/flags/new-checkout?history');
  expect(parseRoute(formatRoute(route))).toEqual(route);
  expect(parseFlagTab(parseRoute(formatRoute(route)).query)).toBe('history');
});

test.each([undefined, '', 'unknown'])('shows the first tab for the query %p', (query) => {
  expect(parseFlagTab(query)).toBe('targeting');
});
