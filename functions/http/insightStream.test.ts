import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { systemEffects } from '../../shared/runtime/effects.ts';
import type { InsightRecord } from './insight.ts';
import { InsightTooLarge } from './insight.ts';
import { createInsightStream } from './insightStream.ts';
import { startFirehose, type TestFirehose } from './testing/firehose.ts';

const before = { ...process.env };
let firehose: TestFirehose;
beforeAll(async () => {
  firehose = await startFirehose();
  Object.assign(process.env, {
    AWS_REGION: 'us-east-1',
    AWS_ACCESS_KEY_ID: 'local',
    AWS_SECRET_ACCESS_KEY: 'local',
    AWS_ENDPOINT_URL_FIREHOSE: firehose.url,
  });
});
afterAll(async () => {
  process.env = before;
  await firehose.close();
});
beforeEach(() => {
  firehose.clear();
  process.env['INSIGHT_STREAM'] = 'Insight';
});
afterEach(() => {
  now = Date.now;
});

/** A record whose line has `bytes` bytes, or the minimum. */
function aRecord(keyId: string, bytes = 0): InsightRecord {
  const record = (route: string): InsightRecord => ({
    envId: 'env',
    receivedAt: '2024-01-01T00:00:00.000Z',
    user: { keyId, name: null, customizedProperties: [] },
    variations: [],
    metrics: [{ route, type: '', eventName: 'e', numericValue: 1, appType: '', timestamp: 0 }],
  });
  return record('x'.repeat(Math.max(0, bytes - lineOf(record('')).length)));
}

const lineOf = (record: InsightRecord) => `${JSON.stringify(record)}\n`;
const many = (count: number, bytes = 0) => Array.from({ length: count }, (_, n) => aRecord(`u${n}`, bytes));
let now = Date.now;
const effects = { ...systemEffects, now: () => now() };
const write = (records: readonly InsightRecord[]) => createInsightStream('Insight', effects).write(records);
/** The users of each line of each record of each batch. */
const offeredKeys = () => firehose.offered.map((batch) => batch.map(keysOf));
const keysOf = (record: string) =>
  record
    .trimEnd()
    .split('\n')
    .map((line) => (JSON.parse(line) as InsightRecord).user.keyId)
    .join(' ');

describe('insights', () => {
  test('go to the stream of the stack, a request as one record with a line of JSON each', async () => {
    const records = [aRecord('ü'), aRecord('a\nb'), ...many(1_201)];
    await write(records);
    expect(firehose.streams).toEqual(['Insight']);
    expect(firehose.offered).toEqual([[records.map(lineOf).join('')]]);
    expect(firehose.taken.join('').trimEnd().split('\n')).toHaveLength(records.length);
  });

  test('go in several records of whole lines if one cannot hold them', async () => {
    const records = many(5, 400_000);
    await write(records);
    expect(offeredKeys()).toEqual([['u0 u1', 'u2 u3', 'u4']]);
    expect(firehose.taken.join('')).toBe(records.map(lineOf).join(''));
  });

  test('fill a record to its limit', async () => {
    await write(many(4, 512_000));
    expect(firehose.taken.map((record) => record.length)).toEqual([1_024_000, 1_024_000]);
  });

  test('are offered 4 MiB at a time at most', async () => {
    const records = many(9, 1_000_000);
    await write(records);
    const sizes = firehose.offered.map((batch) => Buffer.byteLength(batch.join('')));
    for (const size of sizes) expect(size).toBeLessThanOrEqual(4 * 1024 * 1024);
    expect(sizes).toHaveLength(3);
    expect(firehose.taken).toEqual(records.map(lineOf));
  });

  test('go nowhere when there are none', async () => {
    await write([]);
    expect(firehose.offered).toEqual([]);
  });
});

describe('a stream that is busy', () => {
  /** A size at which each is a separate record, and five are a batch. */
  const LARGE = 600_000;

  test('is offered again what it did not take, in order, and nothing else', async () => {
    firehose.replies.push(
      [undefined, 'ServiceUnavailableException', undefined, 'InternalFailure', 'ServiceUnavailableException'],
      ['ServiceUnavailableException'],
    );
    await write(many(5, LARGE));
    expect(offeredKeys()).toEqual([['u0', 'u1', 'u2', 'u3', 'u4'], ['u1', 'u3', 'u4'], ['u1']]);
    expect(firehose.taken.toSorted()).toEqual(many(5, LARGE).map(lineOf));
  });

  test('is offered the next batch once the one before is taken whole', async () => {
    firehose.replies.push([undefined, 'ServiceUnavailableException']);
    await write(many(6, LARGE));
    expect(offeredKeys()).toEqual([['u0', 'u1', 'u2', 'u3', 'u4'], ['u1'], ['u5']]);
  });

  test('is offered all records again if it refused all', async () => {
    firehose.replies.push({ status: 503, type: 'ServiceUnavailableException' });
    await write(many(2));
    expect(offeredKeys()).toEqual([['u0 u1'], ['u0 u1']]);
    expect(firehose.taken).toHaveLength(1);
  });

  test('ends in an error with the number of lost records after the time of a request', async () => {
    firehose.replies.push([undefined, 'ServiceUnavailableException', 'ServiceUnavailableException']);
    const start = Date.now();
    now = () => start + firehose.offered.length * 8_000;
    await expect(write(many(3, LARGE))).rejects.toThrow(/^the delivery stream did not accept 2 records$/);
    expect(firehose.offered).toHaveLength(1);
  });

  test('is waited for once a request, however many batches it has', async () => {
    firehose.replies.push([], ['ServiceUnavailableException']);
    const start = Date.now();
    now = () => start + firehose.offered.length * 5_000;
    await expect(write(many(6, LARGE))).rejects.toThrow('did not accept 1 records');
    expect(firehose.offered).toHaveLength(2);
  });
});

describe('a line', () => {
  test('is stored at the greatest size that Firehose takes', async () => {
    await write([aRecord('large', 1_024_000)]);
    expect(firehose.taken.map((line) => line.length)).toEqual([1_024_000]);
  });

  test('is an error that names the limit above that size, and nothing is stored', async () => {
    const attempt = write([...many(600), aRecord('too-large', 1_024_001)]);
    await expect(attempt).rejects.toBeInstanceOf(InsightTooLarge);
    await expect(attempt).rejects.toThrow('1024001 bytes; the limit is 1024000');
    expect(firehose.offered).toEqual([]);
  });

  test('is found too among more than a function call has room for', async () => {
    const attempt = write([...Array<InsightRecord>(200_000).fill(aRecord('u')), aRecord('too-large', 1_024_001)]);
    await expect(attempt).rejects.toBeInstanceOf(InsightTooLarge);
  });
});
