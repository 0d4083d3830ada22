import { readFileSync } from 'node:fs';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';

/** What the played API Gateway was sent since it was last asked. */
export interface Received {
  readonly messages: number;
  /** Connections that were sent one, or more. */
  readonly connections: number;
}

const [, , keyFile = '', certFile = '', latencyMs = ''] = process.argv;
let counts = new Map<string, number>();

/* Plays @connections over TLS: takes every message after the latency, and counts them by connection. */
const server = createServer({ key: readFileSync(keyFile), cert: readFileSync(certFile) }, (request, response) => {
  const id = request.url ?? '';
  request.resume().on('end', () => {
    counts.set(id, (counts.get(id) ?? 0) + 1);
    setTimeout(() => response.end(), Number(latencyMs));
  });
});
server.keepAliveTimeout = 60_000;
server.listen(0, '127.0.0.1', () => process.send?.((server.address() as AddressInfo).port));

process.on('message', () => {
  const messages = [...counts.values()].reduce((sum, count) => sum + count, 0);
  process.send?.({ messages, connections: counts.size } satisfies Received);
  counts = new Map();
});
process.on('disconnect', () => process.exit());
