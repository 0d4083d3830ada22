import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { DeleteItemCommand } from '@aws-sdk/client-dynamodb';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { RawSocket } from '../../dev/support/rawSocket.ts';
import { encodeToken } from '../../shared/protocol/token.ts';
import { SECRET_CACHE_MS } from '../../shared/store/environments/secretCache.ts';
import { keys } from '../../shared/store/table/keys.ts';
import { aFlag } from '../../shared/testing/builders.ts';
import { service, useService } from '../testing/fixture.ts';
import { dataSync } from '../testing/service.ts';
import type { Host } from './host.ts';
import { LastKnownState } from './offline/lastKnownState.ts';
import { startTestHost } from './testing/host.ts';

useService();

let host: Host;
let isDown: boolean;
let sockets: RawSocket[];
beforeEach(async () => {
  [isDown, sockets] = [false, []];
  host = await startTestHost(() => isDown);
});
afterEach(async () => {
  for (const socket of sockets) socket.terminate();
  await host.stop();
});

/** Connects and waits for the first reply. */
async function subscribe(type: 'client' | 'server' = 'server') {
  const token = encodeToken(service.secrets[type].value, service.effects.now(), 7);
  const client = await RawSocket.open(`ws://127.0.0.1:${host.port}/streaming?type=${type}&token=${token}`);
  sockets.push(client);
  client.send(dataSync(0, { keyId: 'u', name: 'u' }));
  while (client.texts.length === 0) await sleep(5);
  return client;
}
const pass = (ms: number) => {
  service.effects.clock.now += ms;
};

test.each<[string, () => Promise<unknown>]>([
  ['is revoked', () => service.store.secrets.revoke(service.envId, service.secrets.server.record.id)],
  [
    'is gone from the table',
    () => {
      const { client, flags } = service.store.tables;
      const Key = keys.secret(service.secrets.server.record.hash);
      return client.send(new DeleteItemCommand({ TableName: flags, Key }));
    },
  ],
])('connections whose secret %s are ended with 4003; those of others go on', async (_, revoke) => {
  const [one, two, other] = [await subscribe(), await subscribe(), await subscribe('client')];
  await revoke();
  pass(SECRET_CACHE_MS);
  for (const { closed } of [one, two])
    expect(await closed).toEqual({ code: 4003, reason: 'invalid request, close by server' });
  await service.store.documents.writeFlag(service.envId, 'f', () => aFlag({ key: 'f' }));
  while (other.texts.length < 2) await sleep(5);
  expect(other.isOpen).toBe(true);
});

test('a table that is away ends nobody before the end that was known', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'flagwire-revocation-'));
  await host.stop();
  host = await startTestHost(() => isDown, { lastKnown: new LastKnownState(directory, 'empty', service.effects.now) });
  const { store, envId, secrets } = service;
  await store.secrets.rotate(envId, secrets.server.record.id, 3_600_000);
  const [lasting, ending] = [await subscribe('client'), await subscribe()];
  isDown = true;
  pass(3_599_000);
  // Longer than the interval between checks.
  await sleep(1_500);
  expect([lasting, ending].map(({ isOpen }) => isOpen)).toEqual([true, true]);
  pass(1_000);
  expect(await ending.closed).toEqual({ code: 4003, reason: 'invalid request, close by server' });
  expect(lasting.isOpen).toBe(true);
  rmSync(directory, { recursive: true });
});
