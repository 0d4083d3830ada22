import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { answerRequests } from '../../dev/support/ipc.ts';

/** The posts that a simulated `@connections` received since the last query. */
export interface ReceivedCounts {
  readonly messages: number;
  readonly bytes: number;
}

let counts: ReceivedCounts = { messages: 0, bytes: 0 };

/* Plays `@connections`: takes every message. */
const server = createServer((request, response) => {
  request.on('data', (chunk: Buffer) => {
    counts = { ...counts, bytes: counts.bytes + chunk.length };
  });
  request.on('end', () => {
    counts = { ...counts, messages: counts.messages + 1 };
    response.end();
  });
});
server.keepAliveTimeout = 60_000;
server.listen(0, '127.0.0.1', () => {
  console.log(JSON.stringify({ message: 'listening', port: (server.address() as AddressInfo).port }));
});

const requests = {
  received: (_: null): ReceivedCounts => {
    const received = counts;
    counts = { messages: 0, bytes: 0 };
    return received;
  },
};
export type ConnectionsRequests = typeof requests;
answerRequests(requests);
