import { GetItemCommand } from '@aws-sdk/client-dynamodb';
import { expect, test } from '@jest/globals';
import { type Key, usageKeys } from '../table/keys.ts';
import { database, useTables } from '../testing/testStore.ts';
import { type Intercept, testEffects } from '../testing/testTables.ts';
import { DROPPED, hourOf, NO_VARIATION, UNKNOWN, USAGE_DAYS, Usage } from './usage.ts';

const effects = testEffects(Date.UTC(2026, 10, 26, 3, 59));
const HOUR_MS = 3_600_000;

useTables();

function open(intercept?: Intercept) {
  const { client, usage: name } = database.open(effects, intercept).tables;
  return { client, name, effects };
}

async function hours(usage: Usage, envId: string, flagKey: string | undefined, from = 0) {
  const found = [];
  for await (const { hour, counts } of usage.hours(envId, flagKey, from))
    found.push([hour, Object.fromEntries(counts)]);
  return found;
}

const itemOf = async (Key: Key) => {
  const { client, name } = open();
  return (await client.send(new GetItemCommand({ TableName: name, Key }))).Item;
};

test('counts are added by flag, variation and hour, newest hour first', async () => {
  const usage = new Usage(open());
  const add = (hour: string, counts: Record<string, number>) =>
    usage.add(usageKeys.ofFlag('e', 'f', hour), new Map(Object.entries(counts)));
  await add('2026-11-26T03', { on: 2, off: 1 });
  await add('2026-11-26T03', { on: 3, [NO_VARIATION]: 1 });
  await add('2026-11-25T23', { pk: 1, expiresAt: 2 });
  await usage.add(usageKeys.ofFlag('e', 'f2', '2026-11-26T03'), new Map([['on', 9]]));
  await usage.add(usageKeys.ofUnknown('e', '2026-11-26T03'), new Map([[UNKNOWN, 4]]));
  await usage.add(usageKeys.ofUnknown('e', '2026-11-26T03'), new Map([[DROPPED, 5]]));
  await usage.start('e');
  expect(await hours(usage, 'e', 'f')).toEqual([
    ['2026-11-26T03', { on: 5, off: 1, [NO_VARIATION]: 1 }],
    ['2026-11-25T23', { pk: 1, expiresAt: 2 }],
  ]);
  expect(await hours(usage, 'e', 'f', Date.UTC(2026, 10, 26, 3, 30))).toHaveLength(1);
  expect(await hours(usage, 'e', 'f', Date.UTC(2026, 10, 26, 4))).toEqual([]);
  expect(await hours(usage, 'e', undefined)).toEqual([['2026-11-26T03', { [UNKNOWN]: 4, [DROPPED]: 5 }]]);
  expect(await hours(usage, 'other', 'f')).toEqual([]);
});

test('counts expire some time after their hour', async () => {
  const key = usageKeys.ofFlag('e', 'expires', hourOf(effects.now()));
  await new Usage(open()).add(key, new Map([['on', 1]]));
  const end = Date.UTC(2026, 10, 26, 4) + USAGE_DAYS * 24 * HOUR_MS;
  expect(Number((await itemOf(key))?.['expiresAt']?.N)).toBe(end / 1_000);
});

test('hours of many days are read in pages, which a reader may leave', async () => {
  const calls: string[] = [];
  const usage = new Usage(
    open(({ name }, send) => {
      calls.push(name);
      return send();
    }),
  );
  const first = Date.UTC(2026, 10, 1);
  for (let n = 0; n < 170; n += 1) {
    await usage.add(usageKeys.ofFlag('e', 'often', hourOf(first + n * HOUR_MS)), new Map([['on', 1]]));
  }
  calls.length = 0;
  expect(await hours(usage, 'e', 'often')).toHaveLength(170);
  expect(calls).toEqual(['Query', 'Query']);
  calls.length = 0;
  for await (const { hour } of usage.hours('e', 'often', first)) {
    expect(hour).toBe('2026-11-08T01');
    break;
  }
  expect(calls).toEqual(['Query']);
});

test('the first count of an environment says since when there are counts', async () => {
  const usage = new Usage(open());
  expect(await usage.startedAt('new')).toBeUndefined();
  await usage.start('new');
  const at = effects.now();
  effects.clock.now += HOUR_MS;
  await usage.start('new');
  expect(await usage.startedAt('new')).toBe(at);
});
