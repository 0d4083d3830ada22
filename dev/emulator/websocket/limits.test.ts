import { connect } from 'node:net';
import { afterEach, describe, expect, test } from '@jest/globals';
import { connectClient, startTestGateway, type TestGateway } from '../testing/gateway.ts';
import { whenReceived } from '../testing/handlers/received.ts';
import { type ManualClock, manualClock } from '../testing/manualClock.ts';

let gateway: TestGateway;
afterEach(() => gateway.close());

async function start(): Promise<ManualClock> {
  const clock = manualClock();
  gateway = await startTestGateway({ clock });
  return clock;
}

const open = () => connectClient(`${gateway.streamingUrl}?token=good`);
const minutes = (count: number) => count * 60_000;

/** The `$disconnect` event of the only connection there is. */
async function disconnection(): Promise<unknown> {
  const id = [...gateway.webSocket.connections.keys()][0];
  const [event] = await whenReceived<{ requestContext: Record<string, unknown> }>(
    'disconnect',
    1,
    ({ requestContext }) => requestContext['connectionId'] === id,
  );
  return [event?.requestContext['disconnectStatusCode'], event?.requestContext['disconnectReason']];
}

describe('WebSocket quotas', () => {
  test('a frame above 32 KB closes with 1009 and is never handled', async () => {
    await start();
    const client = await open();
    const told = disconnection();
    client.socket.send(JSON.stringify({ messageType: 'echo', data: 'x'.repeat(32 * 1024) }));
    expect((await client.closed).code).toBe(1009);
    expect(await told).toEqual([1009, 'Message too long']);
    expect(gateway.log).toEqual([]);
  });

  test('a message of exactly 32 KB in one frame passes', async () => {
    await start();
    const client = await open();
    const shell = JSON.stringify({ messageType: 'echo', data: '' });
    client.socket.send(JSON.stringify({ messageType: 'echo', data: 'x'.repeat(32 * 1024 - shell.length) }));
    expect(await client.next()).toContain('xxx');
  });

  test('a fragmented message passes up to 128 KB and closes with 1009 above', async () => {
    await start();
    const client = await open();
    const sendFragmented = (bytes: number) => {
      const shell = JSON.stringify({ messageType: 'silent', data: '' });
      const text = JSON.stringify({ messageType: 'silent', data: 'x'.repeat(bytes - shell.length) });
      for (let at = 0; at < text.length; at += 16 * 1024) {
        client.socket.send(text.slice(at, at + 16 * 1024), { fin: at + 16 * 1024 >= text.length });
      }
    };
    sendFragmented(128 * 1024);
    client.socket.send('{"messageType":"ping"}');
    expect(await client.next()).toContain('pong');
    const told = disconnection();
    sendFragmented(128 * 1024 + 1);
    expect((await client.closed).code).toBe(1009);
    expect(await told).toEqual([1009, expect.any(String)]);
  });

  test('a binary frame closes with 1003', async () => {
    await start();
    const client = await open();
    client.socket.send(Buffer.from('{"messageType":"ping"}'));
    expect((await client.closed).code).toBe(1003);
  });

  test('ten minutes without a message close with 1001; a message puts it off, a protocol ping does not', async () => {
    const clock = await start();
    const client = await open();
    clock.advance(minutes(9));
    client.socket.send('{"messageType":"ping"}');
    await client.next();
    clock.advance(minutes(9));
    const pong = new Promise((resolve) => client.socket.once('pong', resolve));
    client.socket.ping();
    await pong;
    expect(client.socket.readyState).toBe(client.socket.OPEN);
    const told = disconnection();
    clock.advance(minutes(1));
    expect(await client.closed).toEqual({ code: 1001, reason: 'Going away' });
    expect(await told).toEqual([1001, 'Going away']);
  });

  test('two hours close with 1001, however lively the connection', async () => {
    const clock = await start();
    const client = await open();
    for (let i = 0; i < 23; i += 1) {
      clock.advance(minutes(5));
      client.socket.send('{"messageType":"ping"}');
      await client.next();
    }
    clock.advance(minutes(5));
    expect((await client.closed).code).toBe(1001);
  });

  test('a close without a status, and one without a closing handshake, are told as AWS tells them', async () => {
    await start();
    const polite = await open();
    let told = disconnection();
    polite.socket.close();
    expect(await told).toEqual([1005, 'Client-side close frame status not set']);
    const rude = await open();
    told = disconnection();
    rude.socket.terminate();
    expect(await told).toEqual([1006, 'Connection closed abnormally']);
  });

  test('closing the gateway says 1001, never 1000, and runs $disconnect', async () => {
    await start();
    const client = await open();
    const told = disconnection();
    await gateway.close();
    expect((await client.closed).code).toBe(1001);
    expect(await told).toEqual([1001, 'Going away']);
  });
});

describe('hostile clients', () => {
  test.each([
    ['rubbish instead of HTTP', 'rubbish\r\n\r\n'],
    ['an upgrade to nowhere', 'GET / HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n'],
    [
      'an upgrade without a key',
      'GET /streaming?token=good HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n',
    ],
    ['a broken percent-encoding', 'GET /%zz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n'],
  ])('%s is answered with an error and harms nobody', async (_name, text) => {
    await start();
    const neighbour = await open();
    const answer = await new Promise<string>((resolve) => {
      const socket = connect(Number(new URL(gateway.url).port), '127.0.0.1', () => socket.write(text));
      let heard = '';
      socket.on('data', (chunk: Buffer) => {
        heard += chunk.toString();
      });
      socket.on('close', () => resolve(heard));
    });
    expect(answer).toMatch(/^HTTP\/1\.1 4\d\d /);
    neighbour.socket.send('{"messageType":"ping"}');
    expect(await neighbour.next()).toContain('pong');
  });

  test('broken frames close only their own connection', async () => {
    await start();
    const neighbour = await open();
    const key = 'dGhlIHNhbXBsZSBub25jZQ==';
    const closed = new Promise<void>((resolve) => {
      const socket = connect(Number(new URL(gateway.url).port), '127.0.0.1', () => {
        socket.write(
          'GET /streaming?token=good HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n' +
            `Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: ${key}\r\n\r\n`,
        );
      });
      // An unmasked frame with reserved bits: forbidden twice.
      socket.once('data', () => socket.write(Buffer.from([0xf1, 0x05, 1, 2, 3, 4, 5])));
      socket.on('close', () => resolve());
      socket.on('data', () => {});
      socket.on('end', () => socket.end());
    });
    await closed;
    neighbour.socket.send('{"messageType":"ping"}');
    expect(await neighbour.next()).toContain('pong');
  });

  test('a client that sends without reading is paused, not buffered without end', async () => {
    await start();
    const client = await open();
    client.socket.pause();
    for (let i = 0; i < 20_000; i += 1) client.socket.send(`{"messageType":"echo","data":"${'x'.repeat(1000)}"}`);
    const neighbour = await open();
    neighbour.socket.send('{"messageType":"ping"}');
    expect(await neighbour.next()).toContain('pong');
    client.socket.terminate();
  });
});
