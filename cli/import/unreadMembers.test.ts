import { describe, expect, test } from '@jest/globals';
import { SERVICES } from './services.ts';
import { unreadMembers } from './unreadMembers.ts';

const lines = (file: unknown) => unreadMembers(file, ['flags', 'segments', 'project.segments']);

test.each<[object]>([
  [{ flags: { a: {} }, segments: {}, version: 2, generated: '2026', tags: ['a'], owner: { team: 'web' } }],
  [{ flags: [], project: { segments: [{}], name: 'shop' }, _links: { self: '/flags' } }],
  [
    {
      flags: [1, 2],
      totalCount: 2,
      next: null,
      hasMore: false,
      pages: 1,
      last: true,
      cursor: '',
      links: { next: '' },
      others: [],
      featureSets: {},
    },
  ],
])('a file whose flags are all read loses nothing: %j', (file) => {
  expect(lines(file)).toEqual([]);
});

test.each<[object, string]>([
  [{ flags: {}, flagValues: { a: 1, b: 2 } }, '"flagValues" (2 members), which the import does not read'],
  [{ flags: {}, archivedFeatures: ['a'] }, '"archivedFeatures" (1 member), which the import does not read'],
  [{ flags: {}, others: { a: { on: true } } }, '"others" (1 member), which the import does not read'],
  [{ flags: {}, more: [{ key: 'a' }] }, '"more" (1 member), which the import does not read'],
  [{ project: { segments: [], features: [{}] } }, '"project.features" (1 member), which the import does not read'],
])('a member with flags that is not read is named: %j', (file, line) => {
  expect(lines(file)).toEqual([line]);
});

describe('a response with more pages', () => {
  const advice = 'request all of them, such as with limit and offset';
  test.each<[object, string]>([
    [
      { flags: [1, 2], totalCount: 46, _links: { next: '/b' } },
      `44 more flags are on other pages ("totalCount" is 46); ${advice}`,
    ],
    [{ flags: [1], total: 3 }, `2 more flags are on other pages ("total" is 3); ${advice}`],
    [{ flags: [1], count: 3 }, `2 more flags are on other pages ("count" is 3); ${advice}`],
    [{ flags: [1], _links: { next: { href: '/b' } } }, `more flags are on other pages ("next"); ${advice}`],
    [{ flags: [1], nextPageToken: 'b' }, `more flags are on other pages ("nextPageToken"); ${advice}`],
    [{ flags: [1], paging: { next_cursor: 'b' } }, `more flags are on other pages ("next_cursor"); ${advice}`],
    [{ flags: [1], pagination: { total: 3 } }, `2 more flags are on other pages ("total" is 3); ${advice}`],
    [{ flags: [1], meta: { totalCount: '3' } }, `2 more flags are on other pages ("totalCount" is 3); ${advice}`],
    [{ flags: [1], _links: { self: '/b', prev: '/a' } }, `more flags are on other pages ("prev"); ${advice}`],
    [{ flags: [1], previous: '/a' }, `more flags are on other pages ("previous"); ${advice}`],
    [{ flags: [1], total: 2 }, `1 more flags are on other pages ("total" is 2); ${advice}`],
    [{ flags: [1], cursor: 'b' }, `more flags are on other pages ("cursor"); ${advice}`],
    [{ flags: [1], has_more: true }, `more flags are on other pages ("has_more"); ${advice}`],
    [
      { flags: [1], eventType: 'patch' },
      'flags that did not change are not in the file ("eventType" is "patch"); request it without timestamp',
    ],
  ])('is named: %j', (file, line) => {
    expect(lines(file)).toEqual([line]);
  });
});

test('every importer reads the members that its service writes', () => {
  const links = { self: { href: '/', type: 'application/json' } };
  const { launchdarkly, unleash, flagd } = SERVICES;
  expect(unreadMembers({ items: [{}], _links: links, totalCount: 1 }, launchdarkly?.members ?? [])).toEqual([]);
  const query = { project: ['default'], inlineSegmentConstraints: true };
  expect(unreadMembers({ version: 2, features: [{}], query, meta: { etag: '"1"' } }, unleash?.members ?? [])).toEqual(
    [],
  );
  expect(unreadMembers({ $schema: '', flags: {}, metadata: { flagSetId: 'a' } }, flagd?.members ?? [])).toEqual([]);
});
