import { Agent, request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { WebSocket } from 'ws';
import { type EchoServer, startEchoServer } from './testing/echoServer.ts';
import { RawClient, upgradeRequest } from './testing/rawClient.ts';

let server: EchoServer;
const clients: RawClient[] = [];

beforeEach(async () => {
  server = await startEchoServer('net');
});
afterEach(() => {
  for (const { socket } of clients.splice(0)) socket.destroy();
  server.stop();
});

function connect(): RawClient {
  const client = new RawClient(server.port);
  clients.push(client);
  return client;
}

describe('what is no plain request for a WebSocket is served as if nobody had looked', () => {
  test.each([0, 1, 1_000, 5_000_000])('a body of %i bytes', async (length) => {
    const body = 'x'.repeat(length);
    const response = await fetch(`http://127.0.0.1:${server.port}/`, { method: 'POST', body });
    expect(await response.text()).toBe(body);
  });

  test('several requests on one connection', async () => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    for (let n = 0; n < 5; n++) {
      const text = await new Promise<string>((resolve, reject) => {
        const sent = request({ port: server.port, host: '127.0.0.1', method: 'POST', agent }, (response) => {
          let all = '';
          response.on('data', (data) => {
            all += data;
          });
          response.on('end', () => resolve(all));
        });
        sent.on('error', reject);
        sent.end(`body ${n}`);
      });
      expect(text).toBe(`body ${n}`);
    }
    agent.destroy();
  });

  test('requests one after another without waiting', async () => {
    const client = connect();
    const post = (body: string) => `POST / HTTP/1.1\r\nHost: a\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
    client.write(post('first') + post('second'));
    client.write(post('third'));
    await client.until((text) => text.includes('third'));
    expect(client.text.match(/first|second|third/g)).toEqual(['first', 'second', 'third']);
  });

  test('a request that comes byte by byte, WebSocket or not', async () => {
    for (const [text, answer] of [
      ['GET / HTTP/1.1\r\nHost: a\r\n\r\n', '200 OK'],
      [upgradeRequest(), '101 Switching Protocols'],
    ]) {
      const client = connect();
      for (const letter of text ?? '') {
        client.write(letter);
        await new Promise((resolve) => setImmediate(resolve));
      }
      await client.until((all) => all.includes('\r\n\r\n'));
      expect(client.text).toMatch(new RegExp(`^HTTP/1.1 ${answer}`));
    }
  });

  test('a WebSocket with a subprotocol, and one that is not taken', async () => {
    const cases: [string, string[]][] = [
      ['/', ['chat']],
      ['/http', []],
    ];
    for (const [path, protocols] of cases) {
      const socket = new WebSocket(`ws://127.0.0.1:${server.port}${path}`, protocols);
      await new Promise((resolve) => socket.on('open', resolve));
      socket.send('hello');
      expect(await new Promise((resolve) => socket.on('message', (data) => resolve(String(data))))).toBe('hello');
      socket.terminate();
    }
  });

  test.each([
    ['nonsense', 'nonsense\r\n\r\n', '400'],
    ['a handshake with a wrong version', upgradeRequest().replace('13', '99'), '400'],
    ['a head over 16 KB', upgradeRequest('/', [`x: ${'y'.repeat(20_000)}`]), '431'],
  ])('%s', async (_, text, status) => {
    const client = connect();
    client.write(text);
    await client.until((all) => all.includes('\r\n\r\n'));
    expect(client.text).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
  });
});

describe('who says nothing', () => {
  test('is told so by the HTTP server in its time', async () => {
    const client = connect();
    await client.ended;
    expect(client.text).toMatch(/^HTTP\/1.1 408 /);
  });

  test('and then begins is served', async () => {
    const client = connect();
    await sleep(1_300);
    client.write(upgradeRequest());
    await client.until((text) => text.includes('\r\n\r\n'));
    expect(client.text).toMatch(/^HTTP\/1.1 101 /);
  });

  test('and ends, or breaks off, is gone', async () => {
    const [ending, breaking] = [connect(), connect()];
    ending.socket.end();
    await ending.ended;
    breaking.socket.resetAndDestroy();
    const alive = connect();
    alive.write(upgradeRequest());
    await alive.until((text) => text.includes('101'));
  });
});
