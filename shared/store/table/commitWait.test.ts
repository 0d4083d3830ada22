import { describe, expect, test } from '@jest/globals';
import { systemEffects } from '../../runtime/effects.ts';
import { aFlag, aSegment } from '../../testing/builders.ts';
import type { FlagStore } from '../store.ts';
import { database, newEnvironment, store, useStore } from '../testing/testStore.ts';
import { type Intercept, testEffects } from '../testing/testTables.ts';
import { ageOf, COMMIT_WAIT_MS, MAX_READ_AGE_MS, momentOf } from './commitWait.ts';
import { Conflict, NotFound } from './errors.ts';

useStore(testEffects());

/** A writer: what it sent to the table, and its waits, in order. */
function aWriter(intercept: Intercept = (_, send) => send()) {
  const steps: string[] = [];
  const elapse = async (ms: number) => void steps.push(`waits ${ms}`);
  const writer = database.open({ ...testEffects(), elapse }, async (call, send) => {
    const result = await intercept(call, send);
    steps.push(call.name);
    return result;
  });
  return { writer, steps };
}

describe('the age of a moment', () => {
  const since = { now: 1_000, monotonic: 50 };
  test.each([
    ['both clocks moved', { now: 1_030, monotonic: 80 }, 30],
    ['the machine was suspended', { now: 61_000, monotonic: 60 }, 60_000],
    ['the wall clock was set forth', { now: 9_000, monotonic: 80 }, 8_000],
    ['the wall clock was set back, if little', { now: 999, monotonic: 80 }, Number.POSITIVE_INFINITY],
    ['the monotonic clock is another process’s', { now: 1_030, monotonic: 49 }, Number.POSITIVE_INFINITY],
    ['no time has passed', since, 0],
  ])('%s', (_, { now, monotonic }, age) => {
    expect(ageOf({ now: () => now, monotonic: () => monotonic }, since)).toBe(age);
  });

  test('counts from the moment that was noted', () => {
    expect(momentOf({ now: () => 1, monotonic: () => 2 })).toEqual({ now: 1, monotonic: 2 });
    expect(ageOf(systemEffects, momentOf(systemEffects))).toBeGreaterThanOrEqual(0);
  });
});

test('hosts trust a read for less time than writers wait, so that clocks may run apart', () => {
  expect(MAX_READ_AGE_MS * 1.05).toBeLessThanOrEqual(COMMIT_WAIT_MS * 0.95);
});

describe('a writer', () => {
  const flags = (count: number) =>
    Array.from({ length: count }, (_, n) => ({ kind: 'flag' as const, document: aFlag({ key: `f${n}` }) }));
  const put = ({ documents }: FlagStore, envId: string, name: string) =>
    documents.writeFlag(envId, 'f', () => aFlag({ key: 'f', name }));

  test.each<[string, (writer: FlagStore, envId: string) => Promise<unknown>]>([
    ['a change', (writer, envId) => put(writer, envId, 'changed')],
    ['a change that was there', (writer, envId) => put(writer, envId, 'stored')],
    ['an import of several transactions', ({ documents }, envId) => documents.import(envId, flags(210))],
    [
      'a segment, and the flags that refer to it',
      ({ documents }, envId) => documents.writeSegment(envId, 's', () => aSegment({ id: 's' })),
    ],
    ['several documents', ({ documents }, envId) => documents.writeAll(envId, () => flags(2))],
    [
      'an undo',
      async ({ documents, history }, envId) => history.undo(envId, (await documents.version(envId)).updatedAt),
    ],
    [
      'an end of the environment',
      async ({ environments }, envId) => environments.remove(await environments.find(envId)),
    ],
  ])('waits 100 ms after the last request of %s', async (_, write) => {
    const envId = await newEnvironment(store);
    await put(store, envId, 'stored');
    const { writer, steps } = aWriter();
    await write(writer, envId);
    expect(steps.filter((step) => step.startsWith('waits'))).toEqual([`waits ${COMMIT_WAIT_MS}`]);
    expect(steps.at(-1)).toBe(`waits ${COMMIT_WAIT_MS}`);
  });

  test('waits before a refusal, as that tells what it has read', async () => {
    const envId = await newEnvironment(store);
    const { writer, steps } = aWriter();
    const refuse = () => {
      throw new NotFound('there is no such flag');
    };
    await expect(writer.documents.writeFlag(envId, 'f', refuse)).rejects.toThrow(NotFound);
    expect(steps.at(-1)).toBe(`waits ${COMMIT_WAIT_MS}`);
  });

  test('waits before a conflict with others', async () => {
    const envId = await newEnvironment(store);
    let n = 0;
    const { writer, steps } = aWriter(async ({ name }, send) => {
      if (name === 'TransactWriteItems') await put(store, envId, String(n++));
      return send();
    });
    await expect(put(writer, envId, 'mine')).rejects.toThrow(Conflict);
    expect(steps.filter((step) => step.startsWith('waits'))).toHaveLength(1);
    expect(steps.at(-1)).toBe(`waits ${COMMIT_WAIT_MS}`);
  });

  test('waits before the error of a change of which a part was written', async () => {
    const envId = await newEnvironment(store);
    let transactions = 0;
    const { writer, steps } = aWriter(async ({ name }, send) => {
      if (name === 'TransactWriteItems' && ++transactions > 1) throw new Error('no network');
      return send();
    });
    await expect(writer.documents.import(envId, flags(210))).rejects.toThrow('a part of the change was written');
    expect(steps.filter((step) => step.startsWith('waits'))).toHaveLength(1);
    expect(steps.at(-1)).toBe(`waits ${COMMIT_WAIT_MS}`);
  });
});
