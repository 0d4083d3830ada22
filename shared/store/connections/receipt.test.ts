import { beforeEach, describe, expect, test } from '@jest/globals';
import { idsInShard } from '../../../functions/testing/service.ts';
import { aFlag, aUser } from '../../testing/builders.ts';
import { beginAnswer, connect } from '../testing/connect.ts';
import { database, store, useStore } from '../testing/testStore.ts';
import { testEffects } from '../testing/testTables.ts';
import { KEPT_ROUNDS } from './connection.ts';
import { HostReports } from './hostReports.ts';
import { countBehind, findVersion, isComplete, readReceipt } from './receipt.ts';
import { receiptLines } from './receiptText.ts';

/** The time of the change, its version, and the time when connections opened. */
const AT = Date.UTC(2024, 0, 1, 12);
const VERSION = AT;
const EARLIER = AT - 60_000;

const effects = testEffects(AT);
const { uuid } = effects;
let envId = '';

useStore(effects);
beforeEach(() => {
  envId = uuid();
});

const read = () => readReceipt(store.connections, store.hosts, envId, { version: VERSION, at: AT });
const lines = async () => receiptLines({ at: AT }, await read());
const registration = (id: string, requestedAt = EARLIER) => ({ id, type: 'server' as const, requestedAt });
const open = (id: string, version: number, requestedAt = EARLIER) =>
  connect(store.connections, envId, registration(id, requestedAt), version);
const served = (shard: number, at: number, left = 0, version = VERSION) =>
  store.connections.shards.markServed(envId, shard, version, [{ version, at, left }]);

describe('a receipt', () => {
  test('claims nothing and is complete without connections', async () => {
    const receipt = await read();
    expect(receipt).toEqual({
      version: VERSION,
      handed: 0,
      behind: {},
      behindIds: [],
      unknownHosts: [],
      later: 0,
    });
    expect(isComplete(receipt)).toBe(true);
    expect(await lines()).toEqual(['no SDK that connected before this change is connected now']);
  });

  test('does not deny SDKs that connected after the change', async () => {
    await open('later', VERSION, AT + 1_000);
    expect(await lines()).toEqual(['no SDK that connected before this change is connected now']);
  });

  test('counts the connections of all served shards, and has the end of the last push', async () => {
    const [a, b] = [idsInShard(2, 1), idsInShard(9, 2)] as [[string], [string, string]];
    for (const id of [...a, ...b]) await open(id, VERSION - 1);
    expect(await read()).toMatchObject({ handed: 0, behind: { current: 3 }, behindIds: [...a, ...b.toSorted()] });
    await served(2, AT + 900);
    await served(9, AT + 3_900);
    expect(await read()).toMatchObject({ handed: 3, behind: {}, lastAt: AT + 3_900, later: 0 });
    expect(await lines()).toEqual(['live on 3 of 3 SDKs in 3.9 s']);
  });

  test('is not complete while a host has just started and counts no connection yet', async () => {
    const reports = new HostReports({ client: store.tables.client, name: store.tables.connections, effects });
    const report = { open: 0, servedTo: 0, served: 0, newest: VERSION - 1, behind: 0, rounds: [] };
    await reports.write(envId, { id: 'new', owner: 'o' }, report, true);
    const receipt = await read();
    expect([isComplete(receipt), receipt.unknownHosts]).toEqual([false, ['new']]);
  });

  test('knows the connections of a host that reports, and removes its note, during the reading', async () => {
    const host = { id: 'reporting', owner: 'o' };
    await store.hosts.write(host);
    const reports = new HostReports({ client: store.tables.client, name: store.tables.connections, effects });
    const load = async () => {
      const report = { open: 1, servedTo: VERSION - 1, served: 1, newest: VERSION, behind: 1, rounds: [] };
      await reports.write(envId, host, report, true);
      await store.hosts.remove(host);
      return store.hosts.load();
    };
    const receipt = await readReceipt(store.connections, { load }, envId, { version: VERSION, at: AT });
    expect([isComplete(receipt), receipt.behind, receipt.unknownHosts]).toEqual([false, { onHost: 1 }, []]);
  });

  test('names each connection that does not have the version by the kind of its state', async () => {
    const [failed, healing, answered, ahead] = idsInShard(3, 4) as [string, string, string, string];
    const { states } = store.connections;
    await states.mark(envId, await open(failed, VERSION - 1), VERSION - 1, 'unreachable');
    await states.mark(envId, await open(healing, VERSION - 1), VERSION - 1, 'waiting');
    await beginAnswer(store.connections, envId, registration(answered));
    // Behind a later version.
    await states.mark(envId, await open(ahead, VERSION), VERSION + 5, 'unreachable');
    await served(3, AT + 1_000, 4);
    const receipt = await read();
    expect(receipt.behind).toEqual({ behind: 1, waiting: 1, answering: 1 });
    expect(receipt).toMatchObject({ handed: 1 });
    expect(receipt.behindIds.toSorted()).toEqual([failed, healing, answered].toSorted());
    expect(isComplete(receipt)).toBe(false);
    const [sentence, behind] = await lines();
    expect(sentence).toBe('live on 1 of 4 SDKs');
    for (const kind of [
      '1 push failed, retried with the next delivery',
      '1 waiting for healing',
      '1 answer in progress',
    ]) {
      expect(behind).toContain(kind);
    }
    expect(behind).toContain(` (${receipt.behindIds.join(', ')})`);
  });

  test('says how many got the version after the pushes', async () => {
    await open(idsInShard(3, 1)[0] as string, VERSION - 1);
    await open(idsInShard(3, 2)[1] as string, VERSION);
    await served(3, AT + 1_000, 1);
    expect(await lines()).toEqual([
      'live on 2 of 2 SDKs in 1 s',
      'up to 1 of them later, by the answer to a data-sync or by healing',
    ]);
  });

  test('does not count connections that opened after the version was written', async () => {
    await open(idsInShard(3, 1)[0] as string, VERSION, AT + 1);
    expect(await read()).toMatchObject({ handed: 0, behind: {} });
  });

  test('counts a connection without the version, also if it opened later by a slow clock', async () => {
    await open(idsInShard(3, 1)[0] as string, VERSION - 1, AT + 60_000);
    expect(countBehind(await read())).toBe(1);
    // A delivery proves when the version existed at the latest.
    await served(4, AT + 59_000);
    expect(countBehind(await read())).toBe(0);
  });

  test('counts what an unfinished delivery has sent', async () => {
    const [first, second] = idsInShard(3, 2).toSorted() as [string, string];
    for (const id of [first, second]) await open(id, VERSION - 1);
    await store.connections.shards.markProgress(envId, 3, { version: VERSION, servedId: first, begunId: second });
    expect(await read()).toMatchObject({ handed: 1, behind: { current: 1 }, behindIds: [second] });
  });

  test('has no time if the delivery is older than those that are kept', async () => {
    await open(idsInShard(3, 1)[0] as string, VERSION - 1);
    const rounds = Array.from({ length: KEPT_ROUNDS + 2 }, (_, n) => ({ version: VERSION + n, at: AT + n, left: 0 }));
    await store.connections.shards.markServed(envId, 3, VERSION + KEPT_ROUNDS + 1, rounds);
    const receipt = await read();
    expect(receipt.handed).toBe(1);
    expect(receipt.lastAt).toBeUndefined();
    expect((await store.connections.loadShard(envId, 3)).rounds).toEqual(rounds.slice(2));
  });

  test('names ten connections at most', async () => {
    for (const id of idsInShard(3, 12)) await open(id, VERSION - 1);
    const receipt = await read();
    expect(receipt.behindIds).toHaveLength(10);
    expect((await lines())[1]).toMatch(/ and 2 more\)$/);
  });

  test('reads with strong consistency, shards first, and no attribute with a user', async () => {
    const reads: string[] = [];
    const counting = database.open(effects, ({ input }, send) => {
      expect(input).toMatchObject({ ConsistentRead: true, Select: 'SPECIFIC_ATTRIBUTES' });
      expect(Object.values(input.ExpressionAttributeNames)).not.toContain('user');
      reads.push(input.KeyConditionExpression);
      return send();
    });
    await connect(store.connections, envId, { ...registration('c'), type: 'client', user: aUser('u') }, VERSION);
    await readReceipt(counting.connections, store.hosts, envId, { version: VERSION, at: AT });
    const times = (condition: string) => Array.from({ length: 16 }, () => `pk = :pk AND ${condition}`);
    expect(reads).toEqual([...times('sk = :sk'), ...times('sk > :sk'), 'pk = :pk']);
  });

  test('costs about 0.08 read units for each connection', async () => {
    for (const id of idsInShard(3, 200)) await open(id, VERSION);
    let units = 0;
    const counting = database.open(effects, async ({ input }, send) => {
      input.ReturnConsumedCapacity = 'TOTAL';
      const { output } = (await send()) as { output: { ConsumedCapacity: { CapacityUnits: number } } };
      units += output.ConsumedCapacity.CapacityUnits;
      return { output, response: undefined };
    });
    await readReceipt(counting.connections, store.hosts, envId, { version: VERSION, at: AT });
    expect(units).toBeLessThan(32 + 200 * 0.08);
  });
});

describe('a change', () => {
  test('is found by each version that it wrote; by default it is the newest', async () => {
    const { environment } = await store.environments.create(`env ${uuid()}`);
    effects.clock.now += 1_000;
    const write = async (...keys: string[]) => {
      effects.clock.now += 1_000;
      const documents = keys.map((key) => ({ kind: 'flag' as const, document: aFlag({ key, updatedAt: '' }) }));
      return (await store.documents.import(environment.id, documents)).map(({ updatedAt }) => updatedAt);
    };
    const [first] = await write('a');
    const second = await write('b', 'c', 'd');
    const newest = await findVersion(store.history, environment.id);
    expect(newest).toEqual({ change: second.at(-1), version: second.at(-1), at: effects.now() });
    for (const version of second) expect(await findVersion(store.history, environment.id, version)).toEqual(newest);
    expect(await findVersion(store.history, environment.id, first)).toMatchObject({ version: first });
    expect(await findVersion(store.history, environment.id, Number(first) + 1)).toBeUndefined();
    expect(await findVersion(store.history, uuid())).toBeUndefined();
  });
});
