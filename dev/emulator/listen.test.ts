import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Duplex } from 'node:stream';
import { afterEach, describe, expect, test } from '@jest/globals';
import { freePort } from '../support/freePort.ts';
import { listen, listenAgain } from './listen.ts';
import { refuseUpgrade } from './websocket/refuse.ts';

let stops: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const stop of stops) await stop();
  stops = [];
});

async function listening(host?: string, port = 0) {
  const server = await listen(port, host);
  stops.push(() => server.stop(0));
  return server;
}

describe('a server', () => {
  test.each([
    [undefined, '127.0.0.1'],
    ['0.0.0.0', '127.0.0.1'],
    ['127.0.0.1', '127.0.0.1'],
  ])('at %s is reached by this machine at %s, and refuses everybody until it is opened', async (host, reached) => {
    const { port, authority } = await listening(host);
    expect(authority).toBe(`${reached}:${port}`);
    expect((await fetch(`http://${authority}/`)).status).toBe(503);
  });

  test('has its last port again where that is free, and another where it is not, or is no port', async () => {
    const directory = mkdtempSync(join(tmpdir(), 'flagwire-port-'));
    const file = join(directory, 'port');
    const again = async () => {
      const server = await listenAgain(file);
      stops.push(() => server.stop(0));
      expect(readFileSync(file, 'utf8')).toBe(String(server.port));
      return server;
    };
    // One that systems give to nobody else meanwhile.
    writeFileSync(file, String(await freePort()));
    const first = await again();
    await first.stop(0);
    const second = await again();
    expect(second.port).toBe(first.port);
    expect((await again()).port).not.toBe(first.port);
    for (const text of ['', 'port', '-1', '70000']) {
      writeFileSync(file, text);
      expect((await again()).port).toBeGreaterThan(0);
    }
    rmSync(directory, { recursive: true });
  });

  test('outlives whoever resets the connection of a refused upgrade', async () => {
    const { port, open } = await listening();
    const upgraded = new Promise<Duplex>((resolve) => {
      open((server) => server.on('upgrade', (_, socket) => resolve(socket)));
    });
    const client = connect(port, '127.0.0.1');
    client.write('GET / HTTP/1.1\r\nHost: h\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n');
    const socket = await upgraded;
    refuseUpgrade(socket, 403, '{}');
    await once(client, 'data');
    const closed = new Promise((resolve) => socket.on('close', resolve));
    client.resetAndDestroy();
    await closed;
    expect(socket.destroyed).toBe(true);
  });

  test('names an unavailable address, with the way out', async () => {
    const { port } = await listening();
    await expect(listen(port)).rejects.toThrow(
      `Port ${port} on 127.0.0.1 is already in use; choose another with --port <number>`,
    );
    await expect(listen(0, '203.0.113.1')).rejects.toThrow(
      '203.0.113.1 is not an address of this machine; use 0.0.0.0 for all of them',
    );
  });
});
