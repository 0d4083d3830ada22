import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { WebSocketServer } from 'ws';

/**
 * The reference: a bare `ws` server that answers every message with one constant reply of the size and form of FeatBit's
 * benchmark data set. It prints its port.
 */
const flag = { id: 'returns-true', variationType: 'boolean', variation: 'true', matchReason: 'x'.repeat(265) };
const data = { eventType: 'full', userKeyId: 'anybody', featureFlags: Array.from({ length: 5 }, () => flag) };
const reply = JSON.stringify({ messageType: 'data-sync', data });

const server = createServer();
const sockets = new WebSocketServer({ server, perMessageDeflate: false, clientTracking: false });
sockets.on('connection', (socket) => {
  socket.on('message', () => socket.send(reply));
  socket.on('error', () => {});
});
server.listen({ host: '0.0.0.0', port: 0, backlog: 4_096 }, () => {
  console.log(JSON.stringify({ message: 'listening', port: (server.address() as AddressInfo).port }));
});
