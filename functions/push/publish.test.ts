import { randomBytes } from 'node:crypto';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { formatTimestamp } from '../../shared/flags/timestamp.ts';
import { SHARDS } from '../../shared/store/connections/connection.ts';
import type { Change, StreamAttribute } from '../../shared/store/documents/change.ts';
import { encodeDocument, toItem } from '../../shared/store/documents/item.ts';
import { aFlag } from '../../shared/testing/builders.ts';
import { type CapturedOutput, captureOutput } from '../testing/output.ts';
import { createPublish, type StreamEvent } from './publish.ts';
import { bodyOf, type PushMessage } from './pushMessage.ts';
import type { Revocation } from './revocation.ts';
import type { TableEvents } from './snapshotRewrites.ts';

let output: CapturedOutput;
beforeAll(() => {
  output = captureOutput();
});
afterAll(() => output.release());

type Record = StreamEvent['Records'][number];

/** A stream record of a flag's write. */
function recordOf(updatedAt: number, sequenceNumber: string, { envId = 'env', bytes = 0 } = {}): Record {
  const document = aFlag({ description: randomBytes(bytes).toString('hex'), updatedAt: formatTimestamp(updatedAt) });
  const stamp = { envId, updatedAt, previous: updatedAt - 1, writtenAt: updatedAt, targetedAt: 0 };
  const item = Object.entries(toItem(encodeDocument({ kind: 'flag', document }, stamp)));
  const NewImage = Object.fromEntries(
    item.map(([name, { S, N, B }]): [string, StreamAttribute] => [
      name,
      B ? { B: Buffer.from(B).toString('base64') } : { S, N },
    ]),
  );
  return { dynamodb: { NewImage, SequenceNumber: sequenceNumber, ApproximateCreationDateTime: 1_700_000_000 } };
}

const versionsOf = (changes: readonly Change[]) => changes.map(({ updatedAt }) => updatedAt);

/** A queue that keeps what it gets and may fail at its n-th batch. */
function aQueue(failAt = Number.POSITIVE_INFINITY) {
  const batches: (readonly PushMessage[])[] = [];
  return {
    batches,
    send: async (work: readonly PushMessage[]) => {
      if (batches.length + 1 === failAt) throw new Error('the queue is down');
      batches.push(work);
    },
  };
}

/** What was handed in to the queue of revocations; it fails while told so. */
const revocations = {
  sent: [] as Revocation[],
  isDown: false,
  send: async (revocation: Revocation) => {
    if (revocations.isDown) throw new Error('the queue is down');
    revocations.sent.push(revocation);
  },
};
/** What the snapshots were given. */
let told: TableEvents[] = [];
const rewriteSnapshots = async (events: TableEvents) => void told.push(events);
beforeEach(() => {
  revocations.sent = [];
  revocations.isDown = false;
  told = [];
});

const EVERY = Array.from({ length: SHARDS }, (_, shard) => shard);

/** Publishes to a queue. @param occupied the shards that have connections, by environment */
function publishTo(queue: ReturnType<typeof aQueue>, occupied = async (_envId: string): Promise<number[]> => EVERY) {
  return createPublish({ connections: { occupiedShards: occupied }, queue, revocations, rewriteSnapshots });
}

describe('a change', () => {
  test('becomes one message for each shard, with its document', async () => {
    const queue = aQueue();
    expect(await publishTo(queue)({ Records: [recordOf(5, '1')] })).toEqual({ batchItemFailures: [] });
    const work = queue.batches.flat();
    expect(work.map(({ shard }) => shard)).toEqual(EVERY);
    for (const { changes } of work) {
      expect(changes).toMatchObject([{ id: 'a-flag', updatedAt: 5, previous: 4, writtenAt: 1_700_000_000_000 }]);
      expect(changes[0].body).toHaveProperty('text');
    }
    expect(revocations.sent).toEqual([]);
  });

  test('goes to no shard without connections, and where nobody is connected to none', async () => {
    const queue = aQueue();
    const records = [recordOf(5, '1'), recordOf(6, '2', { envId: 'idle' })];
    const publish = publishTo(queue, async (envId) => (envId === 'idle' ? [] : [3, 11]));
    expect(await publish({ Records: records })).toEqual({ batchItemFailures: [] });
    expect(queue.batches.flat().map(({ shard, changes }) => [shard, changes[0].envId])).toEqual([
      [3, 'env'],
      [11, 'env'],
    ]);
  });

  test('is handed in again while it cannot be told who is connected', async () => {
    const queue = aQueue();
    const publish = publishTo(queue, () => Promise.reject(new Error('the table is down')));
    expect(await publish({ Records: [recordOf(5, '1')] })).toEqual({ batchItemFailures: [{ itemIdentifier: '1' }] });
    expect(queue.batches).toEqual([]);
  });

  test('goes without its document if that is large', async () => {
    const queue = aQueue();
    await publishTo(queue)({ Records: [recordOf(5, '1', { bytes: 60_000 })] });
    for (const { changes } of queue.batches.flat()) expect(changes[0]).not.toHaveProperty('body');
  });
});

describe('changes', () => {
  test('go together, one message for each shard, by version, in any order of arrival', async () => {
    const queue = aQueue();
    await publishTo(queue)({ Records: [recordOf(7, '1'), recordOf(5, '2'), recordOf(6, '3')] });
    for (const batch of queue.batches) expect(batch.length).toBeLessThanOrEqual(10);
    expect(queue.batches.flat().map(({ shard }) => shard)).toEqual(EVERY);
    for (const { changes } of queue.batches.flat()) expect(versionsOf(changes)).toEqual([5, 6, 7]);
  });

  test('go apart for several environments', async () => {
    const queue = aQueue();
    const records = [recordOf(1, '1'), recordOf(1, '2', { envId: 'other' }), recordOf(2, '3')];
    await publishTo(queue)({ Records: records });
    const work = queue.batches.flat();
    expect(work).toHaveLength(2 * SHARDS);
    const of = (envId: string) => work.filter(({ changes }) => changes.every((change) => change.envId === envId));
    expect(of('env').map(({ changes }) => versionsOf(changes))).toEqual(Array(SHARDS).fill([1, 2]));
    expect(of('other').map(({ changes }) => versionsOf(changes))).toEqual(Array(SHARDS).fill([1]));
  });

  test('go in several messages and batches if they are large, as SQS takes 256 KB', async () => {
    const queue = aQueue();
    const versions = Array.from({ length: 20 }, (_, n) => n + 1);
    await publishTo(queue)({ Records: versions.map((n) => recordOf(n, String(n), { bytes: 15_000 })) });
    const sizes = queue.batches.map((batch) => batch.reduce((sum, work) => sum + Buffer.byteLength(bodyOf(work)), 0));
    expect(Math.max(...sizes)).toBeGreaterThan(200_000);
    for (const size of sizes) expect(size).toBeLessThanOrEqual(240 * 1024);
    for (let shard = 0; shard < SHARDS; shard++) {
      const work = queue.batches.flat().filter((each) => each.shard === shard);
      expect(work.length).toBeGreaterThan(1);
      expect(work.flatMap(({ changes }) => versionsOf(changes))).toEqual(versions);
    }
  });

  test.each([19_900, 20_200, 20_400, 20_500])(
    'fit a batch with %i bytes each, with what is around them',
    async (bytes) => {
      const queue = aQueue();
      const versions = Array.from({ length: 24 }, (_, n) => n + 1);
      const Records = versions.map((n) => {
        const { dynamodb } = recordOf(n, String(n));
        return { dynamodb: { ...dynamodb, NewImage: { ...dynamodb?.NewImage, doc: { S: 'a'.repeat(bytes) } } } };
      });
      await publishTo(queue, async () => [0])({ Records });
      const messages = queue.batches.flat();
      expect(messages.flatMap(({ changes }) => versionsOf(changes))).toEqual(versions);
      for (const message of messages) expect(Buffer.byteLength(bodyOf(message))).toBeLessThanOrEqual(240 * 1024);
    },
  );

  test('are passed over if their items are neither flag nor segment, or removals', async () => {
    const queue = aQueue();
    const meta = { dynamodb: { NewImage: { pk: { S: 'ENV#env' }, sk: { S: 'META' } }, SequenceNumber: '1' } };
    const version = {
      dynamodb: { NewImage: { pk: { S: 'VERSION#env#0' }, updatedAt: { N: '5' } }, SequenceNumber: '2' },
    };
    const removal = { dynamodb: { SequenceNumber: '3' } };
    expect(await publishTo(queue)({ Records: [meta, version, removal, {}] })).toEqual({
      batchItemFailures: [],
    });
    expect(queue.batches).toEqual([]);
  });

  test.each([1, 2])('are received again from the first on if the queue refuses batch %i', async (failAt) => {
    const meta = { dynamodb: { NewImage: { sk: { S: 'META' } }, SequenceNumber: '10' } };
    const event = { Records: [meta, recordOf(7, '11'), recordOf(5, '12'), recordOf(6, '13')] };
    expect(await publishTo(aQueue(failAt))(event)).toEqual({
      batchItemFailures: [{ itemIdentifier: '11' }],
    });
    expect(output.text()).toContain('publishing failed');
  });
});

describe('snapshots', () => {
  const expired = {
    dynamodb: { Keys: { pk: { S: 'JOURNAL#env' }, sk: { S: '000000000000004' } }, SequenceNumber: '1' },
  };

  test('get changes, also without their entries in the journal, after all messages', async () => {
    const queue = aQueue();
    const sent: number[] = [];
    const publish = createPublish({
      connections: { occupiedShards: async () => EVERY },
      queue,
      revocations,
      rewriteSnapshots: async (events) => {
        sent.push(queue.batches.length);
        await rewriteSnapshots(events);
      },
    });
    expect(await publish({ Records: [expired, recordOf(5, '2')] })).toEqual({ batchItemFailures: [] });
    expect(sent).toEqual([2]);
    expect(told).toMatchObject([
      { changes: [{ envId: 'env', updatedAt: 5 }], expired: [{ envId: 'env', version: 4 }] },
    ]);
  });

  test('are given nothing while a message cannot be sent, and not of snapshots', async () => {
    await publishTo(aQueue(1))({ Records: [recordOf(5, '1')] });
    expect(told).toEqual([]);
    const image = { pk: { S: 'SNAPSHOT#env#0' }, sk: { S: 'POINTER' }, version: { N: '5' } };
    await publishTo(aQueue())({ Records: [{ dynamodb: { NewImage: image, SequenceNumber: '1' } }] });
    expect(told).toEqual([{ changes: [], expired: [] }]);
  });
});

describe('a record that cannot be read', () => {
  beforeEach(() => {
    process.env['AWS_LAMBDA_LOG_GROUP_NAME'] = 'test';
    output.clear();
  });
  afterEach(() => {
    delete process.env['AWS_LAMBDA_LOG_GROUP_NAME'];
  });

  const whole = recordOf(6, '2').dynamodb?.NewImage ?? {};
  const broken: [what: string, image: unknown][] = [
    ['no image', null],
    ['an attribute of no type', { ...whole, updatedAt: null }],
    ['a document that is no text', { ...whole, docGz: { B: 5 } }],
    ['no version', { ...whole, updatedAt: undefined }],
    ['a version that is no number', { ...whole, updatedAt: { N: 'soon' } }],
    ['a version before it that is no number', { ...whole, previous: { N: 'soon' } }],
    ['no environment', { ...whole, pk: { S: 'ENV#' } }],
    ['an environment that no queue takes for a group', { ...whole, pk: { S: 'ENV#a b' } }],
    ['an environment of more characters than a queue takes', { ...whole, pk: { S: `ENV#${'e'.repeat(100)}` } }],
    ['no key', { ...whole, sk: { S: 'FLAG#' } }],
    ['a secret of an environment that is no text', { pk: { S: 'SECRET#0' }, envId: 5, revokedAt: null }],
  ];

  test.each(broken)('(%s) is set aside with a log line and a metric; what is around it goes on', async (_, image) => {
    const queue = aQueue();
    const unreadable = { dynamodb: { NewImage: image, SequenceNumber: '2' } } as Record;
    const event = { Records: [recordOf(5, '1'), unreadable, recordOf(7, '3')] };
    expect(await publishTo(queue)(event)).toEqual({ batchItemFailures: [] });
    expect(queue.batches.flat().map(({ changes }) => versionsOf(changes))).toEqual(Array(SHARDS).fill([5, 7]));
    const [line, ...others] = output.lines().filter(({ message }) => message === 'stream record set aside');
    expect(others).toEqual([]);
    expect(line).toMatchObject({ level: 'ERROR', sequenceNumber: '2', reason: expect.stringMatching(/./) });
    expect(output.metrics()).toEqual([{ 'push.unreadable': 1 }]);
  });

  test('names the item, in a line of bounded length, and nothing that the item holds', async () => {
    const image = { ...whole, pk: { S: `ENV#${'e'.repeat(2_000)}` }, sk: { S: 'FLAG#f' }, doc: { S: 'confidential' } };
    await publishTo(aQueue())({ Records: [{ dynamodb: { NewImage: image, SequenceNumber: '2' } }] });
    const [line] = output.lines();
    expect(line).toMatchObject({ sk: 'FLAG#f' });
    expect(JSON.stringify(line).length).toBeLessThan(2_000);
    expect(output.text()).not.toContain('confidential');
  });

  test('never names a secret', async () => {
    const image = { pk: { S: 'SECRET#0123456789abcdef0123' }, envId: 5, revokedAt: null };
    await publishTo(aQueue())({ Records: [{ dynamodb: { NewImage: image } } as unknown as Record] });
    expect(output.lines()).toHaveLength(1 + output.metrics().length);
    expect(output.text()).not.toContain('0123456789abcdef0123');
  });

  test('is told of once, not at each retry of what is around it', async () => {
    const unreadable = { dynamodb: { NewImage: null, SequenceNumber: '1' } } as unknown as Record;
    const event = { Records: [unreadable, recordOf(5, '2')] };
    expect(await publishTo(aQueue(1))(event)).toEqual({
      batchItemFailures: [{ itemIdentifier: '1' }],
    });
    expect(output.metrics()).toEqual([]);
    await publishTo(aQueue())(event);
    expect(output.metrics()).toEqual([{ 'push.unreadable': 1 }]);
  });
});

describe('the end of a secret', () => {
  const ended = (SequenceNumber: string, image: Readonly<{ [name: string]: StreamAttribute }> = {}): Record => ({
    dynamodb: {
      NewImage: {
        pk: { S: `SECRET#${'0123456789abcdef'.repeat(4)}` },
        envId: { S: 'env' },
        revokedAt: { S: '2024-01-01T00:00:00.000Z' },
        ...image,
      },
      SequenceNumber,
    },
  });

  test('is handed to the queue of revocations, and to nobody else', async () => {
    const queue = aQueue();
    expect(await publishTo(queue)({ Records: [ended('1')] })).toEqual({ batchItemFailures: [] });
    expect(revocations.sent).toEqual([
      { envId: 'env', secretId: '0123456789abcdef', revokedAt: Date.UTC(2024, 0), pass: 0, shard: 0 },
    ]);
    expect(queue.batches).toEqual([]);
  });

  test('is passed on for each environment of a relay key', async () => {
    const environments = JSON.stringify(['a', 'b'].map((envId) => ({ envId, envKey: envId, secrets: [] })));
    const relay = { pk: { S: 'RELAYS' }, sk: { S: '0123456789abcdef' }, envId: {}, environments: { S: environments } };
    await publishTo(aQueue())({ Records: [ended('1', relay)] });
    const begin = { secretId: '0123456789abcdef', revokedAt: Date.UTC(2024, 0), pass: 0, shard: 0 };
    expect(revocations.sent).toEqual([
      { envId: 'a', ...begin },
      { envId: 'b', ...begin },
    ]);
  });

  test('is no other item, and no secret that nobody has ended', async () => {
    const others = [{ pk: { S: 'ENV#env' } }, { revokedAt: {} }, { envId: {} }];
    await publishTo(aQueue())({ Records: others.map((image) => ended('1', image)) });
    expect(revocations.sent).toEqual([]);
  });

  test('is received again if the queue refuses it', async () => {
    revocations.isDown = true;
    const event = { Records: [{ dynamodb: { NewImage: {}, SequenceNumber: '1' } }, ended('2'), recordOf(7, '3')] };
    expect(await publishTo(aQueue())(event)).toEqual({ batchItemFailures: [{ itemIdentifier: '2' }] });
  });
});
