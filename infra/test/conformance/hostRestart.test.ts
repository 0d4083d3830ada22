import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import { openStore } from '../../../shared/store/store.ts';
import { createDynamoDb } from '../../../shared/store/table.ts';
import { until } from '../../../shared/testing/until.ts';
import { synthesizeTemplates } from '../../cdk/inProcess.ts';
import { type LocalStack, startLocal } from '../../emulator/emulator.ts';
import { freePort } from '../tools/freePort.ts';
import { BrowserSdk, forgetBrowserStorage } from './clients/browserSdk.ts';
import { NodeSdk } from './clients/nodeSdk.ts';
import { RawSocket } from './clients/rawSocket.ts';
import { HostProcess } from './hostProcess.ts';
import type { Target } from './target.ts';
import { Workspace } from './workspace.ts';

jest.setTimeout(90_000);

const stateDir = mkdtempSync(join(tmpdir(), 'flagwire-host-'));
let stack: LocalStack;
let host: HostProcess;
let target: Target;
let settings: Record<string, string>;

beforeAll(async () => {
  process.env['POWERTOOLS_LOG_LEVEL'] ??= 'SILENT';
  stack = await startLocal({ templates: synthesizeTemplates(), log: () => undefined });
  const port = await freePort();
  settings = { PORT: String(port), STATE_DIR: stateDir, INSIGHT_FILE: join(stateDir, 'insights'), DRAIN_MS: '500' };
  host = await HostProcess.start(stack, settings);
  const url = `127.0.0.1:${port}`;
  const store = openStore({ client: createDynamoDb(), ...stack.tables });
  target = { streamingUrl: `ws://${url}`, httpUrl: `http://${url}`, store };
});

afterAll(async () => {
  await host.stop('SIGKILL');
  target.store.close();
  await stack.close();
  rmSync(stateDir, { recursive: true });
});

test('a host that is killed under its SDKs, with changes while it is gone, loses none of them', async () => {
  forgetBrowserStorage();
  const workspace = await Workspace.create(target);
  const node = await NodeSdk.start(workspace);
  const browser = await BrowserSdk.start(workspace, 'u1');
  const cursor = { timestamp: 0 };
  const before = await RawSocket.open(workspace.url('server'));
  for (const { updatedAt } of (await before.sync({ timestamp: 0 })).data.featureFlags) {
    cursor.timestamp = Math.max(cursor.timestamp, Date.parse(updatedAt));
  }

  await host.stop('SIGKILL');
  expect((await before.closed).code).toBe(1006);
  await workspace.toggle('returns-true');
  await workspace.flag('return-10p-true', { isArchived: true });
  host = await HostProcess.start(stack, settings);

  for (const sdk of [node, browser]) {
    await until(
      () => sdk.value('returns-true'),
      (value) => value === 'false',
    );
  }
  const after = await RawSocket.open(workspace.url('server'));
  const { data } = await after.sync(cursor);
  expect(data.featureFlags.find(({ key }: { key: string }) => key === 'return-10p-true')).toMatchObject({
    isArchived: true,
  });
  await workspace.toggle('returns-true');
  for (const sdk of [node, browser]) {
    await until(
      () => sdk.value('returns-true'),
      (value) => value === 'true',
    );
  }
  await Promise.all([node.close(), browser.close(), after.close()]);
});
