import { randomUUID } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { manualClock } from '../testing/manualClock.ts';
import { fifoDefinition, queueDefinition } from '../testing/queueDefinition.ts';
import type { QueueDefinition } from './definition.ts';
import { createQueues, Queue } from './queue.ts';

function open(definition: QueueDefinition) {
  const clock = manualClock();
  return { clock, queue: new Queue(definition, clock) };
}

const send = (queue: Queue, groupId: string, body: string, deduplicationId: string = randomUUID()) =>
  queue.send({ body, groupId, deduplicationId });
/** Sends messages, each in the group that its first letter names. */
const sendAll = (queue: Queue, ...texts: string[]) => {
  for (const text of texts) send(queue, text[0] ?? '', text);
};
const bodies = (messages: readonly { body: string }[]) => messages.map(({ body }) => body);

describe('a FIFO queue', () => {
  test('keeps order within a group, and holds the group back while one of it is out', () => {
    const { queue } = open(fifoDefinition('Q.fifo'));
    sendAll(queue, 'a1', 'b1', 'a2', 'a3', 'b2');
    const [a1] = queue.receive(1);
    expect(a1?.body).toBe('a1');
    const [b1] = queue.receive(1);
    expect(b1?.body).toBe('b1');
    expect(queue.receive(10)).toEqual([]);
    queue.delete(a1?.receiptHandle ?? '');
    expect(bodies(queue.receive(10))).toEqual(['a2', 'a3']);
    queue.delete(b1?.receiptHandle ?? '');
    expect(bodies(queue.receive(10))).toEqual(['b2']);
  });

  test('hands out as many messages of one group as it can, and others only to fill up', () => {
    const { queue } = open(fifoDefinition('Q.fifo'));
    sendAll(queue, 'a1', 'b1', 'c1', 'b2', 'a2', 'c2', 'a3', 'b3');
    expect(bodies(queue.receive(2))).toEqual(['a1', 'a2']);
    expect(bodies(queue.receive(10))).toEqual(['b1', 'b2', 'b3', 'c1', 'c2']);
  });

  test('fills up with a part of a group, and keeps the rest of it back until that part is done', () => {
    const { queue } = open(fifoDefinition('Q.fifo'));
    sendAll(queue, ...Array.from({ length: 8 }, (_, n) => `a${n}`), 'b0', 'b1', 'b2', 'b3', 'b4', 'c0');
    const first = queue.receive(10);
    expect(bodies(first)).toEqual(['a0', 'a1', 'a2', 'a3', 'a4', 'a5', 'a6', 'a7', 'b0', 'b1']);
    expect(bodies(queue.receive(10))).toEqual(['c0']);
    queue.delete(first[8]?.receiptHandle ?? '');
    expect(queue.receive(10)).toEqual([]);
    queue.delete(first[9]?.receiptHandle ?? '');
    expect(bodies(queue.receive(10))).toEqual(['b2', 'b3', 'b4']);
  });

  test('a handle is good no longer than its message is hidden', () => {
    const { queue, clock } = open(fifoDefinition('Q.fifo'));
    sendAll(queue, 'a1', 'a2');
    const [late] = queue.receive(10);
    clock.advance(30_000);
    queue.delete(late?.receiptHandle ?? '');
    queue.changeVisibility(late?.receiptHandle ?? '', 60_000);
    expect(queue.receive(10).map(({ body, receiveCount }) => [body, receiveCount])).toEqual([
      ['a1', 2],
      ['a2', 2],
    ]);
  });

  test('takes as many receives as there are full groups, each free for the next when it is done', () => {
    const { queue } = open(fifoDefinition('Q.fifo'));
    const groups = Array.from({ length: 16 }, (_, n) => String.fromCharCode('a'.charCodeAt(0) + n));
    for (let n = 0; n < 10; n++) sendAll(queue, ...groups.map((group) => `${group}${n}`));
    for (const group of groups) {
      expect(bodies(queue.receive(10))).toEqual(Array.from({ length: 10 }, (_, n) => `${group}${n}`));
    }
    expect(queue.receive(10)).toEqual([]);
  });

  test('holds a group back while any of it is out, also one behind those that came back', () => {
    const { queue } = open(fifoDefinition('Q.fifo'));
    sendAll(queue, 'a1', 'a2', 'a3', 'b1');
    const [a1] = queue.receive(2);
    queue.changeVisibility(a1?.receiptHandle ?? '', 0);
    expect(bodies(queue.receive(10))).toEqual(['b1']);
  });

  test('brings back one by one, in order and counted, what failed; nothing behind it overtakes it', () => {
    const { queue, clock } = open(fifoDefinition('Q.fifo'));
    sendAll(queue, 'a1', 'b1', 'a2');
    const first = queue.receive(10);
    expect(bodies(first)).toEqual(['a1', 'a2', 'b1']);
    queue.delete(first[2]?.receiptHandle ?? '');
    sendAll(queue, 'a3');
    expect(queue.receive(10)).toEqual([]);
    clock.advance(30_000);
    expect(queue.receive(10).map(({ body, receiveCount }) => [body, receiveCount])).toEqual([
      ['a1', 2],
      ['a2', 2],
      ['a3', 1],
    ]);
  });

  test('brings a group back in order when the visibility timeout is over', () => {
    const { queue, clock } = open(fifoDefinition('Q.fifo'));
    for (const body of ['1', '2', '3']) send(queue, 'g', body);
    const [one] = queue.receive(2);
    queue.delete(one?.receiptHandle ?? '');
    clock.advance(29_999);
    expect(queue.receive(10)).toEqual([]);
    clock.advance(1);
    const again = queue.receive(10);
    expect(again.map(({ body, receiveCount }) => [body, receiveCount])).toEqual([
      ['2', 2],
      ['3', 1],
    ]);
  });

  test('takes a deduplication id once in five minutes, also after the message is gone', () => {
    const { queue, clock } = open(fifoDefinition('Q.fifo'));
    const first = send(queue, 'g', 'x', 'same');
    queue.delete(queue.receive(1)[0]?.receiptHandle ?? '');
    clock.advance(5 * 60_000 - 1);
    expect(send(queue, 'g', 'y', 'same')).toEqual(first);
    expect(send(queue, 'other', 'z', 'same')).not.toEqual(first);
    clock.advance(1);
    send(queue, 'g', 'late', 'same');
    expect(bodies(queue.receive(10))).toEqual(['z', 'late']);
  });

  test('takes a deduplication id of queue scope once for all groups', () => {
    const { queue } = open(fifoDefinition('Q.fifo', { deduplicationScope: 'queue' }));
    send(queue, 'a', 'x', 'same');
    send(queue, 'b', 'x', 'same');
    send(queue, 'b', 'y');
    expect(bodies(queue.receive(10))).toEqual(['x', 'y']);
  });

  test('numbers its messages upwards', () => {
    const { queue } = open(fifoDefinition('Q.fifo'));
    const numbers = ['1', '2', '3'].map((body) => send(queue, body, body).sequenceNumber);
    expect(numbers).toEqual([...numbers].sort());
    expect(numbers[0]).toMatch(/^\d{20}$/);
  });
});

describe('a queue', () => {
  test('a handle from before the message was received again deletes nothing', () => {
    const { queue, clock } = open(queueDefinition('Q'));
    queue.send({ body: 'x' });
    const [stale] = queue.receive(1);
    clock.advance(30_000);
    queue.receive(1);
    queue.delete(stale?.receiptHandle ?? '');
    expect(queue.counts()).toEqual({ waiting: 0, hidden: 1 });
  });

  test('a message is moved to the dead-letter queue after its last receive', () => {
    const clock = manualClock();
    const dead = fifoDefinition('Dead.fifo');
    const live = fifoDefinition('Q.fifo', { redrive: { queueArn: dead.arn, maxReceiveCount: 2 } });
    const queues = createQueues([live, dead], clock);
    const queue = queues.byArn(live.arn);
    send(queue, 'g', 'poison');
    send(queue, 'g', 'next');
    for (let i = 0; i < 2; i += 1) {
      expect(bodies(queue.receive(1))).toEqual(['poison']);
      clock.advance(30_000);
    }
    expect(bodies(queue.receive(1))).toEqual(['next']);
    expect(queues.byArn(dead.arn).receive(1)[0]).toMatchObject({ body: 'poison', groupId: 'g', receiveCount: 1 });
  });

  test.each([
    ['standard', queueDefinition, 0],
    ['FIFO', fifoDefinition, 1],
  ])('a dead letter of a %s queue counts its age from where that kind does', (_kind, define, left) => {
    const clock = manualClock();
    const dead = define('Dead', { retentionMs: 100_000 });
    const live = define('Q', { redrive: { queueArn: dead.arn, maxReceiveCount: 1 } });
    const queues = createQueues([live, dead], clock);
    const queue = queues.byArn(live.arn);
    send(queue, 'g', 'poison');
    clock.advance(60_000);
    queue.receive(1);
    clock.advance(30_000);
    expect(queue.receive(1)).toEqual([]);
    clock.advance(60_000);
    expect(queues.byArn(dead.arn).receive(1)).toHaveLength(left);
  });

  test('a message that nobody takes is gone after the retention period', () => {
    const { queue, clock } = open(queueDefinition('Q', { retentionMs: 60_000 }));
    queue.send({ body: 'x' });
    clock.advance(60_000);
    expect(queue.receive(1)).toEqual([]);
    expect(queue.counts()).toEqual({ waiting: 0, hidden: 0 });
  });

  test('a missing dead-letter queue is named at the start', () => {
    const live = queueDefinition('Q', { redrive: { queueArn: 'arn:nowhere', maxReceiveCount: 2 } });
    expect(() => createQueues([live], manualClock())).toThrow('no queue with ARN "arn:nowhere"');
  });
});
