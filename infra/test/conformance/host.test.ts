import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { openStore } from '../../../shared/store/store.ts';
import { createDynamoDb } from '../../../shared/store/table.ts';
import { synthesizeTemplates } from '../../cdk/inProcess.ts';
import { type LocalStack, startLocal } from '../../emulator/emulator.ts';
import { conformanceCases } from './cases/all.ts';
import { RawSocket } from './clients/rawSocket.ts';
import { HostProcess } from './hostProcess.ts';
import type { Target } from './target.ts';
import { Workspace } from './workspace.ts';

jest.setTimeout(60_000);

describe('a host', () => {
  const directory = mkdtempSync(join(tmpdir(), 'flagwire-host-'));
  const insightFile = join(directory, 'insights.ndjson');
  let stack: LocalStack;
  let host: HostProcess;
  let target: Target;

  beforeAll(async () => {
    process.env['POWERTOOLS_LOG_LEVEL'] ??= 'SILENT';
    stack = await startLocal({ templates: synthesizeTemplates(), log: () => undefined });
    host = await HostProcess.start(stack, {
      PORT: '0',
      INSIGHT_FILE: insightFile,
      DRAIN_MS: '500',
    });
    target = {
      streamingUrl: `ws://127.0.0.1:${host.port}`,
      httpUrl: `http://127.0.0.1:${host.port}`,
      store: openStore({ client: createDynamoDb(), ...stack.tables }),
      insights: () => (existsSync(insightFile) ? readFileSync(insightFile, 'utf8') : ''),
      differences: new Set(['refuses-with-4003', 'answers-whole', 'discards-large-messages']),
    };
  });

  afterAll(async () => {
    await host.stop('SIGKILL');
    target.store.close();
    await stack.close();
    rmSync(directory, { recursive: true });
  });

  conformanceCases(() => target);

  test('metrics tell of connections, syncs and pushes', async () => {
    const metrics = await (await fetch(`${target.httpUrl}/metrics`)).text();
    for (const name of [
      'flagwire_connections ',
      'flagwire_sync_seconds_count',
      'flagwire_pushes_total',
      'nodejs_eventloop_lag',
    ]) {
      expect(metrics).toContain(name);
    }
    expect(Number(/^flagwire_pushes_total (\d+)$/m.exec(metrics)?.[1])).toBeGreaterThan(100);
  });

  test('told to stop, it closes every connection with 1001 and ends well', async () => {
    const workspace = await Workspace.create(target);
    const sockets = await Promise.all(Array.from({ length: 20 }, () => RawSocket.open(workspace.url('client'))));
    for (const socket of sockets) await socket.sync({ timestamp: 0, user: { keyId: 'u1' } });
    const exit = host.stop('SIGTERM');
    for (const socket of sockets)
      expect(await socket.closed).toEqual({ code: 1001, reason: 'the server is restarting' });
    expect(await exit).toBe(0);
    for (const secret of [workspace.clientKey, workspace.serverKey]) expect(host.output).not.toContain(secret);
  });
});
