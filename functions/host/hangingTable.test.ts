import { cpSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { RawSocket } from '../../dev/support/rawSocket.ts';
import { encodeToken } from '../../shared/protocol/token.ts';
import { systemEffects } from '../../shared/runtime/effects.ts';
import { SECRET_CACHE_MS } from '../../shared/store/environments/secretCache.ts';
import { aFlag } from '../../shared/testing/builders.ts';
import { until } from '../../shared/testing/until.ts';
import { service, useService } from '../testing/fixture.ts';
import { dataSync } from '../testing/service.ts';
import type { Host } from './host.ts';
import { LastKnownState } from './offline/lastKnownState.ts';
import { startTestHost } from './testing/host.ts';

useService();

let directory: string;
let host: Host;
/** Requests to the table wait for this. */
let answering: Promise<void>;
let answer = () => {};
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'flagwire-hanging-'));
  answering = Promise.resolve();
});
afterEach(async () => {
  answer();
  await host.stop();
  rmSync(directory, { recursive: true });
});

function hang(): void {
  ({ promise: answering, resolve: answer } = Promise.withResolvers<void>());
}

/** @param onSilence timeouts; by default the system's */
async function start(lastKnown?: LastKnownState, onSilence = systemEffects.onSilence): Promise<void> {
  host = await startTestHost(() => false, { pause: () => answering, onSilence, ...(lastKnown && { lastKnown }) });
}

const open = () => new LastKnownState(directory, 'empty', service.effects.now);
const ask = (path: string, init?: RequestInit) => fetch(`http://127.0.0.1:${host.port}${path}`, init);

/** What a new connection, a single evaluation, an event stream, polling and the readiness check get. */
async function answers(): Promise<unknown[]> {
  const { client, server } = service.secrets;
  const socket = new RawSocket(
    `ws://127.0.0.1:${host.port}/streaming?type=server&token=${encodeToken(server.value, service.effects.now(), 7)}`,
  );
  await socket.opened;
  socket.send(dataSync(0));
  const abort = new AbortController();
  const evaluation = await ask('/ofrep/v1/evaluate/flags/f', {
    method: 'POST',
    headers: { authorization: `Bearer ${client.value}`, 'content-type': 'application/json' },
    body: JSON.stringify({ context: { targetingKey: 'u' } }),
  });
  const stream = await ask(`/ofrep/v1/event-stream?key=${encodeURIComponent(client.value)}`, { signal: abort.signal });
  abort.abort();
  const polled = await ask('/api/public/sdk/server/latest-all', { headers: { authorization: server.value } });
  const ready = await ask('/health/readiness');
  await until(() => socket.texts.length === 1);
  socket.terminate();
  return [evaluation, stream, polled, ready].map(({ status }) => status);
}

/** Runs a host until it has saved a flag and its keys. */
async function saveState(): Promise<void> {
  await service.store.documents.writeFlag(service.envId, 'f', () => aFlag({ key: 'f' }));
  await start(open());
  await answers();
  await host.stop();
}

describe('a table that hangs', () => {
  test('delays nobody for long while the state is saved, although keys are due', async () => {
    await service.store.documents.writeFlag(service.envId, 'f', () => aFlag({ key: 'f' }));
    await start(open());
    expect(await answers()).toEqual([200, 200, 200, 200]);
    hang();
    service.effects.clock.now += SECRET_CACHE_MS;
    expect(await answers()).toEqual([200, 200, 200, 200]);
  });

  test('lets a host start that has saved its state', async () => {
    await saveState();
    hang();
    await start(open());
    expect(await answers()).toEqual([200, 200, 200, 200]);
  });

  test('is waited for before a host with saved state is ready', async () => {
    await saveState();
    hang();
    await start(open(), () => () => {});
    const ready = ask('/health/readiness').then(({ status }) => status);
    const alive = ask('/health/liveness').then(() => ask('/health/liveness'));
    expect(await Promise.race([ready, alive.then(() => 'not ready yet')])).toBe('not ready yet');
    answer();
    expect(await ready).toBe(200);
  });

  test('makes a host unready whose state was saved only after its start', async () => {
    await saveState();
    const saved = `${directory}-saved`;
    renameSync(directory, saved);
    hang();
    await start(open());
    cpSync(saved, directory, { recursive: true });
    rmSync(saved, { recursive: true });
    expect(open().knowsAny).toBe(true);
    expect((await ask('/health/readiness')).status).toBe(503);
  });

  test('makes a host without saved state unready, and one preload goes on', async () => {
    hang();
    await start();
    expect((await ask('/health/readiness')).status).toBe(503);
    answer();
    await until(async () => (await ask('/health/readiness')).status === 200);
  });
});
