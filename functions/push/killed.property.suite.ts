import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { Registration } from '../../shared/store/connections/connection.ts';
import type { StoredDocument } from '../../shared/store/documents/item.ts';
import { connect } from '../../shared/store/testing/connect.ts';
import { aFlag, aUser } from '../../shared/testing/builders.ts';
import { longRuns } from '../../shared/testing/runs.ts';
import { database, useService } from '../testing/fixture.ts';
import { aService, idsInShard, pushMessage, queueRecord, snapshotsOf, type TestService } from '../testing/service.ts';
import { createDeliver } from './deliver.ts';

/*
 * One message of the push queue, whose delivery is killed at its n-th step, handed in until it is delivered. A step is a
 * request to the table or a message to a connection: an odd number ends before it, an even one after it, unanswered.
 */

const SHARD = 5;
const REMAINING_MS = 30_000;
useService();

interface Delivery {
  readonly connections: number;
  readonly changes: number;
  readonly postsPerChunk: number;
  /** How long each message to a connection takes: some deliveries are not done in one call. */
  readonly postMs: number;
  /** How many steps calls live, one after another; those after them live on. */
  readonly lives: readonly number[];
}

/** What a delivery came to. */
interface Outcome {
  /** For each connection the changes it was sent, by their number. */
  readonly got: readonly number[][];
  readonly calls: number;
  /** Calls that were killed. */
  readonly killed: number;
}

async function play({ connections, changes, postsPerChunk, postMs, lives }: Delivery): Promise<Outcome> {
  const service = await aService(database);
  const { effects, envId, store } = service;
  const ids = idsInShard(SHARD, connections);
  const at = effects.now() - 3_600_000;
  for (const [n, id] of ids.entries()) {
    const who = n % 3 === 0 ? { type: 'client' as const, user: aUser('u') } : { type: 'server' as const };
    const registration: Registration = { id, ...who, requestedAt: at };
    await connect(store.connections, envId, registration);
  }
  const written: StoredDocument[] = [];
  for (let n = 0; n < changes; n++) {
    written.push(...(await store.documents.writeFlag(envId, `f${n}`, () => aFlag({ key: `f${n}` }))));
  }
  const { body } = pushMessage(written as [StoredDocument], SHARD);
  const sent: [id: string, key: string][] = [];
  const post = async (id: string, text: string) => {
    effects.clock.now += postMs;
    const [flag] = JSON.parse(text).data.featureFlags;
    sent.push([id, flag.key ?? flag.id]);
    return 'sent' as const;
  };
  const calls = await callUntilDone(service, body, { postsPerChunk, post, lives });
  const got = ids.map((id) => sent.filter(([to]) => to === id).map(([, key]) => Number(key.slice(1))));
  const { servedTo, progress } = await store.connections.loadShard(envId, SHARD);
  expect([servedTo, progress]).toEqual([written.at(-1)?.updatedAt, undefined]);
  return { got, ...calls };
}

/** Hands a message in until it is delivered. */
async function callUntilDone(
  service: TestService,
  body: string,
  {
    postsPerChunk,
    post,
    lives,
  }: Pick<Delivery, 'postsPerChunk' | 'lives'> & { post: (id: string, text: string) => Promise<'sent'> },
): Promise<Pick<Outcome, 'calls' | 'killed'>> {
  const { effects } = service;
  let killed = 0;
  for (let calls = 1; ; calls++) {
    let left = lives[calls - 1] ?? Number.POSITIVE_INFINITY;
    const living = async <T>(work: () => Promise<T>): Promise<T> => {
      if (--left <= 0) throw new Error('killed');
      const result = await work();
      if (--left <= 0) throw new Error('killed');
      return result;
    };
    const handler = createDeliver({
      ...database.open(effects, (_, send) => living(send)),
      snapshots: snapshotsOf(service, (_, send) => living(send)),
      sender: { post: (id, text) => living(() => post(id, text)) },
      queue: { changeVisibility: async () => {}, sendToDeadLetterQueue: async () => {} },
      postsPerChunk,
      now: effects.now,
    });
    const record = queueRecord(body, 0, { times: calls, sentAt: effects.now() });
    const { batchItemFailures } = await handler(
      { Records: [record] },
      { getRemainingTimeInMillis: () => REMAINING_MS },
    );
    if (left <= 0) killed++;
    else if (batchItemFailures.length === 0) return { calls, killed };
    if (calls > 500) throw new Error('it is never delivered');
  }
}

/** How many messages connections were sent more than once. */
const duplicates = ({ got }: Outcome) => got.reduce((sum, keys) => sum + keys.length - new Set(keys).size, 0);

/** The changes, each once, in order. */
const inOrder = (changes: number) => Array.from({ length: changes }, (_, n) => n);

describe('a delivery', () => {
  test('is continued after a kill at any step, and repeats a chunk at most', async () => {
    const delivery = { connections: 5, changes: 2, postsPerChunk: 4, postMs: 0 };
    for (let life = 1, killed = 1; killed > 0; life++) {
      const outcome = await play({ ...delivery, lives: [life] });
      ({ killed } = outcome);
      for (const keys of outcome.got) expect([life, [...new Set(keys)]]).toEqual([life, inOrder(2)]);
      expect(duplicates(outcome)).toBeLessThanOrEqual(killed * delivery.postsPerChunk);
      if (killed === 0) expect(life).toBeGreaterThan(25);
    }
  }, 60_000);

  test('repeats a chunk for each kill at most, also with several kills and calls', async () => {
    const delivery = fc.record({
      connections: fc.integer({ min: 1, max: 12 }),
      changes: fc.integer({ min: 1, max: 4 }),
      postsPerChunk: fc.integer({ min: 4, max: 8 }),
      postMs: fc.constantFrom(0, 3_000),
      lives: fc.array(fc.integer({ min: 1, max: 40 }), { maxLength: 4 }),
    });
    const holds = async (each: Delivery) => {
      const outcome = await play(each);
      for (const keys of outcome.got) expect([...new Set(keys)]).toEqual(inOrder(each.changes));
      expect(duplicates(outcome)).toBeLessThanOrEqual(outcome.killed * each.postsPerChunk);
    };
    await fc.assert(fc.asyncProperty(delivery, holds), { numRuns: longRuns(30) });
  }, 120_000);

  test('repeats nothing if it continues in another call for want of time', async () => {
    const outcome = await play({ connections: 30, changes: 1, postsPerChunk: 4, postMs: 2_000, lives: [] });
    expect(outcome.calls).toBeGreaterThan(2);
    expect(outcome.got).toEqual(outcome.got.map(() => [0]));
  });
});
