import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { IN_SEGMENT } from '../../shared/flags/rule.ts';
import type { RecordedChange } from '../../shared/store/history/recordedChange.ts';
import { keys } from '../../shared/store/table/keys.ts';
import { aCondition, aFlag, aRule } from '../../shared/testing/builders.ts';
import type { EventRecord } from '../invocation.ts';
import { type CapturedOutput, captureOutput } from '../testing/output.ts';
import { createAnnounce } from './announce.ts';
import { bytesOfEvent, type ChangeDetail, type ChangeEvent } from './changeEvent.ts';

let output: CapturedOutput;
beforeAll(() => {
  output = captureOutput();
});
afterAll(() => output.release());

const recordOf = (version: number): EventRecord => ({
  dynamodb: { NewImage: keys.history('env', version), SequenceNumber: `n${version}` },
});

/** A transaction that changes flags by their keys. */
function aChange(version: number, flags: readonly string[], fields: Parameters<typeof aFlag>[0] = {}): RecordedChange {
  const entry = { version, change: version, previous: 0, previousAt: 0, at: version, by: 'ann', command: '' };
  return {
    environment: { id: 'env', name: 'env', isProduction: false },
    ...entry,
    documents: flags.map((key, index) => {
      const before = aFlag({ key });
      const updatedAt = version - flags.length + 1 + index;
      return { kind: 'flag', id: key, updatedAt, previous: 1, before, after: { ...before, name: 'new', ...fields } };
    }),
  };
}

/** A bus that refuses some requests. */
function aBus(refuses: (request: number) => boolean = () => false) {
  const requests: (readonly ChangeEvent[])[] = [];
  const accepted: ChangeDetail[] = [];
  return {
    requests,
    accepted,
    putEvents: async (events: readonly ChangeEvent[]) => {
      requests.push(events);
      if (refuses(requests.length)) throw new Error('EventBridge is down');
      accepted.push(...events.map(({ detail }) => JSON.parse(detail) as ChangeDetail));
    },
  };
}

const announceTo = (bus: ReturnType<typeof aBus>, changes: readonly RecordedChange[]) =>
  createAnnounce({
    readChange: async (_, version) => changes.find((change) => change.version === version),
    readEnvironment: async (id) => (id === 'env' ? { id, name: 'env', isProduction: false } : undefined),
    readSegmentName: async (_, id) => (id === 's' ? 'Staff' : undefined),
    putEvents: bus.putEvents,
  });

describe('a change', () => {
  test('goes in requests of ten events', async () => {
    const bus = aBus();
    const flags = Array.from({ length: 25 }, (_, n) => `f${n}`);
    const result = await announceTo(bus, [aChange(100, flags)])({ Records: [recordOf(100)] });
    expect(result).toEqual({ batchItemFailures: [] });
    expect(bus.requests.map(({ length }) => length)).toEqual([10, 10, 5]);
    expect(bus.accepted.map(({ key }) => key)).toEqual(flags);
  });

  test('goes in requests of 250 KB if its flags are large', async () => {
    const bus = aBus();
    const change = aChange(100, ['a', 'b', 'c'], { description: 'x'.repeat(100_000) });
    await announceTo(bus, [change])({ Records: [recordOf(100)] });
    expect(bus.requests.map(({ length }) => length)).toEqual([2, 1]);
  });

  test('names the segments of its summary', async () => {
    const bus = aBus();
    const rule = aRule([aCondition(IN_SEGMENT, null, '["s","gone"]')]);
    const change = aChange(100, ['f'], { rules: [rule, { ...rule, id: '2', name: '2' }] });
    const documents = change.documents.map((each) => ({ ...each, before: aFlag({ rules: [rule] }) }));
    await announceTo(bus, [{ ...change, documents }])({ Records: [recordOf(100)] });
    expect(bus.accepted[0]?.summary).toMatch(/Staff.*gone/);
  });

  test('is passed over with a line in the log if its environment was deleted', async () => {
    const bus = aBus();
    output.clear();
    const result = await announceTo(bus, [aChange(101, ['f'])])({ Records: [recordOf(100), recordOf(101)] });
    expect(result).toEqual({ batchItemFailures: [] });
    expect(bus.accepted).toHaveLength(1);
    expect(output.text()).toContain('a change of a deleted environment is not announced');
  });
});

test('a change that is not accepted ends the batch, and is retried with later ones', async () => {
  const bus = aBus((request) => request === 2);
  const changes = [1, 2, 3].map((n) => aChange(n * 100, ['f']));
  // The stream may hold them in another order.
  const Records = [recordOf(300), recordOf(100), recordOf(200)];
  expect(await announceTo(bus, changes)({ Records })).toEqual({
    batchItemFailures: [{ itemIdentifier: 'n300' }, { itemIdentifier: 'n200' }],
  });
  expect(bus.accepted.map(({ version }) => Date.parse(version))).toEqual([100]);
  expect(output.text()).toContain('announcing a change failed and will be retried');
});

test('each change is announced despite failures, first in order of its flag’s versions', async () => {
  const history = fc
    .array(fc.uniqueArray(fc.constantFrom('a', 'b', 'c'), { minLength: 1 }), { minLength: 1, maxLength: 12 })
    .map((all) => all.map((flags, index) => aChange((index + 1) * 10, flags)));
  await fc.assert(
    fc.asyncProperty(
      history,
      fc.infiniteStream(fc.nat(5)),
      fc.integer({ min: 1, max: 5 }),
      async (changes, luck, size) => {
        const next = () => luck.next().value as number;
        const bus = aBus(() => next() === 0);
        const announce = announceTo(bus, changes);
        const records = changes.map(({ version }) => recordOf(version));
        for (let position = 0; position < records.length; ) {
          const Records = records.slice(position, position + size);
          const { batchItemFailures } = await announce({ Records });
          // As Lambda: it goes on at the first failed record, and now and then calls again for what was done.
          const failed = new Set(batchItemFailures.map(({ itemIdentifier }) => itemIdentifier));
          const first = Records.findIndex(({ dynamodb }) => failed.has(dynamodb?.SequenceNumber ?? ''));
          if (next() > 1) position += first < 0 ? Records.length : first;
        }
        const seen = new Map<string, ChangeDetail>();
        for (const detail of bus.accepted) if (!seen.has(detail.id)) seen.set(detail.id, detail);
        const firsts = [...seen.values()];
        for (const key of ['a', 'b', 'c']) {
          const expected = changes.flatMap(({ documents }) => documents.filter(({ id }) => id === key));
          const versions = firsts.filter((each) => each.key === key).map(({ version }) => Date.parse(version));
          expect(versions).toEqual(expected.map(({ updatedAt }) => updatedAt));
        }
      },
    ),
  );
});

describe('a plan', () => {
  const image = (state: object, envId = 'env') => ({
    ...keys.plan(envId, 'p-1'),
    revision: { N: '3' },
    plan: {
      S: JSON.stringify({ kind: 'flag', documentId: 'f', by: 'ann', command: 'plan create f', steps: [], state }),
    },
  });
  const paused = { kind: 'paused', at: 1_000, reason: 'guard "errors" is unknown' };
  const write = async (state: object, before?: object, envId = 'env') => {
    const bus = aBus();
    const dynamodb = {
      SequenceNumber: '1',
      NewImage: image(state, envId),
      ...(before ? { OldImage: image(before, envId) } : {}),
    };
    const result = await announceTo(bus, [])({ Records: [{ dynamodb }] });
    expect(result).toEqual({ batchItemFailures: [] });
    return bus;
  };

  test('has one event if it is paused', async () => {
    const { requests, accepted } = await write(paused, { kind: 'running' });
    expect(requests).toMatchObject([[{ source: 'flagwire', detailType: 'Plan Paused', time: 1_000 }]]);
    expect(accepted).toEqual([
      {
        id: 'env/p-1/3',
        environment: { id: 'env', name: 'env', isProduction: false },
        plan: 'p-1',
        kind: 'flag',
        key: 'f',
        guard: null,
        reason: 'guard "errors" is unknown',
        at: '1970-01-01T00:00:01.000Z',
        by: 'ann',
        command: 'plan create f',
        resume: 'flags plan resume p-1 --env env',
        text: "Flagwire: the plan of flag f in environment env is paused: guard 'errors' is unknown. To continue, run: flags plan resume p-1 --env env",
      },
    ]);
    expect((await write(paused, paused)).requests).toEqual([]);
    expect((await write({ kind: 'running' })).requests).toEqual([]);
    expect((await write(paused, undefined, 'deleted')).requests).toEqual([]);
  });

  test('names the alarm if its guard fired, also if it was paused before', async () => {
    const fired = { ...paused, guard: 'errors' };
    const { requests, accepted } = await write(fired, paused);
    expect(requests).toMatchObject([[{ detailType: 'Guard Fired' }]]);
    expect(accepted).toMatchObject([{ guard: 'errors' }]);
  });

  test('is passed over with a line in the log if it cannot be read', async () => {
    const bus = aBus();
    const plans = ['{"state"', '{}', '{"state":null}'].map((text) => ({ ...image(paused), plan: { S: text } }));
    const Records = [...plans, image(paused)].map((NewImage, n) => ({
      dynamodb: { SequenceNumber: String(n), NewImage },
    }));
    output.clear();
    expect(await announceTo(bus, [])({ Records })).toEqual({ batchItemFailures: [] });
    expect(bus.accepted).toMatchObject([{ plan: 'p-1' }]);
    expect(output.text()).toContain('a plan that cannot be read is not announced');
  });

  test('has an event of a limited size', async () => {
    const { requests } = await write({ ...paused, reason: 'x'.repeat(300_000) });
    expect(bytesOfEvent(requests[0]?.[0] as ChangeEvent)).toBeLessThan(10_000);
  });

  test('is announced again if the bus fails', async () => {
    const bus = aBus(() => true);
    const record = { dynamodb: { SequenceNumber: '1', NewImage: image(paused) } };
    expect(await announceTo(bus, [])({ Records: [record] })).toEqual({ batchItemFailures: [{ itemIdentifier: '1' }] });
  });
});
