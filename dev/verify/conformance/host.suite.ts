import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { EventSource } from 'eventsource';
import { until } from '../../../shared/testing/until.ts';
import { RawSocket } from '../../support/rawSocket.ts';
import { conformanceCases } from './cases/all.ts';
import { OpenFeatureWeb } from './clients/openFeature.ts';
import { type EmulatedHost, startHost } from './emulated.ts';
import type { Target } from './target.ts';
import { Workspace } from './workspace.ts';

jest.setTimeout(60_000);

describe('a host', () => {
  const directory = mkdtempSync(join(tmpdir(), 'flagwire-host-'));
  const insightFile = join(directory, 'insights.ndjson');
  let host: EmulatedHost;
  let target: Target;

  beforeAll(async () => {
    host = await startHost({ INSIGHT_FILE: insightFile });
    target = {
      ...host,
      insights: () => (existsSync(insightFile) ? readFileSync(insightFile, 'utf8') : ''),
      differences: new Set(['refuses-with-4003', 'answers-whole', 'discards-large-messages']),
    };
  });

  afterAll(async () => {
    await host.close();
    rmSync(directory, { recursive: true });
  });

  conformanceCases(() => target);

  test('OpenFeature’s web provider hears of changes by the event stream, without polling', async () => {
    Object.defineProperty(globalThis, 'EventSource', { configurable: true, value: EventSource });
    const workspace = await Workspace.create(target);
    const web = await OpenFeatureWeb.start(workspace, workspace.clientKey, { targetingKey: 'u1' }, 0);
    for (const expected of [false, true]) {
      await workspace.toggle('returns-true');
      await until(() => web.client.getBooleanValue('returns-true', !expected) === expected);
    }
    await until(() => web.changed.length === 2);
    expect(web.changed).toEqual(['returns-true', 'returns-true']);
    await OpenFeatureWeb.closeAll();
    Reflect.deleteProperty(globalThis, 'EventSource');
  });

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
    const exit = host.process.stop('SIGTERM');
    for (const socket of sockets)
      expect(await socket.closed).toEqual({ code: 1001, reason: 'the server is restarting' });
    expect(await exit).toBe(0);
    for (const secret of [workspace.clientKey, workspace.serverKey]) expect(host.process.output).not.toContain(secret);
  });
});
