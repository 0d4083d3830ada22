import { GetItemCommand } from '@aws-sdk/client-dynamodb';
import { beforeEach, describe, expect, test } from '@jest/globals';
import { keys } from '../table/keys.ts';
import { database, store, useStore } from '../testing/testStore.ts';
import { testEffects } from '../testing/testTables.ts';
import { NOTE_PARTITIONS } from './unanswered.ts';

const effects = testEffects();
const { now } = effects;
const context = { envId: 'env', type: 'client', secretId: 'secret' };

useStore(effects);
beforeEach(async () => {
  for (const { id } of await store.connections.unanswered.load(1_000)) await store.connections.unanswered.remove(id);
});

describe('the note of a connection that waits', () => {
  test('comes back as it was made, and goes when it is removed', async () => {
    const { unanswered } = store.connections;
    const note = { id: 'L0SM9cOFvHcCIhw=', since: now(), context };
    await unanswered.note(note);
    expect(await unanswered.load(10)).toEqual([note]);
    await unanswered.remove(note.id);
    await unanswered.remove(note.id);
    expect(await unanswered.load(10)).toEqual([]);
  });

  test('is replaced by that of a later data-sync', async () => {
    const { unanswered } = store.connections;
    const notes = [1, 0, 2].map((ms) => ({ id: 'c', since: now() + ms, context: { type: `${ms}` } }));
    for (const note of notes) await unanswered.note(note);
    expect(await unanswered.load(10)).toEqual([notes[2]]);
  });

  test('goes by an answer unless it is of a later data-sync', async () => {
    const { unanswered } = store.connections;
    await unanswered.note({ id: 'c', since: now(), context });
    await unanswered.removeAnswered('c', now() - 1);
    expect(await unanswered.load(10)).toHaveLength(1);
    await unanswered.removeAnswered('c', now());
    expect(await unanswered.load(10)).toEqual([]);
  });

  test('keeps of what API Gateway adds to the context what is text', async () => {
    const odd = { ...context, principalId: 'env', integrationLatency: 7 as never, nothing: undefined };
    await store.connections.unanswered.note({ id: 'c', since: now(), context: odd });
    const [kept] = await store.connections.unanswered.load(10);
    expect(kept?.context).toEqual({ ...context, principalId: 'env' });
  });

  test('goes by itself ten minutes after the connection’s last possible moment', async () => {
    await store.connections.unanswered.note({ id: 'c', since: now(), context });
    const found = Array.from({ length: NOTE_PARTITIONS }, (_, n) =>
      store.tables.client.send(
        new GetItemCommand({ TableName: store.tables.connections, Key: keys.unanswered(n, 'c') }),
      ),
    );
    const expiries = (await Promise.all(found)).flatMap(({ Item }) => (Item ? [Number(Item['expiresAt']?.N)] : []));
    expect(expiries).toEqual([Math.floor(now() / 1_000) + 130 * 60]);
  });

  test('is claimed by one at a time, and again when that time is over', async () => {
    const { unanswered } = store.connections;
    await unanswered.note({ id: 'c', since: now(), context });
    const claims = await Promise.all([1, 2, 3].map(() => unanswered.claim('c', now(), now() + 60_000)));
    expect(claims.filter(Boolean)).toHaveLength(1);
    expect(await unanswered.claim('c', now() + 59_999, now() + 120_000)).toBe(false);
    expect(await unanswered.claim('c', now() + 60_000, now() + 120_000)).toBe(true);
    expect(await unanswered.load(10)).toMatchObject([{ attempts: 2, claimedUntil: now() + 120_000 }]);
  });

  test('counts no claim that cost nothing', async () => {
    const { unanswered } = store.connections;
    await unanswered.note({ id: 'c', since: now(), context });
    await unanswered.uncount('c');
    expect(await unanswered.load(10)).toEqual([{ id: 'c', since: now(), context }]);
    for (let n = 0; n < 2; n++) await unanswered.claim('c', now(), now());
    await unanswered.uncount('c');
    expect(await unanswered.load(10)).toMatchObject([{ attempts: 1 }]);
    await unanswered.uncount('gone');
    expect(await unanswered.load(10)).toHaveLength(1);
  });

  test('is not claimed where it is gone, and does not come back by that', async () => {
    expect(await store.connections.unanswered.claim('gone', now(), now() + 60_000)).toBe(false);
    expect(await store.connections.unanswered.load(10)).toEqual([]);
  });

  test('a table that fails is an error', async () => {
    const failing = database.open(effects, async () => {
      throw new Error('throttled');
    }).connections.unanswered;
    await expect(failing.note({ id: 'c', since: now(), context })).rejects.toThrow('throttled');
    await expect(failing.remove('c')).rejects.toThrow('throttled');
    await expect(failing.claim('c', now(), now())).rejects.toThrow('throttled');
  });
});

test('reads no more notes than asked for, evenly from all partitions', async () => {
  const { unanswered } = store.connections;
  for (let n = 0; n < 400; n++) await unanswered.note({ id: `connection-${n}`, since: now(), context });
  expect(await unanswered.load(10_000)).toHaveLength(400);
  expect(await unanswered.load(80)).toHaveLength(80);
});
