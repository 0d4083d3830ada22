import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import { RawSocket } from '../../support/rawSocket.ts';
import { BrowserSdk, forgetBrowserStorage } from './clients/browserSdk.ts';
import { NodeSdk } from './clients/nodeSdk.ts';
import { type EmulatedHost, startHost } from './emulated.ts';
import { Workspace } from './workspace.ts';

jest.setTimeout(90_000);

const stateDir = mkdtempSync(join(tmpdir(), 'flagwire-host-'));
let host: EmulatedHost;

beforeAll(async () => {
  host = await startHost({ STATE_DIR: stateDir });
});

afterAll(async () => {
  await host.close();
  rmSync(stateDir, { recursive: true });
});

test('a host that is killed under its SDKs, with changes while it is gone, loses none of them', async () => {
  forgetBrowserStorage();
  const workspace = await Workspace.create(host);
  const node = await NodeSdk.start(workspace);
  const browser = await BrowserSdk.start(workspace, 'u1');
  const cursor = { timestamp: 0 };
  const before = await RawSocket.open(workspace.url('server'));
  for (const { updatedAt } of (await before.sync({ timestamp: 0 })).data.featureFlags) {
    cursor.timestamp = Math.max(cursor.timestamp, Date.parse(updatedAt));
  }

  await host.process.stop('SIGKILL');
  expect((await before.closed).code).toBe(1006);
  await workspace.toggle('returns-true');
  await workspace.flag('return-10p-true', { isArchived: true });
  await host.start();

  for (const sdk of [node, browser]) {
    await sdk.becomes('returns-true', 'false');
  }
  const after = await RawSocket.open(workspace.url('server'));
  const { data } = await after.sync(cursor);
  expect(data.featureFlags.find(({ key }: { key: string }) => key === 'return-10p-true')).toMatchObject({
    isArchived: true,
  });
  await workspace.toggle('returns-true');
  for (const sdk of [node, browser]) {
    await sdk.becomes('returns-true', 'true');
  }
  await Promise.all([node.close(), browser.close(), after.close()]);
});
