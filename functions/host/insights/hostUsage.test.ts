import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { testEffects } from '../../../shared/store/testing/testTables.ts';
import { hourOf, Usage } from '../../../shared/store/usage/usage.ts';
import { aFlag } from '../../../shared/testing/builders.ts';
import { compileEnvironment } from '../../../shared/testing/evaluate.ts';
import { until } from '../../../shared/testing/until.ts';
import { database, output, useDatabase } from '../../testing/fixture.ts';
import { type HostUsage, startHostUsage } from './hostUsage.ts';

const effects = testEffects(Date.UTC(2026, 10, 26, 3));
const flags = Array.from({ length: 600 }, (_, n) => aFlag({ key: `f${n}` }));
const snapshot = compileEnvironment(flags);
let usage: HostUsage;
let table: Usage;
let envId: string;

useDatabase();
beforeEach(() => {
  const { client, usage: name } = database.open(effects).tables;
  table = new Usage({ client, name, effects });
  envId = effects.uuid();
  output.clear();
});
afterEach(() => usage.close());

const evaluate = (key: string, variationId = 'on') => usage.count(envId, snapshot, [{ flagKey: key, variationId }]);
async function counted(key = 'f0') {
  for await (const { hour, counts } of table.hours(envId, key, 0)) return [hour, Object.fromEntries(counts)];
  return undefined;
}

test('evaluations of many requests are one write when the host stops', async () => {
  let writes = 0;
  const add: Usage['add'] = async (...write) => {
    writes += 1;
    await table.add(...write);
  };
  const counting = { start: (id: string) => table.start(id), add } as Usage;
  usage = startHostUsage(async () => counting, effects);
  for (let n = 0; n < 5; n += 1) await evaluate('f0');
  await usage.close();
  expect(await counted()).toEqual([hourOf(effects.now()), { on: 5 }]);
  expect([writes, output.text(), usage.dropped]).toEqual([1, '', 0]);
});

test('evaluations are written after a time', async () => {
  usage = startHostUsage(async () => table, effects, 10);
  await evaluate('f0');
  expect(await until(counted)).toEqual([hourOf(effects.now()), { on: 1 }]);
});

test('many flags are written at once', async () => {
  usage = startHostUsage(async () => table, effects);
  for (const { key } of flags) await evaluate(key);
  await until(() => counted('f499'));
  await usage.close();
  expect(await counted('f599')).toBeDefined();
});

test('counts that the table throttled are written again soon', async () => {
  let refusals = 2;
  const busy = {
    start: (id: string) => table.start(id),
    add: async (...write: Parameters<Usage['add']>) => {
      refusals -= 1;
      if (refusals >= 0) throw Object.assign(new Error('Throughput exceeds'), { name: 'ThrottlingException' });
      await table.add(...write);
    },
  } as Usage;
  usage = startHostUsage(async () => busy, effects);
  // So many are written at once.
  const keys = flags.slice(0, 500).map(({ key }) => key);
  for (const key of keys) await evaluate(key);
  for (const key of keys) expect(await until(() => counted(key))).toEqual([hourOf(effects.now()), { on: 1 }]);
  expect([refusals < 0, usage.dropped]).toEqual([true, 0]);
});

test('counts wait for a table that is not found, and are dropped when the host stops', async () => {
  let isDown = true;
  const open = async () => {
    if (isDown) throw new Error('down');
    return table;
  };
  usage = startHostUsage(open, effects);
  await evaluate('f0');
  await usage.close();
  expect(output.lines().map(({ message }) => message)).toEqual([
    'usage table not found, will be retried',
    'usage counts dropped',
  ]);
  isDown = false;
  usage = startHostUsage(open, effects);
  await evaluate('f0');
  await usage.close();
  expect(await counted()).toEqual([hourOf(effects.now()), { on: 1 }]);
});

test('nothing is counted for a service that does not count, until it does', async () => {
  let known: Usage | undefined;
  let questions = 0;
  const open = async () => {
    questions += 1;
    return known;
  };
  usage = startHostUsage(open, effects, 10);
  await new Promise(setImmediate);
  await evaluate('f0');
  known = table;
  effects.clock.now += 60_000;
  await until(() => questions === 2);
  await new Promise(setImmediate);
  await evaluate('f0');
  await usage.close();
  expect(await counted()).toEqual([hourOf(effects.now()), { on: 1 }]);
  expect(output.text()).toBe('');
});
