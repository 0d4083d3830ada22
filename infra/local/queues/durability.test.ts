import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { manualClock } from '../testing/manualClock.ts';
import { fifoDefinition } from '../testing/queueDefinition.ts';
import { openQueue } from './queue.ts';

// On a busy machine.
jest.setTimeout(30_000);

let directory: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'flagwire-queue-'));
});
afterEach(() => rmSync(directory, { recursive: true }));

const clock = manualClock();
const path = () => join(directory, 'Q.fifo.ndjson');
const open = () => openQueue(fifoDefinition('Q.fifo'), { clock, path: path() });
const send = (queue: ReturnType<typeof open>, body: string) =>
  queue.send({ body, groupId: 'g', deduplicationId: body });

describe('a queue with a journal', () => {
  test('goes on where it was: messages, counts, numbers, deduplication', () => {
    const before = open();
    send(before, 'done');
    const kept = send(before, 'kept');
    before.delete(before.receive(1)[0]?.receiptHandle ?? '');
    before.receive(1);
    before.close();
    const after = open();
    expect(after.counts()).toEqual({ waiting: 1, hidden: 0 });
    expect(send(after, 'done')).toBeDefined();
    expect(send(after, 'kept')).toEqual(kept);
    const fresh = send(after, 'fresh');
    expect(Number(fresh.sequenceNumber)).toBeGreaterThan(Number(kept.sequenceNumber));
    expect(after.receive(10).map(({ body, receiveCount }) => [body, receiveCount])).toEqual([
      ['kept', 2],
      ['fresh', 1],
    ]);
    after.close();
  });

  test('tolerates a half-written last line, and writes on after it', () => {
    const before = open();
    send(before, 'one');
    before.close();
    appendFileSync(path(), '{"op":"send","mess');
    const after = open();
    send(after, 'two');
    after.close();
    const again = open();
    expect(again.receive(10).map(({ body }) => body)).toEqual(['one', 'two']);
    again.close();
  });

  test('names the line of a journal that is damaged in the middle', () => {
    writeFileSync(path(), '{"op":"sequence","value":1}\nrubbish\n{"op":"sequence","value":2}\n');
    expect(open).toThrow('line 2 is not JSON');
  });

  test('stays small however many messages have passed', () => {
    const queue = open();
    send(queue, 'first and still here');
    for (let i = 0; i < 12_000; i += 1) {
      clock.advance(1000);
      queue.send({ body: `${i}`, groupId: `g${i}`, deduplicationId: `${i}` });
      const [message] = queue.receive(2).filter(({ groupId }) => groupId !== 'g');
      queue.delete(message?.receiptHandle ?? '');
    }
    queue.close();
    expect(readFileSync(path(), 'utf8').split('\n').length).toBeLessThan(21_000);
    const after = open();
    expect(after.receive(10).map(({ body }) => body)).toEqual(['first and still here']);
    after.close();
  });

  test('whatever was acknowledged before SIGKILL is there afterwards, in order', async () => {
    const child = spawn(process.execPath, [join(import.meta.dirname, '../testing/queueWriter.ts'), path()], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    let told = '';
    child.stdout.on('data', (chunk: Buffer) => {
      told += chunk.toString();
      if (told.length > 20_000) child.kill('SIGKILL');
    });
    await once(child, 'close');
    const acknowledged = told.split('\n').slice(0, -1);
    const queue = open();
    const bodies: string[] = [];
    for (let batch = queue.receive(10); batch.length > 0; batch = queue.receive(10)) {
      for (const { body, receiptHandle } of batch) {
        bodies.push(body);
        queue.delete(receiptHandle);
      }
    }
    queue.close();
    expect(acknowledged.length).toBeGreaterThan(1000);
    expect(bodies.slice(0, acknowledged.length)).toEqual(acknowledged);
  });
});
