import { writeSync } from 'node:fs';
import { systemClock } from '../clock.ts';
import { openQueue } from '../queues/queue.ts';
import { fifoDefinition } from './queueDefinition.ts';

// Run as a process of its own: sends numbered messages until it is killed, telling each one that was taken.
const queue = openQueue(fifoDefinition('Q.fifo'), { clock: systemClock, path: process.argv[2] ?? '' });
for (let i = 0; ; i += 1) {
  queue.send({ body: String(i), groupId: 'g', deduplicationId: String(i) });
  writeSync(1, `${i}\n`);
}
