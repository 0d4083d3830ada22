import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { performance } from 'node:perf_hooks';

/*
 * Plays `@connections` in a process of its own: takes a post, and answers it so many milliseconds later (the argument). Tells its
 * parent the port, and, when that sends a message, what came since: how many posts and bytes, and the time from first to last.
 */
const latencyMs = Number(process.argv[2]);
let posts = 0;
let bytes = 0;
let firstAt = 0;
let lastAt = 0;

const server = createServer((request, response) => {
  request.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
  });
  request.on('end', () => {
    lastAt = performance.now();
    if (posts++ === 0) firstAt = lastAt;
    setTimeout(() => response.end(), latencyMs);
  });
});
server.listen(0, '127.0.0.1', () => process.send?.((server.address() as AddressInfo).port));
process.on('message', () => {
  process.send?.({ posts, bytes, windowMs: lastAt - firstAt });
  [posts, bytes, firstAt, lastAt] = [0, 0, 0, 0];
});
