import { beforeEach, describe, expect, test } from '@jest/globals';
import type { Push } from '../../shared/delivery/pushes.ts';
import type { Connection, Registration } from '../../shared/store/connection.ts';
import { isBehind } from '../../shared/store/deliveryState.ts';
import { database, useTables } from '../../shared/store/testing/testStore.ts';
import { aUser } from '../../shared/testing/builders.ts';
import { aService, type TestService } from '../testing/service.ts';
import { isOwed, waitUntilReady } from './ready.ts';

let service: TestService;
let pauses: number[] = [];
/** What happens while a connection is waited for. */
let meanwhile: () => Promise<unknown>;

useTables();
beforeEach(async () => {
  service = await aService(database);
  pauses = [];
  meanwhile = async () => {};
});

const found = () => service.store.connections.find(service.envId, 'c') as Promise<Connection>;

/** Registers the connection some time ago. */
async function register(msAgo: number, fields: Partial<Registration> = {}): Promise<Registration> {
  const at = service.effects.now() - msAgo;
  const registration: Registration = { id: 'c', type: 'server', requestedAt: at, registeredAt: at, ...fields };
  await service.store.connections.register(service.envId, registration);
  return registration;
}

/** Asks for the connection as it was found, to push something written some time ago. */
async function ready(connection: Connection, writtenMsAgo = 0, fields: Partial<Push> = {}, before: Push[] = []) {
  const { store, effects, envId } = service;
  const push = { updatedAt: 500, writtenAt: effects.now() - writtenMsAgo, ...fields } as Push;
  const pause = async (ms: number) => {
    pauses.push(ms);
    effects.clock.now += ms;
    await meanwhile();
  };
  const pending = { envId, readAt: effects.now(), version: 500, pushes: [...before, push] };
  return waitUntilReady({ ...store, now: effects.now, pause }, pending, connection);
}

describe('a connection that registered a second ago', () => {
  test('is ready as it was found', async () => {
    const connection = await register(1_000);
    expect(await ready(connection)).toBe(connection);
    expect(pauses).toEqual([]);
  });
});

describe('a younger one', () => {
  test('is given the rest of the second, and is then what was noted of it by then', async () => {
    const registration = await register(300);
    const { store, envId } = service;
    meanwhile = () => store.connections.markAnswered(envId, registration, 499);
    expect(await ready(registration)).toEqual({ ...registration, version: 499 });
    expect(pauses).toEqual([700]);
  });

  test('is not sent to where it has gone by then', async () => {
    const registration = await register(0);
    meanwhile = () => service.store.connections.remove(service.envId, 'c');
    expect(await ready(registration)).toBeUndefined();
  });

  test('is looked at again also where others took so long that it is old when its turn comes', async () => {
    const registration = await register(300);
    const { store, effects, envId } = service;
    const readAt = effects.now();
    await store.connections.markAnswered(envId, registration, 499);
    effects.clock.now += 5_000;
    const parts = { ...store, now: effects.now, pause: async (ms: number) => void pauses.push(ms) };
    const pushes = [{ updatedAt: 500, writtenAt: readAt } as Push];
    expect(await waitUntilReady(parts, { envId, readAt, version: 500, pushes }, registration)).toMatchObject({
      version: 499,
    });
    expect(Math.max(...pauses)).toBe(0);
  });

  test('is not waited for where all of it was written long before it asked: its answer holds it', async () => {
    expect(await ready(await register(300), 10_300)).toBeUndefined();
    expect(pauses).toEqual([]);
    await ready(await register(300), 10_299);
    expect(pauses).toHaveLength(1);
  });

  test('is waited for where one of several was written just now', async () => {
    const old = { updatedAt: 499, writtenAt: service.effects.now() - 60_000 } as Push;
    expect(await ready(await register(300), 0, {}, [old])).toMatchObject({ id: 'c' });
    expect(pauses).toEqual([700]);
  });

  test('is never waited for longer than a second at a time, whatever its clock says', async () => {
    await ready(await register(0, { registeredAt: service.effects.now() + 60_000 }));
    expect(Math.max(...pauses)).toBe(1_000);
  });

  test('that asks again meanwhile is not waited for once more: the new answer holds it', async () => {
    const registration = await register(0);
    meanwhile = () => register(0);
    expect(await ready(registration)).toBeUndefined();
    expect(pauses).toEqual([1_000]);
  });

  test('is not waited for where its answer is noted, and holds it', async () => {
    const registration = await register(300);
    await service.store.connections.markAnswered(service.envId, registration, 500);
    expect(await ready(await found())).toBeUndefined();
    expect(pauses).toEqual([]);
  });
});

describe('what may have been sent before, for another user of the connection', () => {
  const user = aUser('u');
  const retried = { isRetry: true };

  test('is sent again to a client that has asked before, though its answer held it', async () => {
    await register(9_000, { type: 'client', user });
    const again = await register(5_000, { type: 'client', user });
    await service.store.connections.markAnswered(service.envId, again, 500);
    const connection = await found();
    const push = { updatedAt: 500, writtenAt: service.effects.now(), ...retried } as Push;
    expect(connection).toMatchObject({ hasAskedBefore: true, version: 500 });
    expect(isOwed(connection, push)).toBe(true);
    expect(isOwed(connection, { ...push, isRetry: false })).toBe(false);
    expect(isOwed({ ...connection, type: 'server' }, push)).toBe(false);
    const { hasAskedBefore, ...first } = connection;
    expect(isOwed(first, push)).toBe(false);
  });

  test('is left to whoever sends to it meanwhile, to be sent again', async () => {
    const { store, envId, effects } = service;
    await register(9_000, { type: 'client', user });
    const again = await register(5_000, { type: 'client', user });
    await store.connections.markBusy(envId, again, effects.now() + 1);
    expect(await ready(await found(), 20_000, retried)).toBeUndefined();
    expect(await store.connections.finishBusy(envId, again, 600)).toBe(499);
  });
});

describe('a busy connection', () => {
  test('is left to whoever sends to it, with the version to send', async () => {
    const registration = await register(5_000);
    const { store, envId, effects } = service;
    await store.connections.markBusy(envId, registration, effects.now() + 1);
    expect(await ready(await found())).toBeUndefined();
  });

  test('is ready where the sender ended just now', async () => {
    const registration = await register(5_000);
    const { store, envId, effects } = service;
    await store.connections.markBusy(envId, registration, effects.now() + 1);
    const busy = await found();
    await store.connections.markAnswered(envId, registration, 499);
    expect(await ready(busy)).toEqual({ ...registration, version: 499 });
  });

  test('that somebody else sends to by now is left alone: that one read the environment later', async () => {
    const registration = await register(5_000);
    const { store, envId, effects } = service;
    await store.connections.markBusy(envId, registration, effects.now() + 1);
    const busy = await found();
    await store.connections.markBusy(envId, registration, effects.now() + 2);
    expect(await ready(busy)).toBeUndefined();
    expect(await store.connections.finishBusy(envId, registration, 499)).toBeUndefined();
  });

  test('whose sender gave up is ready, and behind', async () => {
    const registration = await register(5_000);
    const { store, envId, effects } = service;
    await store.connections.markBusy(envId, registration, effects.now());
    const connection = await ready(await found());
    expect(connection).toMatchObject({ id: 'c' });
    expect(connection && isBehind(connection, effects.now())).toBe(true);
  });

  test('is not behind, nor is one that is neither', async () => {
    const registration = await register(5_000);
    const { store, envId, effects } = service;
    expect(isBehind(registration, effects.now())).toBe(false);
    expect(isBehind({ ...registration, busyUntil: effects.now() + 1 }, effects.now())).toBe(false);
    await store.connections.markBehind(envId, registration, 4);
    expect(isBehind(await found(), effects.now())).toBe(true);
  });
});
