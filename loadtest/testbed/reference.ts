import { answerRequests } from '../../dev/support/ipc.ts';
import { PONG } from '../../shared/protocol/message.ts';

/*
 * The reference: a bare server of Bun's, which answers pings, and every other message with one constant reply of the size and form of
 * FeatBit's benchmark data set. It answers HTTP requests as OFREP does, for all of FLAGS flags or for one, with constants. It prints
 * its port, and sends a change to all of its connections on request over IPC.
 */
const flag = { id: 'returns-true', variationType: 'boolean', variation: 'true', matchReason: 'x'.repeat(265) };
const data = { eventType: 'full', userKeyId: 'anybody', featureFlags: Array.from({ length: 5 }, () => flag) };
const reply = JSON.stringify({ messageType: 'data-sync', data });

const PING_LENGTH = '{"messageType":"ping","data":null}'.length;

const evaluation = { key: 'returns-true', value: true, variant: 'true', reason: 'TARGETING_MATCH' };
const one = JSON.stringify(evaluation);
const all = JSON.stringify({
  flags: Array.from({ length: Number(process.env['FLAGS'] ?? 5) }, (_, n) => ({ ...evaluation, key: `flag-${n}` })),
});
const answerTo = (path: string) => (path.endsWith('/flags') ? all : one);
const JSON_TYPE = { 'content-type': 'application/json' };

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
  fetch: (request, server) =>
    server.upgrade(request) ? undefined : new Response(answerTo(request.url), { headers: JSON_TYPE }),
  websocket: {
    open: (socket) => void sockets.add(socket),
    message: (socket, message) => void socket.sendText(message.length === PING_LENGTH ? PONG : reply),
    close: (socket) => void sockets.delete(socket),
  },
});
console.log(JSON.stringify({ message: 'listening', port }));
