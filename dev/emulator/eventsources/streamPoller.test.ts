import { afterEach, describe, expect, test } from '@jest/globals';
import { until } from '../../../shared/testing/until.ts';
import { registryOf, Throttled } from '../testing/functions.ts';
import { manualClock } from '../testing/manualClock.ts';
import type { StreamMapping } from './definition.ts';
import { type Poller, startStreamPoller } from './streamPoller.ts';
import type { StreamLog, StreamRecord } from './streamRecord.ts';

/** A record of {@link memoryStream}: a change of an item of some kind. */
interface TestRecord extends StreamRecord {
  readonly eventName: string;
  readonly dynamodb: StreamRecord['dynamodb'] & { readonly NewImage: { readonly kind: { readonly S: string } } };
}

/** A stream in memory, with its checkpoints in sight. */
interface MemoryStream extends StreamLog {
  append(...records: { kind?: string; createdAtMs?: number }[]): void;
  readonly checkpoints: string[];
}

/** Makes a {@link MemoryStream}. Sequence numbers are 1, 2, … */
function memoryStream(now: () => number): MemoryStream {
  const records: TestRecord[] = [];
  const listeners = new Set<(streamArn: string) => void>();
  const known = new Map<string, string>();
  const checkpoints: string[] = [];
  return {
    checkpoints,
    append(...added) {
      for (const { kind = 'flag', createdAtMs = now() } of added) {
        records.push({
          eventName: 'INSERT',
          dynamodb: {
            SequenceNumber: String(records.length + 1),
            ApproximateCreationDateTime: Math.floor(createdAtMs / 1000),
            NewImage: { kind: { S: kind } },
          },
        });
      }
      for (const listener of listeners) listener('stream');
    },
    read: async (_arn, after, limit) => records.slice(after === 'TRIM_HORIZON' ? 0 : Number(after)).slice(0, limit),
    onAppend(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    latestSequenceNumber: () => String(records.length),
    checkpoint: async (consumer, _arn, position) => {
      known.set(consumer, position);
      checkpoints.push(position);
    },
    loadCheckpoint: async (consumer) => known.get(consumer),
  };
}

let poller: Poller;
afterEach(() => poller.stop());

const usual: StreamMapping = {
  path: 'Stack/Mapping',
  streamArn: 'stream',
  functionName: 'Fn',
  batchSize: 4,
  filters: [],
  startingPosition: 'TRIM_HORIZON',
  bisects: false,
  reportsFailures: true,
  maxRetries: Number.POSITIVE_INFINITY,
  maxRecordAgeMs: 24 * 60 * 60 * 1000,
  onFailureArn: 'arn:failures',
};

type Event = { Records: TestRecord[] };
const numbers = ({ Records }: Event) => Records.map(({ dynamodb }) => dynamodb.SequenceNumber).join(' ');

/** A stream with `count` records, and a poller on it that hands batches to `answer` and retries without a pause. */
async function start(
  count: number,
  answer: (batch: string, event: Event) => unknown,
  changes: Partial<StreamMapping> = {},
) {
  const clock = manualClock();
  const stream = memoryStream(clock.now);
  stream.append(...Array.from({ length: count }, () => ({})));
  const batches: string[] = [];
  const log: string[] = [];
  const functions = registryOf((event: Event) => {
    batches.push(numbers(event));
    return answer(numbers(event), event);
  });
  const services = {
    functions,
    stream,
    clock: {
      ...clock,
      after: (_ms: number, run: () => void) => {
        setImmediate(run);
        return () => {};
      },
    },
    log: (line: string) => log.push(line),
    backOff: () => 0,
  };
  const restart = async () => {
    poller = await startStreamPoller({ ...usual, ...changes }, services);
  };
  await restart();
  return { stream, batches, log, clock, restart };
}

const failing = (...ids: string[]) => ({ batchItemFailures: ids.map((itemIdentifier) => ({ itemIdentifier })) });

describe('stream poller', () => {
  test('hands records on in order, batch by batch, also those that come later, and stores how far it is', async () => {
    const { stream, batches } = await start(5, () => null);
    await until(() => batches.length === 2);
    stream.append({});
    await until(() => batches.length === 3);
    expect(batches).toEqual(['1 2 3 4', '5', '6']);
    await until(() => stream.checkpoints.at(-1) === '6');
    expect(stream.checkpoints).toEqual(['TRIM_HORIZON', '4', '5', '6']);
  });

  test('hands on only what a filter lets through, and passes over the rest', async () => {
    const { stream, batches } = await start(0, () => null, {
      filters: [{ dynamodb: { NewImage: { kind: { S: ['flag'] } } } }, { eventName: ['REMOVE'] }],
    });
    stream.append({}, { kind: 'version' }, {}, { kind: 'version' }, { kind: 'version' });
    await until(() => stream.checkpoints.at(-1) === '5');
    expect(batches).toEqual(['1 3']);
  });

  test('LATEST begins with what comes after the first start, and a restart goes on from there', async () => {
    const { stream, batches, restart } = await start(2, () => null, { startingPosition: 'LATEST' });
    await poller.stop();
    stream.append({});
    await restart();
    await until(() => batches.length === 1);
    expect(batches).toEqual(['3']);
  });

  test('tries a failed batch again before anything behind it', async () => {
    let failures = 2;
    const { batches } = await start(5, () => {
      failures -= 1;
      if (failures >= 0) throw new Error('not now');
    });
    await until(() => batches.length === 4);
    expect(batches).toEqual(['1 2 3 4', '1 2 3 4', '1 2 3 4', '5']);
  });

  test('a reported failure keeps what is before it done', async () => {
    let first = true;
    const { batches, stream } = await start(5, (batch) => {
      if (batch !== '1 2 3 4' || !first) return null;
      first = false;
      return failing('4', '3');
    });
    await until(() => stream.checkpoints.at(-1) === '5');
    expect(batches).toEqual(['1 2 3 4', '3 4', '5']);
    expect(stream.checkpoints).toEqual(['TRIM_HORIZON', '2', '4', '5']);
  });

  test('bisecting finds the one bad record, gives it up after its retries, and loses no other', async () => {
    const { batches, log, stream } = await start(
      5,
      (batch) => {
        if (batch.split(' ').includes('3')) throw new Error('poison');
      },
      { bisects: true, maxRetries: 1 },
    );
    await until(() => stream.checkpoints.at(-1) === '5');
    expect(batches).toEqual(['1 2 3 4', '1 2', '3 4', '3', '3', '4', '5']);
    expect(log).toEqual([expect.stringContaining('gave up 1 records after 2 attempts: RetryAttemptsExhausted')]);
  });

  test('without bisecting the whole batch is given up after its retries', async () => {
    const { batches, log } = await start(
      5,
      (batch) => {
        if (batch.startsWith('1')) throw new Error('poison');
      },
      { maxRetries: 2 },
    );
    await until(() => batches.length === 4);
    expect(batches).toEqual(['1 2 3 4', '1 2 3 4', '1 2 3 4', '5']);
    expect(log).toEqual([expect.stringContaining('gave up 4 records')]);
  });

  test('a throttled batch is repeated as it is, without using up retries, until its records are too old', async () => {
    const refusals = { left: 3 };
    const { batches, log, stream, clock } = await start(
      4,
      () => {
        refusals.left -= 1;
        if (refusals.left >= 0) throw new Throttled('no room');
      },
      { bisects: true, maxRetries: 0, maxRecordAgeMs: 60_000 },
    );
    await until(() => stream.checkpoints.at(-1) === '4');
    expect(batches).toEqual(['1 2 3 4', '1 2 3 4', '1 2 3 4', '1 2 3 4']);
    expect(log).toEqual([]);
    refusals.left = Number.POSITIVE_INFINITY;
    stream.append({});
    await until(() => batches.length > 5);
    clock.advance(61_000);
    await until(() => log.length === 1);
    expect(log).toEqual([expect.stringContaining('RecordAgeExceeded')]);
  });

  test('records that are too old are given up without being handed on', async () => {
    const { batches, log, stream, clock } = await start(0, () => null, { maxRecordAgeMs: 60_000 });
    stream.append({ createdAtMs: clock.now() - 62_000 }, {});
    await until(() => batches.length === 1);
    expect(batches).toEqual(['2']);
    expect(log).toEqual([expect.stringContaining('RecordAgeExceeded')]);
  });

  test('stopping lets the batch at work end and counts it as done', async () => {
    const working = Promise.withResolvers<void>();
    const { batches, stream } = await start(5, () => working.promise);
    await until(() => batches.length === 1);
    const stopped = poller.stop();
    working.resolve();
    await stopped;
    expect(batches).toEqual(['1 2 3 4']);
    expect(stream.checkpoints.at(-1)).toBe('4');
  });

  test('stopping does not wait for a batch that keeps failing', async () => {
    const { batches, stream } = await start(1, () => {
      throw new Error('always');
    });
    await until(() => batches.length > 3);
    await poller.stop();
    expect(stream.checkpoints).toEqual(['TRIM_HORIZON']);
  });
});
