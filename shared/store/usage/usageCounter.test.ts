import { beforeEach, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { Flag } from '../../flags/flag.ts';
import { aFlag } from '../../testing/builders.ts';
import { runs } from '../../testing/runs.ts';
import type { Key } from '../table/keys.ts';
import { hourOf, type Usage } from './usage.ts';
import { createUsageCounter } from './usageCounter.ts';

let lines: object[] = [];
beforeEach(() => {
  lines = [];
});

const NOW = Date.UTC(2026, 10, 26, 3);
const HOUR = hourOf(NOW);
const byKey = (...flags: Flag[]) => new Map(flags.map((flag) => [flag.key, flag]));
const flags = byKey(
  aFlag({ key: 'f', variations: ['on', 'off'].map((id) => ({ id, value: id })) }),
  aFlag({ key: 'g', variations: [{ id: 'on', value: 'on' }] }),
);
const counterOf = (table: Pick<Usage, 'add' | 'start'>, limit: number, now = () => NOW) =>
  createUsageCounter(table, now, limit, (message, details) => lines.push({ message, ...details }));
const evaluations = (flagKey: string, variationId: string, count = 1) =>
  Array.from({ length: count }, () => ({ flagKey, variationId }));

/** A table in memory. `refuse` decides which writes fail, and how. */
function aTable(refuse: (writes: number) => Error | undefined = () => undefined) {
  const counts: Record<string, number> = {};
  const started: string[] = [];
  const table = {
    counts,
    started,
    writes: 0,
    refuse,
    add: async ({ pk, sk }: Key, added: ReadonlyMap<string, number>) => {
      table.writes += 1;
      const error = table.refuse(table.writes);
      if (error) throw error;
      for (const [name, count] of added) {
        const counter = `${pk.S} ${sk.S} ${name}`;
        counts[counter] = (counts[counter] ?? 0) + count;
      }
    },
    start: async (envId: string) => {
      started.push(envId);
    },
  };
  return table;
}

const throttled = (name = 'ThrottlingException') => Object.assign(new Error('Throughput exceeds'), { name });

describe('evaluations', () => {
  test('are combined to one write for each flag, and one for all unknown ones', async () => {
    const table = aTable();
    const counter = counterOf(table, 100);
    counter.add('e', flags, [...evaluations('f', 'on', 3), ...evaluations('f', 'off'), ...evaluations('g', '')]);
    counter.add('e', flags, [...evaluations('f', 'none'), ...evaluations('none', 'on', 2)]);
    await counter.flush();
    expect(table.writes).toBe(3);
    expect(table.counts).toEqual({
      [`USAGE#e#f ${HOUR} on`]: 3,
      [`USAGE#e#f ${HOUR} off`]: 1,
      [`USAGE#e#g ${HOUR} `]: 1,
      [`USAGE#e ${HOUR} unknown`]: 3,
    });
    await counter.flush();
    expect([table.writes, table.started]).toEqual([3, ['e']]);
  });

  test('are dropped beyond the limit of flags, and counted as dropped', async () => {
    const table = aTable();
    const counter = counterOf(table, 1);
    counter.add('e', flags, [...evaluations('f', 'on'), ...evaluations('g', 'on', 2), ...evaluations('f', 'off')]);
    await counter.flush();
    expect(table.counts).toEqual({
      [`USAGE#e#f ${HOUR} on`]: 1,
      [`USAGE#e#f ${HOUR} off`]: 1,
      [`USAGE#e ${HOUR} dropped`]: 2,
    });
    expect(lines).toMatchObject([{ message: 'usage counts dropped', envId: 'e', count: 2 }]);
  });

  test('are dropped if flags cannot be read or a write fails, which a later flush counts', async () => {
    const table = aTable((writes) => [new Error('aborted'), throttled()][writes - 1]);
    const counter = counterOf(table, 100);
    counter.add('e', undefined, evaluations('f', 'on', 4));
    counter.add('e', flags, evaluations('f', 'on', 5));
    await counter.flush();
    expect([table.counts, counter.dropped]).toEqual([{}, 9]);
    await counter.flush();
    expect(table.counts).toEqual({ [`USAGE#e ${HOUR} dropped`]: 9 });
  });

  test.each(['ThrottlingException', 'ProvisionedThroughputExceededException', 'RequestLimitExceeded'])(
    'stay in memory for the next write after %s',
    async (name) => {
      const table = aTable((writes) => (writes === 1 ? throttled(name) : undefined));
      const counter = counterOf(table, 2);
      counter.add('e', flags, evaluations('f', 'on', 4));
      await counter.flush();
      expect([table.counts, counter.size, counter.dropped]).toEqual([{}, 1, 0]);
      counter.add('e', flags, evaluations('f', 'on'));
      await counter.flush();
      expect(table.counts).toEqual({ [`USAGE#e#f ${HOUR} on`]: 5 });
    },
  );

  test('stay in memory for the next write if a slow table leaves no time', async () => {
    let now = NOW;
    const table = aTable(() => {
      now += 1_000;
      return undefined;
    });
    const counter = counterOf(table, 4, () => now);
    counter.add('e', flags, [...evaluations('f', 'on'), ...evaluations('g', 'on')]);
    expect([await counter.flush(), table.writes, counter.size]).toEqual([true, 1, 1]);
    expect([await counter.flush(), table.writes, counter.size]).toEqual([false, 2, 0]);
  });

  test('are not dropped because of a flood in another environment', async () => {
    const table = aTable(() => throttled());
    const counter = counterOf(table, 4);
    const flood = [...evaluations('f', 'on'), ...evaluations('g', 'on'), ...evaluations('none', 'on')];
    counter.add('loud', flags, flood);
    counter.add('quiet', flags, evaluations('f', 'on', 2));
    await counter.flush();
    expect(table.counts).toEqual({});
    table.refuse = () => undefined;
    counter.add('loud', flags, flood);
    await counter.flush();
    expect(table.counts).toEqual({
      [`USAGE#loud#f ${HOUR} on`]: 2,
      [`USAGE#loud#g ${HOUR} on`]: 2,
      [`USAGE#loud ${HOUR} dropped`]: 2,
      [`USAGE#quiet#f ${HOUR} on`]: 2,
    });
  });

  test('are dropped beyond 100 variations of a flag, because DynamoDB limits a write', async () => {
    const ids = Array.from({ length: 102 }, (_, n) => `v${n}`);
    const many = byKey(aFlag({ key: 'f', variations: ids.map((id) => ({ id, value: id })) }));
    const table = aTable();
    const counter = counterOf(table, 4);
    counter.add(
      'e',
      many,
      [...ids, 'v0'].map((variationId) => ({ flagKey: 'f', variationId })),
    );
    await counter.flush();
    expect(Object.keys(table.counts)).toHaveLength(101);
    expect(table.counts).toMatchObject({
      [`USAGE#e#f ${HOUR} v0`]: 2,
      [`USAGE#e#f ${HOUR} v99`]: 1,
      [`USAGE#e ${HOUR} dropped`]: 2,
    });
  });

  test('are dropped if a write has no answer, as it may have succeeded', async () => {
    const table = aTable((writes) => (writes === 1 ? new Error('aborted') : undefined));
    const counter = counterOf(table, 2);
    counter.add('e', flags, evaluations('f', 'on', 4));
    await counter.flush();
    expect(table.counts).toEqual({ [`USAGE#e ${HOUR} dropped`]: 4 });
  });
});

test('counted and dropped evaluations are as many as were sent, also for each flag', async () => {
  const evaluation = fc.record({
    flagKey: fc.constantFrom('f', 'g', 'none'),
    variationId: fc.constantFrom('on', 'off', ''),
  });
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.record({ sent: fc.array(evaluation, { maxLength: 9 }), isFlushed: fc.boolean() }), { maxLength: 9 }),
      fc.infiniteStream(fc.boolean()),
      fc.integer({ min: 1, max: 4 }),
      async (requests, refusals, entries) => {
        const table = aTable(() => (refusals.next().value ? throttled() : undefined));
        const counter = counterOf(table, entries);
        for (const { sent, isFlushed } of requests) {
          counter.add('e', flags, sent);
          if (isFlushed) await counter.flush();
        }
        table.refuse = () => undefined;
        await counter.flush();
        await counter.flush();
        const all = requests.flatMap(({ sent }) => sent);
        expect(Object.values(table.counts).reduce((sum, count) => sum + count, 0)).toBe(all.length);
        for (const key of ['f', 'g']) {
          for (const variation of ['on', 'off', '']) {
            const of = all.filter(({ flagKey, variationId }) => flagKey === key && variationId === variation);
            expect(table.counts[`USAGE#e#${key} ${HOUR} ${variation}`] ?? 0).toBeLessThanOrEqual(of.length);
          }
        }
      },
    ),
    { numRuns: runs(300) },
  );
});
