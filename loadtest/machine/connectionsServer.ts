import { readFileSync } from 'node:fs';
import { createServer, type RequestListener } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { answerRequests } from '../../dev/support/ipc.ts';

/** What a played `@connections` was sent since it was last asked. */
export interface ReceivedCounts {
  readonly messages: number;
  readonly bytes: number;
  /** Connections that were sent one, or more. */
  readonly connections: number;
  /** From the first message to the last, in milliseconds. */
  readonly spanMs: number;
}

const [, , latencyMs = '0', keyFile, certificateFile] = process.argv;
let counts = new Map<string, number>();
let bytes = 0;
let firstAt = 0;
let lastAt = 0;

/* Plays `@connections`, over TLS where it is given a key: takes every message, and answers it after the latency. */
const take: RequestListener = (request, response) => {
  const id = request.url ?? '';
  request.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
  });
  request.on('end', () => {
    lastAt = performance.now();
    if (counts.size === 0) firstAt = lastAt;
    counts.set(id, (counts.get(id) ?? 0) + 1);
    if (latencyMs === '0') response.end();
    else setTimeout(() => response.end(), Number(latencyMs));
  });
};
const server =
  keyFile && certificateFile
    ? createTlsServer({ key: readFileSync(keyFile), cert: readFileSync(certificateFile) }, take)
    : createServer(take);
server.keepAliveTimeout = 60_000;
server.listen(0, '127.0.0.1', () => {
  console.log(JSON.stringify({ message: 'listening', port: (server.address() as AddressInfo).port }));
});

const requests = {
  received: (_: null): ReceivedCounts => {
    const messages = [...counts.values()].reduce((sum, count) => sum + count, 0);
    const received = { messages, bytes, connections: counts.size, spanMs: lastAt - firstAt };
    counts = new Map();
    [bytes, firstAt, lastAt] = [0, 0, 0];
    return received;
  },
};
export type ConnectionsRequests = typeof requests;
answerRequests(requests);
