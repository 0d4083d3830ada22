import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import {
  type Connection,
  findConnection,
  type Registration,
  registerConnection,
  removeConnection,
} from './connections.ts';
import {
  finishBusy,
  leaveToSender,
  markAnswered,
  markBehind,
  markBusy,
  mustBeNoted,
  wasAnsweredWith,
} from './deliveryState.ts';
import type { Tables } from './table.ts';
import { startTestTables, type TestTables, testEffects } from './testing/testTables.ts';

let database: TestTables;
let tables: Tables;
let envId = '';
const { now, uuid } = testEffects();
const mine: Registration = { id: 'c', type: 'server', requestedAt: now(), registeredAt: now() };

beforeAll(async () => {
  database = await startTestTables();
  tables = database.open();
});
afterAll(() => database.close());
beforeEach(async () => {
  envId = uuid();
  await registerConnection(tables, envId, mine);
});

const found = () => findConnection(tables, envId, 'c') as Promise<Connection>;

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

  test('must be noted for as long before it as a writer’s clock may be off', () => {
    expect(mustBeNoted(now() - 310_000, mine)).toBe(false);
    expect(mustBeNoted(now() - 309_999, mine)).toBe(true);
  });
});

describe('a note', () => {
  test('of the answer ends being busy', async () => {
    await markBusy(tables, envId, mine, 77);
    expect(await found()).toEqual({ ...mine, busyUntil: 77 });
    await markAnswered(tables, envId, mine, 5);
    expect(await found()).toEqual({ ...mine, version: 5 });
  });

  test('of being behind says since when', async () => {
    await markBehind(tables, envId, mine, 41);
    expect(await found()).toEqual({ ...mine, version: 41, busyUntil: 0 });
  });

  test.each([
    ['of a newer data-sync', { requestedAt: now() + 1 }],
    ['that was registered once more', { registeredAt: now() + 1 }],
  ])('is not made to the row %s', async (_, fields) => {
    const newer = { ...mine, ...fields };
    await registerConnection(tables, envId, newer);
    await markAnswered(tables, envId, mine, 5);
    await markBusy(tables, envId, mine, 5);
    await markBehind(tables, envId, mine, 5);
    expect(await leaveToSender(tables, envId, { ...mine, busyUntil: 5 }, 9)).toBe(false);
    const { hasAskedBefore, ...row } = await found();
    expect(row).toEqual(newer);
  });

  test('does not bring a connection back that is gone', async () => {
    await removeConnection(tables, envId, 'c');
    await markAnswered(tables, envId, mine, 5);
    await markBusy(tables, envId, mine, 5);
    expect(await finishBusy(tables, envId, mine, 5)).toBeUndefined();
    expect(await found()).toBeUndefined();
  });
});

describe('a change that meets a busy connection', () => {
  test('is left to whoever sends to it, who must send it before ending', async () => {
    await markBusy(tables, envId, mine, 77);
    expect(await leaveToSender(tables, envId, await found(), 200)).toBe(true);
    expect(await finishBusy(tables, envId, mine, 199)).toBe(199);
    expect(await found()).toEqual({ ...mine, busyUntil: 77 });
    expect(await finishBusy(tables, envId, mine, 200)).toBeUndefined();
    expect(await found()).toEqual({ ...mine, version: 200 });
  });

  test('is left to be sent again with all that came since, by the first who asks for it', async () => {
    await markBusy(tables, envId, mine, 77);
    expect(await leaveToSender(tables, envId, await found(), 200, 149)).toBe(true);
    expect(await leaveToSender(tables, envId, await found(), 300, 199)).toBe(true);
    expect(await finishBusy(tables, envId, mine, 200)).toBe(149);
    expect(await finishBusy(tables, envId, mine, 200, 149)).toBe(200);
    expect(await finishBusy(tables, envId, mine, 300, 149)).toBeUndefined();
    expect(await found()).toEqual({ ...mine, version: 300 });
    await markBusy(tables, envId, mine, 78);
    expect(await finishBusy(tables, envId, mine, 300)).toBeUndefined();
  });

  test('is not left to a sender who has just ended', async () => {
    await markBusy(tables, envId, mine, 77);
    const seen = await found();
    expect(await finishBusy(tables, envId, mine, 100)).toBeUndefined();
    expect(await leaveToSender(tables, envId, seen, 200)).toBe(false);
    expect(await found()).toEqual({ ...mine, version: 100 });
  });

  test('does not matter to a sender whose connection has asked again', async () => {
    await markBusy(tables, envId, mine, 77);
    await leaveToSender(tables, envId, await found(), 200);
    await registerConnection(tables, envId, { ...mine, requestedAt: now() + 1 });
    expect(await finishBusy(tables, envId, mine, 100)).toBeUndefined();
  });
});

test('a table that fails is an error, and no note', async () => {
  const failing = database.open(async () => {
    throw new Error('throttled');
  });
  await expect(markAnswered(failing, envId, mine, 5)).rejects.toThrow('throttled');
  await expect(finishBusy(failing, envId, mine, 5)).rejects.toThrow('throttled');
});
