import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { type WebSocket, WebSocketServer } from 'ws';
import { deliver } from './deliver.ts';
import type { Visit } from './visits.ts';

const ANSWER_TIMEOUT_MS = 3_000;

/** A server that does to WebSockets and requests what a test says. */
let server: Server;
let onMessage: (socket: WebSocket, text: string) => void;
let answer: { readonly status: number; readonly body: string };
beforeEach(async () => {
  server = createServer((_, response) => {
    response.writeHead(answer.status, { 'content-type': 'application/json' }).end(answer.body);
  });
  const sockets = new WebSocketServer({ server });
  sockets.on('connection', (socket) => {
    socket.on('message', (data) => onMessage(socket, String(data))).on('error', () => {});
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
});
afterEach(() => {
  server.close();
  server.closeAllConnections();
});

const pay = (visit: Visit) => deliver((server.address() as AddressInfo).port, visit, ANSWER_TIMEOUT_MS);
const messages: Visit = { number: 1, kind: 'messages', inputs: 1, path: '/streaming', messages: ['{"x":1}'] };
const request = { method: 'GET', path: '/', headers: {}, body: Buffer.alloc(0) };

describe('a visit', () => {
  test('finds nothing where echoes come back', async () => {
    onMessage = (socket, text) => text.includes('echo') && socket.send(text);
    expect(await pay(messages)).toBeUndefined();
    expect(await pay({ ...messages, kind: 'unread', messages: ['a'], connections: 2 })).toBeUndefined();
  });

  test.each<[string, typeof onMessage, string]>([
    ['text that is no JSON', (socket) => socket.send('oops'), 'no JSON'],
    ['a binary message', (socket) => socket.send(Buffer.from('{}')), 'binary'],
    ['a close with 1000', (socket) => socket.close(1000), 'closed with 1000'],
    ['silence', () => {}, 'silent'],
  ])('finds %s', async (_, does, problem) => {
    onMessage = does;
    expect(await pay(messages)).toContain(problem);
  });

  test('accepts a close with another status', async () => {
    onMessage = (socket) => socket.close(1008);
    expect(await pay(messages)).toBeUndefined();
  });

  test('finds a refused valid handshake', async () => {
    server.removeAllListeners('upgrade').on('upgrade', (_, socket) => socket.end('HTTP/1.1 403 Forbidden\r\n\r\n'));
    expect(await pay(messages)).toBe('a valid handshake is refused: Unexpected server response: 403');
  });

  test.each([
    [200, '{}', undefined],
    [500, '{}', 'a request is answered 500'],
  ])('checks a response: %d', async (status, body, problem) => {
    answer = { status, body };
    expect(await pay({ number: 1, kind: 'http', inputs: 1, request })).toBe(problem);
    expect(await pay({ number: 1, kind: 'upload', inputs: 1, request: { ...request, method: 'POST' } })).toBe(problem);
  });

  test('accepts any answer but a failure for an odd handshake', async () => {
    expect(
      await pay({ number: 1, kind: 'handshake', inputs: 1, path: '/streaming?type=client&token=x' }),
    ).toBeUndefined();
    server
      .removeAllListeners('upgrade')
      .on('upgrade', (_, socket) => socket.end('HTTP/1.1 502 Bad Gateway\r\nContent-Length: 0\r\n\r\n'));
    expect(await pay({ number: 1, kind: 'handshake', inputs: 1, path: '/' })).toBe('a request is answered 502');
  });
});
