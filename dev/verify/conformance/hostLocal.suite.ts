import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import type { Runtime } from '../../../infra/hostRuntime.ts';
import { readAnnouncement } from '../../../shared/runtime/announcement.ts';
import { setTimeouts, until } from '../../../shared/testing/until.ts';
import { freePort } from '../../support/freePort.ts';
import { HostProcess } from '../../support/hostProcess.ts';
import { HandshakeError, RawSocket, type Received } from '../../support/rawSocket.ts';
import { LocalProcess } from './localProcess.ts';
import type { Target } from './target.ts';
import { Workspace } from './workspace.ts';

jest.setTimeout(180_000);
// Processes start slowly while the machine does other work.
setTimeouts({ condition: 60_000, message: 60_000 });

let dataDir: string;
let port: number;
let local: LocalProcess;
let host: HostProcess | undefined;
/** What listens where the tables were before a restart. */
let other: Server | undefined;

beforeEach(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'flagwire-host-local-'));
  port = await freePort();
  // One that systems give to nobody else meanwhile.
  writeFileSync(join(dataDir, 'dynamodb.port'), String(await freePort()));
  local = await LocalProcess.start(dataDir, port);
});
afterEach(async () => {
  await host?.stop('SIGKILL');
  await local.stop('SIGKILL');
  other?.close();
  [host, other] = [undefined, undefined];
  rmSync(dataDir, { recursive: true, force: true });
});

/** The host in place of the gateway, by which the store is reached. */
const onHost = (target: Target, { port: hostPort }: HostProcess): Target => ({
  ...target,
  streamingUrl: `ws://127.0.0.1:${hostPort}`,
  httpUrl: `http://127.0.0.1:${hostPort}`,
});

const endpoint = () => readAnnouncement(dataDir)?.dynamoDbEndpoint ?? '';
const flagIn = ({ data }: Received, key: string) => data.featureFlags.find((flag: { key: string }) => flag.key === key);

/**
 * Ends `npm start` and starts it again.
 *
 * @param whileStopped done while it is stopped
 * @param isTaken whether another program has its tables' port then
 */
async function restart(signal: NodeJS.Signals, isTaken: boolean, whileStopped: () => Promise<unknown>): Promise<void> {
  const before = endpoint();
  await local.stop(signal);
  await whileStopped();
  if (isTaken) await takePort(before);
  local = await LocalProcess.start(dataDir, port);
  expect(endpoint() === before).toBe(!isTaken);
}

function unlessRefused(error: unknown): undefined {
  if (!(error instanceof HandshakeError && error.status === 503)) throw error;
}

async function takePort(before: string): Promise<void> {
  other = createServer((socket) => socket.destroy());
  const taken = other.listen(Number(new URL(before).port), '127.0.0.1');
  await new Promise((resolve) => taken.once('listening', resolve));
}

test.each<[Runtime, NodeJS.Signals, string, boolean]>([
  ['bun', 'SIGTERM', 'another port', true],
  ['bun', 'SIGKILL', 'the same port', false],
  ['node', 'SIGTERM', 'the same port', false],
  ['node', 'SIGKILL', 'another port', true],
])('a host on %s finds the tables of an npm start that was ended by %s, at %s', async (runtime, signal, _, isTaken) => {
  const settings = { PORT: String(await freePort()), MAX_TABLE_OUTAGE_MS: '1000' };
  const running = await HostProcess.startLocal(dataDir, settings, runtime);
  host = running;
  const readiness = async () => (await fetch(`http://127.0.0.1:${running.port}/health/readiness`)).status;
  const workspace = await Workspace.create(onHost(local.target(), running));
  // On a busy machine, a read may take longer than the outage: the host refuses handshakes until the next one.
  const opened = await until(() => RawSocket.open(workspace.url('server')).catch(unlessRefused));
  const socket = opened as RawSocket;
  await socket.sync({ timestamp: 0 });
  await workspace.toggle('returns-true');
  expect(flagIn(await socket.next(), 'returns-true')).toMatchObject({ isEnabled: false });

  expect(await until(readiness, (status) => status === 200)).toBe(200);
  await restart(signal, isTaken, () => until(readiness, (status) => status === 503));
  // Written by way of the new tables, and pushed to a connection of before.
  const target = onHost(local.target(), running);
  await workspace.at(target).toggle('returns-true');
  expect(flagIn(await socket.next(), 'returns-true')).toMatchObject({ isEnabled: true });
  // The key of an environment that is new.
  const { serverKey } = await Workspace.create(target);
  const headers = { authorization: serverKey };
  const polled = () => fetch(`${target.httpUrl}/api/public/sdk/server/latest-all`, { headers });
  expect(await until(polled, ({ status }) => status === 200)).toBeDefined();
  expect(await until(readiness, (status) => status === 200)).toBe(200);
  await socket.close();
});
