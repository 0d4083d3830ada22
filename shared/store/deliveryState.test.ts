import { beforeEach, describe, expect, test } from '@jest/globals';
import type { Connection, Registration } from './connection.ts';
import { CUT_OFF, isBehind, isBusy, isUnreached, UNREACHED, wasAnsweredWith } from './deliveryState.ts';
import { database, store, useStore } from './testing/testStore.ts';
import { testEffects } from './testing/testTables.ts';

let envId = '';
const effects = testEffects();
const { now, uuid } = effects;
const mine: Registration = { id: 'c', type: 'server', requestedAt: now(), registeredAt: now() };

useStore(effects);
beforeEach(async () => {
  envId = uuid();
  await store.connections.register(envId, mine);
});

const found = () => store.connections.find(envId, 'c') as Promise<Connection>;

describe('whether an answer held an item', () => {
  const at = (writtenAt: number) => ({ updatedAt: 100, writtenAt });

  test('is told by the noted version', () => {
    const noted = { ...mine, version: 100 };
    expect(wasAnsweredWith(noted, { updatedAt: 100, writtenAt: now() })).toBe(true);
    expect(wasAnsweredWith(noted, { updatedAt: 101, writtenAt: 0 })).toBe(false);
  });

  test('is told by the time where none is noted: ten seconds before the request decide', () => {
    expect(wasAnsweredWith(mine, at(now() - 10_000))).toBe(true);
    expect(wasAnsweredWith(mine, at(now() - 9_999))).toBe(false);
    expect(wasAnsweredWith(mine, at(now() + 60_000))).toBe(false);
  });
});

test('a connection is busy until the time that was noted, and behind from then on', () => {
  const noted = { ...mine, busyUntil: now() };
  expect([now() - 1, now()].map((at) => isBusy(noted, at))).toEqual([true, false]);
  expect([now() - 1, now()].map((at) => isBehind(noted, at))).toEqual([false, true]);
  expect([isBusy(mine, now()), isBehind(mine, now())]).toEqual([false, false]);
});

describe('a note', () => {
  test('of the answer ends being busy', async () => {
    await store.connections.markBusy(envId, mine, 77);
    expect(await found()).toEqual({ ...mine, busyUntil: 77 });
    await store.connections.markAnswered(envId, mine, 5);
    expect(await found()).toEqual({ ...mine, version: 5 });
  });

  test('of being behind says since when, and whether it could be reached', async () => {
    await store.connections.markBehind(envId, mine, 41);
    expect(await found()).toEqual({ ...mine, version: 41, busyUntil: CUT_OFF });
    expect(isUnreached(await found())).toBe(false);
    await store.connections.markBehind(envId, mine, 42, UNREACHED);
    expect(await found()).toEqual({ ...mine, version: 42, busyUntil: UNREACHED });
    expect(isUnreached(await found())).toBe(true);
  });

  test.each([
    ['of a newer data-sync', { requestedAt: now() + 1 }],
    ['that was registered once more', { registeredAt: now() + 1 }],
  ])('is not made to the row %s', async (_, fields) => {
    const newer = { ...mine, ...fields };
    await store.connections.register(envId, newer);
    await store.connections.markAnswered(envId, mine, 5);
    await store.connections.markBusy(envId, mine, 5);
    await store.connections.markBehind(envId, mine, 5);
    expect(await store.connections.leaveToSender(envId, { ...mine, busyUntil: 5 }, 9)).toBe(false);
    const { hasAskedBefore, ...row } = await found();
    expect(row).toEqual(newer);
  });

  test('does not bring a connection back that is gone', async () => {
    await store.connections.remove(envId, 'c');
    await store.connections.markAnswered(envId, mine, 5);
    await store.connections.markBusy(envId, mine, 5);
    expect(await store.connections.finishBusy(envId, mine, 5)).toBeUndefined();
    expect(await found()).toBeUndefined();
  });
});

describe('a change that meets a busy connection', () => {
  test('is left to whoever sends to it, who must send it before ending', async () => {
    await store.connections.markBusy(envId, mine, 77);
    expect(await store.connections.leaveToSender(envId, await found(), 200)).toBe(true);
    expect(await store.connections.finishBusy(envId, mine, 199)).toBe(199);
    expect(await found()).toEqual({ ...mine, busyUntil: 77 });
    expect(await store.connections.finishBusy(envId, mine, 200)).toBeUndefined();
    expect(await found()).toEqual({ ...mine, version: 200 });
  });

  test('is left to be sent again with all that came since, by the first who asks for it', async () => {
    await store.connections.markBusy(envId, mine, 77);
    expect(await store.connections.leaveToSender(envId, await found(), 200, 149)).toBe(true);
    expect(await store.connections.leaveToSender(envId, await found(), 300, 199)).toBe(true);
    expect(await store.connections.finishBusy(envId, mine, 200)).toBe(149);
    expect(await store.connections.finishBusy(envId, mine, 200, 149)).toBe(200);
    expect(await store.connections.finishBusy(envId, mine, 300, 149)).toBeUndefined();
    expect(await found()).toEqual({ ...mine, version: 300 });
    await store.connections.markBusy(envId, mine, 78);
    expect(await store.connections.finishBusy(envId, mine, 300)).toBeUndefined();
  });

  test('is not left to a sender who has just ended', async () => {
    await store.connections.markBusy(envId, mine, 77);
    const seen = await found();
    expect(await store.connections.finishBusy(envId, mine, 100)).toBeUndefined();
    expect(await store.connections.leaveToSender(envId, seen, 200)).toBe(false);
    expect(await found()).toEqual({ ...mine, version: 100 });
  });

  test.each([
    ['has asked again', { requestedAt: now() + 1 }],
    ['was registered once more', { registeredAt: now() + 1 }],
  ])('does not matter to a sender whose connection %s', async (_, fields) => {
    await store.connections.markBusy(envId, mine, 77);
    await store.connections.leaveToSender(envId, await found(), 200);
    await store.connections.register(envId, { ...mine, ...fields });
    expect(await store.connections.finishBusy(envId, mine, 100)).toBeUndefined();
  });
});

test('a table that fails is an error, and no note', async () => {
  const failing = database.open(effects, async () => {
    throw new Error('throttled');
  });
  await expect(failing.connections.markAnswered(envId, mine, 5)).rejects.toThrow('throttled');
  await expect(failing.connections.finishBusy(envId, mine, 5)).rejects.toThrow('throttled');
});
