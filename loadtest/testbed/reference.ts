import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { answerRequests } from '../../dev/support/ipc.ts';

/*
 * The references: a bare `ws` server on Node and a bare server of Bun's, which answer every message with one constant reply
 * of the size and form of FeatBit's benchmark data set. What runs it says which of them it is; it prints its port. The one
 * of Bun's sends a change to all of its connections on request over IPC.
 */
const flag = { id: 'returns-true', variationType: 'boolean', variation: 'true', matchReason: 'x'.repeat(265) };
const data = { eventType: 'full', userKeyId: 'anybody', featureFlags: Array.from({ length: 5 }, () => flag) };
const reply = JSON.stringify({ messageType: 'data-sync', data });

const port = 'bun' in process.versions ? serveByBun() : await serveByWs();
console.log(JSON.stringify({ message: 'listening', port }));

function serveByBun(): number | undefined {
  const sockets = new Set<Bun.ServerWebSocket>();
  answerRequests({
    push: (timestamp: number) => {
      const change = { eventType: 'patch', userKeyId: 'anybody', featureFlags: [{ ...flag, timestamp }] };
      const text = JSON.stringify({ messageType: 'data-sync', data: change });
      for (const socket of sockets) socket.sendText(text);
    },
  });
  const { port } = Bun.serve({
    port: 0,
    fetch: (request, server) => (server.upgrade(request) ? undefined : new Response(null, { status: 400 })),
    websocket: {
      open: (socket) => void sockets.add(socket),
      message: (socket) => void socket.sendText(reply),
      close: (socket) => void sockets.delete(socket),
    },
  });
  return port;
}

async function serveByWs(): Promise<number> {
  const { WebSocketServer } = await import('ws');
  const server = createServer();
  const sockets = new WebSocketServer({ server, perMessageDeflate: false, clientTracking: false });
  sockets.on('connection', (socket) => {
    socket.on('message', () => socket.send(reply));
    socket.on('error', () => {});
  });
  await new Promise<void>((resolve) => server.listen({ host: '0.0.0.0', port: 0, backlog: 4_096 }, resolve));
  return (server.address() as AddressInfo).port;
}
