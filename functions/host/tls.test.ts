import { once } from 'node:events';
import { copyFileSync, cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { connect } from 'node:tls';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { Hono } from 'hono';
import { listen } from './server/listen.ts';
import { readTls, watchTls } from './server/tlsFiles.ts';
import { textFrame } from './testing/clientFrames.ts';
import { unlimitedBudgets } from './testing/echoServer.ts';
import { upgradeRequest } from './testing/rawClient.ts';

let directory: string;
let failures: string[];
let server: Awaited<ReturnType<typeof listen>>;
/** Checks the files, as it does every ten seconds. */
let look: () => void;

beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), 'flagwire-tls-'));
  cpSync(join(import.meta.dirname, 'testing/tls'), directory, { recursive: true });
});
afterAll(() => rmSync(directory, { recursive: true }));

beforeEach(async () => {
  failures = [];
  use('first');
  const timers = jest.spyOn(globalThis, 'setInterval');
  server = await listen({
    config: {
      host: '127.0.0.1',
      port: 0,
      reusePort: false,
      compressMessages: true,
      headersTimeoutMs: 10_000,
      unreadTimeoutMs: 30_000,
      tls: { cert: file('used', 'crt'), key: file('used', 'key') },
    },
    portSetting: 'PORT',
    app: new Hono().get('/a', (context) => context.text('answered')),
    onOpen: (transport) => ({
      onMessage: (text) => transport.send(text),
      onControl: () => {},
      onDrain: () => {},
      onClose: () => {},
    }),
    budgets: unlimitedBudgets(),
    isUnavailable: () => false,
    onFailed: (error) => failures.push((error as Error).message),
  });
  look = timers.mock.lastCall?.[0] as () => void;
});
afterEach(() => {
  jest.restoreAllMocks();
  server.close();
  server.endAll();
});

const file = (name: string, type: 'crt' | 'key') => join(directory, `${name}.${type}`);

/** Writes a certificate, or a part of it, to the server's files. */
function use(name: string, types: readonly ('crt' | 'key')[] = ['crt', 'key']): void {
  for (const type of types) copyFileSync(file(name, type), file('used', type));
}

/** Connects with one trusted certificate, and sends a message. */
async function say(text: string | Buffer, trusted = 'first') {
  const socket = connect({ port: server.port, host: '127.0.0.1', ca: readFileSync(file(trusted, 'crt')) });
  const said = { socket, answer: '' };
  socket.setEncoding('latin1').on('data', (chunk: string) => {
    said.answer += chunk;
  });
  socket.on('error', () => {});
  await once(socket, 'secureConnect');
  socket.write(text);
  return said;
}

const get = 'GET /a HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n';
const protocolOf = async (trusted: string) => {
  const { socket } = await say(get, trusted);
  const protocol = socket.getProtocol();
  socket.destroy();
  return protocol;
};
describe('a port with a certificate', () => {
  test('answers over TLS 1.3, HTTP and WebSockets', async () => {
    const http = await say(get);
    await once(http.socket, 'close');
    expect(http.answer).toMatch(/^HTTP\/1.1 200 OK\r\n[\s\S]*answered/);
    const webSocket = await say(Buffer.concat([Buffer.from(upgradeRequest()), textFrame('echo me')]));
    while (!webSocket.answer.endsWith('echo me')) await sleep(5);
    webSocket.socket.destroy();
    expect(await protocolOf('first')).toBe('TLSv1.3');
  });

  test('uses another one once both files are there, and keeps the connections it has', async () => {
    const open = await say(upgradeRequest());
    while (!open.answer.includes('\r\n\r\n')) await sleep(5);
    use('second', ['crt']);
    look();
    expect(failures).toEqual([expect.stringContaining('does not match the certificate in')]);
    expect(await protocolOf('first')).toBe('TLSv1.3');
    use('second', ['key']);
    look();
    expect(await protocolOf('second')).toBe('TLSv1.3');
    await expect(protocolOf('first')).rejects.toThrow(/self.signed/);
    open.socket.write(textFrame('still here'));
    while (!open.answer.endsWith('still here')) await sleep(5);
    open.socket.destroy();
  });
});

test('a change is what either of the files holds, told of once', () => {
  use('first');
  const paths = { cert: file('used', 'crt'), key: file('used', 'key') };
  const timers = jest.spyOn(globalThis, 'setInterval');
  const cleared = jest.spyOn(globalThis, 'clearInterval');
  const changes: string[] = [];
  const end = watchTls(
    paths,
    readTls(paths),
    ({ cert, key }) => changes.push(cert + key),
    (error) => {
      throw error;
    },
  );
  const look = timers.mock.lastCall?.[0] as () => void;
  const timesTold = [0, 1, 1, 2, 2].map((_, step) => {
    if (step === 1) writeFileSync(paths.cert, `${readFileSync(paths.cert, 'utf8')}\n`);
    if (step === 3) writeFileSync(paths.key, `${readFileSync(paths.key, 'utf8')}\n`);
    look();
    return changes.length;
  });
  expect(timesTold).toEqual([0, 1, 1, 2, 2]);
  end();
  expect(cleared.mock.calls).toContainEqual([timers.mock.results.at(-1)?.value]);
});

test('files that cannot be used are named', () => {
  writeFileSync(file('none', 'crt'), 'no certificate');
  const read = (cert: string, key: string) => () => readTls({ cert: file(cert, 'crt'), key: file(key, 'key') });
  expect(read('missing', 'first')).toThrow(`TLS_CERT=${file('missing', 'crt')} cannot be read: ENOENT`);
  expect(read('none', 'first')).toThrow('are not a certificate and a key in PEM format');
  expect(read('first', 'missing')).toThrow(`TLS_KEY=${file('missing', 'key')} cannot be read: ENOENT`);
  expect(read('first', 'second')).toThrow('does not match the certificate in');
});
