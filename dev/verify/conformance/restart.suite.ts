import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { readAnnouncement } from '../../../shared/runtime/announcement.ts';
import { systemEffects } from '../../../shared/runtime/effects.ts';
import { createDynamoDb } from '../../../shared/store/table/table.ts';
import { openUsage, readFlagUsage } from '../../../shared/store/usage/flagUsage.ts';
import { setTimeouts, until } from '../../../shared/testing/until.ts';
import { freePort } from '../../support/freePort.ts';
import { RawSocket } from '../../support/rawSocket.ts';
import { BrowserSdk, forgetBrowserStorage } from './clients/browserSdk.ts';
import { NodeSdk } from './clients/nodeSdk.ts';
import { LocalProcess } from './localProcess.ts';
import { Workspace } from './workspace.ts';

jest.setTimeout(180_000);
// Processes that start beside a busy machine's other work are slow.
setTimeouts({ condition: 60_000 });

let dataDir: string;
let port: number;

beforeEach(async () => {
  forgetBrowserStorage();
  dataDir = mkdtempSync(join(tmpdir(), 'flagwire-restart-'));
  port = await freePort();
});
afterEach(() => rmSync(dataDir, { recursive: true, force: true }));

test('killing and restarting the gateway under connected SDKs loses no change', async () => {
  let running = await LocalProcess.start(dataDir, port);
  const workspace = await Workspace.create(running.target());
  const browser = await BrowserSdk.start(workspace, 'u1');
  let isOn = true;
  for (let round = 0; round < 3; round++) {
    // Another each time: this SDK waits longer before each attempt of its life, whatever came of those before.
    const node = await NodeSdk.start(workspace.at(running.target()));
    const both = async (key: string, expected: string) => {
      for (const sdk of [node, browser]) await sdk.becomes(key, expected);
    };
    await both('returns-true', String(isOn));
    // Acknowledged, and hardly anything of it delivered when the process is gone.
    await workspace.at(running.target()).toggle('returns-true');
    isOn = !isOn;
    await running.stop('SIGKILL');
    running = await LocalProcess.start(dataDir, port);
    await both('returns-true', String(isOn));
    // And the restarted pipeline pushes.
    await workspace.at(running.target()).toggle('returns-true');
    isOn = !isOn;
    await both('returns-true', String(isOn));
    await node.close();
  }
  await browser.close();
  expect(running.output).not.toContain(workspace.clientKey);
  expect(await running.stop('SIGTERM')).toBe(0);
});

test('a signal ends it in order: connections are closed with 1001, the exit code is 0', async () => {
  const running = await LocalProcess.start(dataDir, port);
  const workspace = await Workspace.create(running.target());
  const socket = await RawSocket.open(workspace.url('server'));
  await socket.sync({ timestamp: 0 });
  expect(await running.stop('SIGINT')).toBe(0);
  expect((await socket.closed).code).toBe(1001);
});

test('all that it keeps is its owner’s only', async () => {
  const running = await LocalProcess.start(dataDir, port);
  const modeOf = (path: string) => statSync(path).mode & 0o777;
  const kept = readdirSync(dataDir, { recursive: true, withFileTypes: true });
  expect(kept.map(({ name }) => name)).toEqual(expect.arrayContaining(['local.json', 'keys.json', 'CURRENT']));
  const open = kept.filter((entry) => modeOf(join(entry.parentPath, entry.name)) !== (entry.isFile() ? 0o600 : 0o700));
  expect(open.map(({ name }) => name)).toEqual([]);
  await running.stop('SIGKILL');
});

test('with --demo, applications with names are connected, and their evaluations are counted', async () => {
  const running = await LocalProcess.start(dataDir, port, 'default', '--demo');
  for (const name of ['storefront', 'checkout', 'mail-worker']) await running.printed(`server SDK (${name}) connected`);
  const { store } = running.target();
  const [environment] = await store.environments.list();
  const name = readAnnouncement(dataDir)?.flagsTable ?? '';
  const usage = await openUsage({ client: createDynamoDb(), name, effects: systemEffects });
  const count = async () => usage && (await readFlagUsage(usage, environment?.id ?? '', 'returns-true', 0)).total;
  await until(count, (total = 0) => total > 0);
  expect(await running.stop('SIGTERM')).toBe(0);
});

test('a second process with the same data directory is told so', async () => {
  const running = await LocalProcess.start(dataDir, port);
  await expect(LocalProcess.start(dataDir, await freePort())).rejects.toThrow(/already/);
  expect(await running.stop('SIGTERM')).toBe(0);
});
