import { beforeEach, expect, test } from '@jest/globals';
import type { Flag } from '../../flags/flag.ts';
import { formatTimestamp } from '../../flags/timestamp.ts';
import { aFlag, aRollout, share } from '../../testing/builders.ts';
import { usageKeys } from '../table/keys.ts';
import { recordServiceTables } from '../table/serviceTables.ts';
import { database, useTables } from '../testing/testStore.ts';
import { testEffects } from '../testing/testTables.ts';
import { findStale, openUsage, readFlagUsage, startOfPeriod } from './flagUsage.ts';
import { DROPPED, hourOf, NO_VARIATION, UNKNOWN, Usage } from './usage.ts';

const DAY_MS = 86_400_000;
const NOW = Date.UTC(2026, 10, 26, 3, 59);
const effects = testEffects(NOW);
const FROM = NOW - 30 * DAY_MS;

let envId: string;
let usage: Usage;

useTables();
beforeEach(() => {
  envId = effects.uuid();
  usage = new Usage({ client: database.open(effects).tables.client, name: tableName(), effects });
});

const tableName = () => database.open(effects).tables.usage;
const count = (flagKey: string, daysAgo: number, counts: Record<string, number>) =>
  usage.add(usageKeys.ofFlag(envId, flagKey, hourOf(NOW - daysAgo * DAY_MS)), new Map(Object.entries(counts)));
const changed = (daysAgo: number) => ({ updatedAt: formatTimestamp(NOW - daysAgo * DAY_MS) });
const flag = (key: string, fields: Partial<Flag> = {}) =>
  aFlag({ key, ...changed(40), fallthrough: aRollout(share('on', 0, 0.5), share('off', 0.5, 1)), ...fields });
const stale = (...flags: Flag[]) => findStale(usage, envId, flags, FROM);

test('the table is the one that the service has recorded', async () => {
  const { client, flags: name, connections } = database.open(effects).tables;
  const table = { client, name, effects };
  expect(await openUsage(table)).toBeUndefined();
  await recordServiceTables(table, { connections });
  expect(await openUsage(table)).toBeUndefined();
  await recordServiceTables(table, { connections, usage: tableName() });
  await count('f', 0, { on: 1 });
  expect(await readFlagUsage((await openUsage(table)) as Usage, envId, 'f', 0)).toMatchObject({ total: 1 });
});

test('the evaluations of a flag are summed over a period of whole days', async () => {
  const from = startOfPeriod(NOW, 2);
  expect(from).toBe(Date.UTC(2026, 10, 25));
  const none = { hours: [], counts: new Map(), total: 0, unknown: 0, dropped: 0 };
  expect(await readFlagUsage(usage, envId, 'f', from)).toEqual(none);
  await usage.start(envId);
  await count('f', 0, { on: 1, off: 2 });
  await count('f', 1, { on: 3 });
  await count('f', 2, { on: 100 });
  const others = new Map([
    [UNKNOWN, 7],
    [DROPPED, 8],
  ]);
  await usage.add(usageKeys.ofUnknown(envId, hourOf(NOW)), others);
  expect(await readFlagUsage(usage, envId, 'f', from)).toEqual({
    hours: [
      { hour: '2026-11-26T03', counts: new Map(Object.entries({ on: 1, off: 2 })) },
      { hour: '2026-11-25T03', counts: new Map([['on', 3]]) },
    ],
    counts: new Map(Object.entries({ on: 4, off: 2 })),
    total: 6,
    lastSeen: '2026-11-26T03',
    startedAt: NOW,
    unknown: 7,
    dropped: 8,
  });
  await count('g', 50, { on: 1 });
  expect(await readFlagUsage(usage, envId, 'g', from)).toMatchObject({ total: 0, lastSeen: '2026-10-07T03' });
});

test('a flag is stale for each of its reasons', async () => {
  await count('used', 1, { on: 1 });
  await count('used', 29, { off: 1 });
  await count('one', 1, { on: 1, [NO_VARIATION]: 4 });
  await count('one', 31, { off: 1 });
  await count('archived', 1, { [NO_VARIATION]: 1 });
  await count('archived just now', 0, { on: 1 });
  await count('rolled out', 2, { on: 1 });
  const isArchived = true;
  const found = await stale(
    flag('used'),
    flag('one'),
    flag('none'),
    flag('archived', { isArchived }),
    flag('archived just now', { isArchived, ...changed(0) }),
    flag('archived and gone', { isArchived }),
    flag('rolled out', { fallthrough: aRollout(share('on')) }),
    flag('young', changed(29)),
  );
  const oneDayAgo = '2026-11-25T03';
  expect(found).toEqual([
    { key: 'one', reasons: ['one-variation'], lastSeen: oneDayAgo },
    { key: 'none', reasons: ['never-evaluated'] },
    { key: 'archived', reasons: ['archived-but-evaluated'], lastSeen: oneDayAgo },
    { key: 'rolled out', reasons: ['one-variation', 'fully-rolled-out'], lastSeen: '2026-11-24T03' },
  ]);
});

test('a flag is not stale for a lack of evaluations if some are not counted', async () => {
  await count('partial', 1, { on: 1 });
  const flags = [flag('partial'), flag('unseen'), flag('rolled', { fallthrough: aRollout(share('on')) })];
  expect(await findStale(usage, envId, flags, FROM, true)).toEqual([{ key: 'rolled', reasons: ['fully-rolled-out'] }]);
});

test('no flag is stale while nothing is counted in the environment', async () => {
  expect(await stale(flag('f'))).toBeUndefined();
  await count('f', 31, { on: 1 });
  expect(await stale(flag('f'))).toBeUndefined();
  await usage.add(usageKeys.ofUnknown(envId, hourOf(NOW)), new Map([[UNKNOWN, 1]]));
  expect(await stale(flag('f'))).toEqual([{ key: 'f', reasons: ['never-evaluated'] }]);
});
