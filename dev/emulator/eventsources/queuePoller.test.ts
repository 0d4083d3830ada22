import { afterEach, describe, expect, test } from '@jest/globals';
import type { SQSEvent } from 'aws-lambda';
import { until } from '../../../shared/testing/until.ts';
import type { QueueDefinition } from '../queues/definition.ts';
import { createQueues, type Queue } from '../queues/queue.ts';
import { registryOf, Throttled } from '../testing/functions.ts';
import { manualClock } from '../testing/manualClock.ts';
import { fifoDefinition } from '../testing/queueDefinition.ts';
import { startQueuePoller } from './queuePoller.ts';
import type { BackOff, Poller } from './streamPoller.ts';

let poller: Poller;
afterEach(() => poller.stop());

const bodies = ({ Records }: SQSEvent) => Records.map(({ body }) => body).join(' ');

function start(
  answer: (batch: string, event: SQSEvent) => unknown,
  options: { backOff?: BackOff; batchSize?: number; definitions?: QueueDefinition[] } = {},
) {
  const clock = manualClock();
  const { batchSize = 10, definitions = [fifoDefinition('Q.fifo')], ...rest } = options;
  const queues = createQueues(definitions, clock);
  const queue = queues.byName('Q.fifo') as Queue;
  const batches: string[] = [];
  const functions = registryOf((event: SQSEvent) => {
    batches.push(bodies(event));
    return answer(bodies(event), event);
  });
  const mapping = {
    path: 'Stack/Mapping',
    queueArn: queue.definition.arn,
    functionName: 'Fn',
    batchSize,
    reportsFailures: true,
    maxConcurrency: 2,
  };
  poller = startQueuePoller(mapping, { functions, queue, clock, log: () => {}, ...rest });
  const send = (...texts: string[]) => {
    for (const body of texts) queue.send({ body, groupId: body[0] ?? '', deduplicationId: body });
  };
  return { clock, queue, queues, batches, send };
}

const failing = (event: SQSEvent, ...texts: string[]) => ({
  batchItemFailures: event.Records.filter(({ body }) => texts.includes(body)).map(({ messageId }) => ({
    itemIdentifier: messageId,
  })),
});

describe('queue poller', () => {
  test('a message arrives as Lambda hands it on, and is deleted when it succeeded', async () => {
    const events: SQSEvent[] = [];
    const { queue, send } = start((_batch, event) => {
      events.push(event);
    });
    send('a1');
    await until(() => queue.counts().hidden + queue.counts().waiting === 0 && events.length === 1);
    expect(events[0]?.Records).toEqual([
      {
        messageId: expect.any(String),
        receiptHandle: expect.any(String),
        body: 'a1',
        attributes: {
          ApproximateReceiveCount: '1',
          ApproximateFirstReceiveTimestamp: expect.any(String),
          SentTimestamp: expect.any(String),
          SenderId: 'local',
          SequenceNumber: expect.stringMatching(/^\d{20}$/),
          MessageGroupId: 'a',
          MessageDeduplicationId: 'a1',
        },
        messageAttributes: {},
        md5OfBody: expect.stringMatching(/^[0-9a-f]{32}$/),
        eventSource: 'aws:sqs',
        eventSourceARN: 'arn:aws:sqs:us-east-1:000000000000:Q.fifo',
        awsRegion: 'us-east-1',
      },
    ]);
  });

  test('groups run side by side, a group one batch at a time', async () => {
    const working = { a: Promise.withResolvers<void>(), b: Promise.withResolvers<void>() };
    const { batches, send } = start((batch) => working[batch[0] as 'a' | 'b'].promise, { batchSize: 1 });
    send('a1', 'a2', 'b1');
    await until(() => batches.length === 2);
    expect(batches).toEqual(['a1', 'b1']);
    working.a.resolve();
    await until(() => batches.length === 3);
    expect(batches[2]).toBe('a2');
    working.b.resolve();
  });

  test('a failed message comes back after the visibility timeout, with its group behind it', async () => {
    let fail = true;
    const { batches, send, clock, queue } = start((_batch, event) => {
      if (fail) return failing(event, 'a2', 'a3');
    });
    send('a1', 'a2', 'a3', 'b1');
    await until(() => batches.length > 0 && queue.counts().hidden === 2);
    send('a4');
    fail = false;
    clock.advance(30_000);
    await until(() => queue.counts().waiting + queue.counts().hidden === 0);
    expect(batches.at(-1)).toBe('a2 a3 a4');
    expect(
      batches
        .join(' ')
        .split(' ')
        .filter((body) => body === 'a1' || body === 'b1'),
    ).toHaveLength(2);
  });

  test('a batch that is throttled comes back after the visibility timeout, and was received', async () => {
    let refuse = true;
    const counts: (string | undefined)[] = [];
    const { batches, send, clock, queue } = start((_batch, event) => {
      if (refuse) throw new Throttled('no room');
      counts.push(...event.Records.map(({ attributes }) => attributes.ApproximateReceiveCount));
    });
    send('a1', 'a2');
    await until(() => batches.length === 1);
    refuse = false;
    send('a3');
    clock.advance(29_999);
    expect(batches).toEqual(['a1 a2']);
    clock.advance(1);
    await until(() => queue.counts().waiting + queue.counts().hidden === 0);
    expect([batches, counts]).toEqual([
      ['a1 a2', 'a1 a2 a3'],
      ['2', '2', '1'],
    ]);
  });

  test('a message that is throttled again and again goes where dead letters go', async () => {
    const dead = fifoDefinition('Dead.fifo');
    const live = fifoDefinition('Q.fifo', { redrive: { queueArn: dead.arn, maxReceiveCount: 3 } });
    const { batches, send, clock, queues } = start(
      () => {
        throw new Throttled('no room');
      },
      { definitions: [live, dead] },
    );
    send('a1');
    for (let times = 1; times <= 3; times += 1) {
      await until(() => batches.length === times);
      clock.advance(30_000);
    }
    await until(() => queues.byArn(dead.arn).counts().waiting === 1);
    expect(batches).toHaveLength(3);
  });

  test('a poller that was throttled leaves the queue alone for a second', async () => {
    const { batches, send, clock } = start(
      () => {
        throw new Throttled('no room');
      },
      { batchSize: 1 },
    );
    send('a1', 'b1', 'c1', 'd1');
    await until(() => batches.length === 2);
    await new Promise((resolve) => setImmediate(resolve));
    clock.advance(999);
    await new Promise((resolve) => setImmediate(resolve));
    expect(batches).toEqual(['a1', 'b1']);
    clock.advance(1);
    await until(() => batches.length === 4);
  });

  test('a function that throws fails the whole batch; a back-off says when it comes back', async () => {
    let failures = 2;
    const { batches, send, clock } = start(
      () => {
        failures -= 1;
        if (failures >= 0) throw new Error('not now');
      },
      { backOff: (retry) => retry * 10 },
    );
    send('a1');
    await until(() => batches.length === 1);
    await new Promise((resolve) => setImmediate(resolve));
    clock.advance(10);
    await until(() => batches.length === 2);
    await new Promise((resolve) => setImmediate(resolve));
    clock.advance(19);
    expect(batches).toHaveLength(2);
    clock.advance(1);
    await until(() => batches.length === 3);
  });
});
