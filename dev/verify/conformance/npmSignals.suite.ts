import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { encodeToken } from '../../../shared/protocol/token.ts';
import { setTimeouts, until } from '../../../shared/testing/until.ts';
import { freePort } from '../../support/freePort.ts';
import { RawSocket } from '../../support/rawSocket.ts';
import { cleanEnvironment, RunningProcess } from '../../support/runningProcess.ts';

jest.setTimeout(180_000);
setTimeouts({ condition: 60_000 });

let dataDir: string;
let started: RunningProcess[] = [];

beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'flagwire-npm-'));
  started = [];
});
afterEach(async () => {
  // What npm has started ends with it.
  await Promise.all(started.map((each) => each.stop()));
  rmSync(dataDir, { recursive: true, force: true, maxRetries: 10 });
});

function npm(args: readonly string[], variables: NodeJS.ProcessEnv = {}): RunningProcess {
  const running = new RunningProcess(['npm', ...args], { environment: cleanEnvironment(variables) });
  started.push(running);
  return running;
}

/** Connects a client, sends npm alone a signal, and expects that the service has closed the connection and left its port. */
async function expectOrderlyEnd(running: RunningProcess, port: number, signal: NodeJS.Signals): Promise<void> {
  const { server } = JSON.parse(readFileSync(join(dataDir, 'keys.json'), 'utf8')) as { server: string };
  const url = `ws://127.0.0.1:${port}/streaming?type=server&token=${encodeToken(server, Date.now(), 7)}`;
  const socket = await RawSocket.open(url);
  await running.stop(signal);
  expect((await socket.closed).code).toBe(1001);
  const health = `http://127.0.0.1:${port}/health/liveness`;
  await until(async () => !(await fetch(health).catch(() => undefined)));
}

test.each<NodeJS.Signals>(['SIGTERM', 'SIGINT', 'SIGHUP', 'SIGKILL'])(
  '%s to npm start and npm run host closes connections with 1001 and frees the port',
  async (signal) => {
    const [port, hostPort] = [await freePort(), await freePort()];
    const local = npm(['start', '--', '--port', String(port), '--data', dataDir]);
    await local.printed('Flip the flag');
    const host = npm(['run', 'host', '--', '--data', dataDir], { PORT: String(hostPort) });
    await host.listening();
    await expectOrderlyEnd(host, hostPort, signal);
    await expectOrderlyEnd(local, port, signal);
  },
);
