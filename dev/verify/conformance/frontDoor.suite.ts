import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { readConfig } from '../../../infra/config/config.ts';
import { synthesizedTemplates } from '../../../infra/testing/synthesizedTemplates.ts';
import { setTimeouts, until } from '../../../shared/testing/until.ts';
import { startDistribution } from '../../emulator/cloudfront/distribution.ts';
import { announce } from '../../local/announcement.ts';
import { DOOR_SETTINGS, startFrontDoor } from '../../local/frontDoor.ts';
import { freePort } from '../../support/freePort.ts';
import { RawSocket } from '../../support/rawSocket.ts';
import { longCases, shortCases } from './cases/all.ts';
import { type EmulatedHost, type EmulatedStack, startHost, startStack } from './emulated.ts';
import type { Target } from './target.ts';
import { Workspace } from './workspace.ts';

jest.setTimeout(60_000);

const { frontDoor } = DOOR_SETTINGS;
/** API Gateway accepts handshakes only through the front door. */
const templates = synthesizedTemplates(
  readConfig({
    ...DOOR_SETTINGS,
    frontDoor: { ...frontDoor, secrets: ['flagwire/door/1'], only: true },
    usageWritesPerSecond: 5_000,
  }),
);

async function openDoor(hostUrl: string, { httpUrl }: Pick<EmulatedStack, 'httpUrl'>) {
  return startDistribution({ templates, addresses: { host: hostUrl, gateway: httpUrl, http: httpUrl } });
}

describe('a front door with a host', () => {
  let host: EmulatedHost;
  let door: Awaited<ReturnType<typeof openDoor>>;
  let target: Target;

  beforeAll(async () => {
    host = await startHost({}, templates);
    door = await openDoor(host.httpUrl, host.stack);
    const { streamingUrl, httpUrl } = door;
    const differences: Target['differences'] = new Set([
      'refuses-with-4003',
      'answers-whole',
      'discards-large-messages',
    ]);
    target = { ...host, streamingUrl, httpUrl, webhookUrl: host.stack.httpUrl, differences };
  });

  afterAll(async () => {
    await door.close();
    await host.close();
  });

  shortCases(() => target);
  // Only `.ci/run nightly` runs these.
  describe('at length', () => longCases(() => target));

  test('refuses handshakes at the address of API Gateway', async () => {
    const workspace = await Workspace.create(host.stack);
    const socket = RawSocket.open(workspace.url('server'));
    await expect(socket).rejects.toThrow('403');
  });
});

// Only `.ci/run nightly` runs these.
describe('a front door without its host', () => {
  let stack: EmulatedStack;
  let door: Awaited<ReturnType<typeof openDoor>>;
  let target: Target;

  beforeAll(async () => {
    stack = await startStack(templates);
    door = await openDoor(`http://127.0.0.1:${await freePort()}`, stack);
    target = { ...stack, streamingUrl: door.streamingUrl, httpUrl: door.httpUrl };
  });

  afterAll(async () => {
    await door.close();
    await stack.close();
  });

  shortCases(() => target);
});

test('npm start with a front door starts a killed or hung host again, and has a tier', async () => {
  setTimeouts({ condition: 30_000 });
  const dataDir = mkdtempSync(join(tmpdir(), 'flagwire-door-'));
  const doorTemplates = synthesizedTemplates(readConfig(DOOR_SETTINGS));
  const stack = await startStack(doorTemplates, { dataDir });
  announce(dataDir, stack);
  const lines: string[] = [];
  const table = { endpoint: stack.dynamoDbEndpoint, flags: stack.tables.flags };
  const options = {
    templates: doorTemplates,
    table,
    dataDir,
    port: 0,
    log: (line: string) => lines.push(line),
    watchdogMs: 6_000,
  };
  const door = await startFrontDoor({ ...options, gatewayUrl: stack.httpUrl });
  const workspace = await Workspace.create({ ...stack, ...door });
  const open = async () => {
    const socket = await RawSocket.open(workspace.url('server'));
    expect((await socket.sync({ timestamp: 0 })).data).toMatchObject({ eventType: 'full' });
    return socket;
  };
  const first = await open();
  const hung = door.hostPid();
  process.kill(hung, 'SIGSTOP');
  await first.closed;
  expect(lines).toContain('front door: the host has not answered for 6 s, and is killed');
  const second = await open();
  await until(door.hostPid, (pid) => pid !== hung);

  const killed = door.hostPid();
  process.kill(killed, 'SIGKILL');
  await until(door.hostPid, (pid) => pid !== killed);
  await workspace.toggle('returns-true');
  expect((await second.next()).data).toMatchObject({ eventType: 'patch' });
  expect(lines).toContain('front door: the host ended with a signal, and starts again');

  const { tiers } = stack.store;
  expect(await tiers.read()).toMatchObject({ wanted: 'host', hinted: 'host' });
  await tiers.setWanted('gateway');
  await until(tiers.read.bind(tiers), (tier) => tier?.hinted === 'gateway');
  const last = door.hostPid();
  await door.close();
  expect(() => process.kill(last, 0)).toThrow('ESRCH');
  await stack.close();
  rmSync(dataDir, { recursive: true });
});
