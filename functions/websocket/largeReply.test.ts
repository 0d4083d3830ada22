import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import fc from 'fast-check';
import type { Connection } from '../../shared/store/connections/connection.ts';
import { knownVersion } from '../../shared/store/connections/deliveryState.ts';
import { runs } from '../../shared/testing/runs.ts';
import { ask, connection, output, sender, service, skippingPauses } from '../testing/fixture.ts';
import { anAgent, come, die, heal, noted, put, syncOf, useRecovery, wait } from '../testing/recovery.ts';
import { dataSync, snapshotsOf } from '../testing/service.ts';
import { createSync } from './sync.ts';

/* Replies in parts that take longer than a call has time for, on a played clock. */

// Many requests to the embedded table.
jest.setTimeout(120_000);
useRecovery();

/** The first message takes some thirty of them, the others follow one by one. */
const keys = Array.from({ length: 44 }, (_, n) => `f${n}`);

async function putFlags(): Promise<void> {
  for (const key of keys) await put(key, 4_000);
}

/** Makes posts take time, and fail where they are chosen. @returns how many were tried, and until when each is tried again */
function slowPosts(postMs: number, isRefused = () => false) {
  const { post } = sender;
  const tried: (number | undefined)[] = [];
  sender.post = async (to: string, text: string, retryUntil?: number) => {
    tried.push(retryUntil);
    wait(postMs);
    if (isRefused()) throw new Error('LimitExceededException');
    return post(to, text);
  };
  return tried;
}

/** The keys of all flags that a connection was sent, in order. */
const flagsSent = (id: string): string[] =>
  sender.to(id).flatMap(({ data }) => data.featureFlags.map(({ key }: { key: string }) => key));

/** Calls of healing, one a minute. @returns how many there were until nobody waited */
async function healEveryMinute(most: number): Promise<number> {
  for (let calls = 1; calls <= most; calls++) {
    const beganAt = service.effects.now();
    await heal();
    service.effects.clock.now = Math.max(service.effects.now(), beganAt + 60_000);
    if ((await noted()).length === 0) return calls;
  }
  return Number.POSITIVE_INFINITY;
}

describe('a reply that takes longer than a call of healing', () => {
  beforeEach(putFlags);

  test('goes on in the next call where it was, and sends nothing twice', async () => {
    const life = fc.record({ postMs: fc.integer({ min: 4_000, max: 8_000 }), seed: fc.nat() });
    await fc.assert(
      fc.asyncProperty(life, async ({ postMs, seed }) => {
        const id = `s${seed} ${postMs}`;
        sender.sent.length = 0;
        const { post } = sender;
        const tried = slowPosts(postMs);
        await come(id, 'server');
        wait(60_000);
        const calls = await healEveryMinute(60);
        sender.post = post;
        const parts = sender.to(id).length;
        expect(parts).toBeGreaterThan(5);
        expect(tried).toHaveLength(parts);
        expect(flagsSent(id)).toEqual(keys);
        expect((await connection(id))?.state.kind).toBe('current');
        // Each call sends for at least half a minute.
        expect(calls).toBeLessThanOrEqual(Math.ceil(parts / Math.ceil(30_000 / postMs)) + 1);
      }),
      { numRuns: runs(3), endOnFailure: true },
    );
  });

  test('holds what was written meanwhile', async () => {
    slowPosts(9_000);
    await come('s', 'server');
    wait(60_000);
    await heal();
    expect(sender.to('s').length).toBeLessThan(10);
    // It made progress, so it does not count as an attempt.
    expect(await service.store.connections.unanswered.load(10)).toMatchObject([{ attempts: 0 }]);
    const changed = await put('f0', 4_000);
    await healEveryMinute(10);
    expect(flagsSent('s')).toEqual([...keys, 'f0']);
    expect((await connection('s'))?.state).toEqual({ kind: 'current', version: changed.updatedAt });
  });

  test('goes to another user from its beginning', async () => {
    const user = (keyId: string) => ({ keyId, customizedProperties: [] });
    let isRefusing = true;
    slowPosts(1_000, () => isRefusing && sender.sent.length % 2 === 1);
    await come('c');
    await ask(dataSync(0, user('u1')));
    expect((await connection())?.state).toMatchObject({ kind: 'waiting', version: expect.any(Number) });
    wait(1_000);
    isRefusing = false;
    await die('finish', syncOf('u2'));
    sender.sent.length = 0;
    wait(60_000);
    await healEveryMinute(3);
    expect(sender.to('c').at(0)).toMatchObject({ data: { eventType: 'full', userKeyId: 'u2' } });
    expect((await connection())?.state.kind).toBe('current');
  });
});

describe('a data-sync whose client reads too slowly', () => {
  beforeEach(putFlags);

  test('is tried until its time ends; healing continues with the refused message', async () => {
    const { post } = sender;
    let isRefusing = false;
    const tried = slowPosts(10, () => isRefusing || sender.sent.length === 4);
    await come('s', 'server');
    const cameAt = service.effects.now();
    await ask(dataSync(), { id: 's', type: 'server' });
    expect(tried).toEqual([undefined, ...Array(4).fill(cameAt + 20_000)]);
    expect([sender.to('s').length, await noted()]).toEqual([4, ['s']]);
    // While it takes nothing at all it is tried each minute, at little cost.
    isRefusing = true;
    wait(60_000);
    expect(await healEveryMinute(7)).toBe(Number.POSITIVE_INFINITY);
    expect(tried).toHaveLength(5 + 7);
    sender.post = post;
    expect(await healEveryMinute(1)).toBe(1);
    expect(flagsSent('s')).toEqual(keys);
  });
});

describe('a connection whose healing is killed each time', () => {
  beforeEach(() => {
    process.env['AWS_LAMBDA_LOG_GROUP_NAME'] = 'heal';
  });
  afterEach(() => {
    delete process.env['AWS_LAMBDA_LOG_GROUP_NAME'];
  });

  test.each([
    ['server', () => come('s', 'server')],
    ['agent', () => anAgent(2)],
  ])('is given up after five attempts with growing pauses, and reported: %s', async (_, arrive) => {
    await arrive();
    const [id = ''] = await noted();
    const begunAt: number[] = [];
    sender.post = () => {
      begunAt.push(service.effects.now());
      return new Promise(() => {});
    };
    wait(60_000);
    const start = service.effects.now();
    for (const minute of [0, 1, 2, 3, 5, 7, 14, 15, 30, 31]) {
      output.clear();
      service.effects.clock.now = start + minute * 60_000;
      const tries = begunAt.length;
      const call = heal();
      while (begunAt.length === tries && !(await Promise.race([call.then(() => true), pauseOfTest()])));
      const isReported = output.metrics().some((values) => Number(values['healed.waiting']) > 0);
      if (minute > 0 && (await noted()).length > 0) expect(isReported).toBe(true);
      if ((await noted()).length === 0) break;
    }
    expect(begunAt.map((at) => Math.round((at - start) / 60_000))).toEqual([0, 1, 3, 7, 15]);
    expect(output.lines()).toContainEqual(
      expect.objectContaining({ level: 'ERROR', connectionId: id, envId: expect.stringContaining(service.envId) }),
    );
    expect(output.lines()).toContainEqual(
      expect.objectContaining({ wayOut: expect.stringContaining('poll over HTTP') }),
    );
  });
});

test('sends later messages of a reply at the pace of the instance', async () => {
  await putFlags();
  let turns = 0;
  const pace = { turn: async () => void turns++ };
  const { connections, relays } = service.store;
  const deps = { connections, relays, snapshots: snapshotsOf(service), sender, pace, effects: skippingPauses() };
  await ask(dataSync(), { type: 'server', sync: createSync(deps) });
  expect([turns, sender.sent.length]).toEqual([15, 16]);
  const { post } = sender;
  sender.post = async (to, text) => {
    sender.post = post;
    const { updatedAt } = await put('late');
    await connections.states.leave(service.envId, (await connection()) as Connection, updatedAt, false);
    return post(to, text);
  };
  wait(1_000);
  const row = (await connection()) as Connection;
  await ask(dataSync(knownVersion(row.state)), { type: 'server', sync: createSync(deps) });
  expect([turns, sender.sent.length]).toEqual([16, 18]);
});

/** Lets the table answer. */
function pauseOfTest(): Promise<false> {
  return new Promise((resolve) => setImmediate(() => resolve(false)));
}
