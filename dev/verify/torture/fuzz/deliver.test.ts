import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { type WebSocket, WebSocketServer } from 'ws';
import { deliver } from './deliver.ts';
import { textFrame } from './frames.ts';
import { soundHandshake } from './handshakes.ts';
import type { Visit } from './visits.ts';

const keys = { clientKey: 'c', serverKey: 's', token: () => 't' };
const mask = Buffer.from([1, 2, 3, 4]);
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

const visit = (kind: Visit['kind'], pieces: Visit['pieces'], isOpened = true): Visit => ({
  number: 1,
  kind,
  inputs: 1,
  pieces,
  ...(isOpened ? { opening: soundHandshake(keys, 'client') } : {}),
});
const pay = (what: Visit) => deliver((server.address() as AddressInfo).port, what, ANSWER_TIMEOUT_MS);
const messages = visit('messages', [textFrame('{"x":1}', mask)]);
const request = visit('http', [Buffer.from('GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n')], false);

describe('a visit', () => {
  test('finds nothing where echoes come back', async () => {
    onMessage = (socket, text) => text.includes('echo') && socket.send(text);
    expect(await pay(messages)).toBeUndefined();
  });

  test.each<[string, typeof onMessage, string]>([
    ['text that is no JSON', (socket) => socket.send('oops'), 'no JSON'],
    ['a close with 1000', (socket) => socket.close(1000), 'closed with 1000'],
    ['silence', () => {}, 'silent'],
  ])('finds %s', async (_, does, problem) => {
    onMessage = does;
    expect(await pay(messages)).toContain(problem);
  });

  test('finds a refused valid handshake', async () => {
    server.removeAllListeners('upgrade').on('upgrade', (_, socket) => socket.end('HTTP/1.1 403 Forbidden\r\n\r\n'));
    expect(await pay(messages)).toBe('a valid handshake is answered 403');
  });

  test('takes silence for no fault where a frame may not be whole', async () => {
    onMessage = () => {};
    expect(await pay(visit('frames', [Buffer.from([0x81, 0x80 | 125])]))).toBeUndefined();
  });

  test.each([
    [200, '{}', undefined],
    [500, '{}', 'a request is answered 500'],
  ])('looks at a response: %d', async (status, body, problem) => {
    answer = { status, body };
    expect(await pay(request)).toBe(problem);
  });
});
