import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/*
 * The references: a bare `ws` server on Node and a bare server of Bun's, which answer every message with one constant reply
 * of the size and form of FeatBit's benchmark data set. What runs it says which of them it is; it prints its port.
 */
const flag = { id: 'returns-true', variationType: 'boolean', variation: 'true', matchReason: 'x'.repeat(265) };
const data = { eventType: 'full', userKeyId: 'anybody', featureFlags: Array.from({ length: 5 }, () => flag) };
const reply = JSON.stringify({ messageType: 'data-sync', data });

const port = 'bun' in process.versions ? serveByBun() : await serveByWs();
console.log(JSON.stringify({ message: 'listening', port }));

function serveByBun(): number | undefined {
  const { port } = Bun.serve({
    port: 0,
    fetch: (request, server) => (server.upgrade(request) ? undefined : new Response(null, { status: 400 })),
    websocket: { message: (socket) => void socket.sendText(reply) },
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
