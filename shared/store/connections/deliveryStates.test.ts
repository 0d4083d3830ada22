import { beforeEach, describe, expect, jest, test } from '@jest/globals';
import { aUser } from '../../testing/builders.ts';
import { beginAnswer, connect } from '../testing/connect.ts';
import { database, store, useStore } from '../testing/testStore.ts';
import { testEffects } from '../testing/testTables.ts';
import type { Connection, Registration } from './connection.ts';
import type { HeldLease } from './lease.ts';

let envId = '';
const effects = testEffects();
const { uuid, clock } = effects;
const LEASE_MS = 30_000;

useStore(effects);
beforeEach(() => {
  envId = uuid();
});

const request = (fields: Partial<Registration> = {}): Registration => ({
  id: 'c',
  type: 'client',
  user: aUser('u'),
  requestedAt: clock.now,
  ...fields,
});
const newer = (keyId = 'newer') => request({ user: aUser(keyId), requestedAt: clock.now + 1 });
const lease = () => ({ answerId: uuid(), leaseMs: LEASE_MS });
const begin = (registration = request()) => store.connections.states.begin(envId, registration, lease());
const answer = (registration = request()) => beginAnswer(store.connections, envId, registration, LEASE_MS);
const found = () => store.connections.find(envId, 'c') as Promise<Connection>;
const states = () => store.connections.states;

describe('the begin of an answer', () => {
  test('takes a lease, and returns the state before', async () => {
    expect(await begin()).toMatchObject({ kind: 'begun', lease: { envId, connectionId: 'c', asks: 0 } });
    expect(await found()).toMatchObject({ state: { kind: 'answering', leaseUntil: clock.now + LEASE_MS } });
    await connect(store.connections, envId, request({ id: 'd' }), 5);
    expect(await begin(request({ id: 'd', requestedAt: clock.now + 1 }))).toMatchObject({
      kind: 'begun',
      before: { id: 'd', state: { kind: 'current', version: 5 } },
    });
  });

  test.each([
    ['current', () => connect(store.connections, envId, request(), 5)],
    ['behind', async () => states().mark(envId, await connect(store.connections, envId, request()), 4, 'unreachable')],
    ['given up by its sender', async () => states().giveUp(await answer())],
    [
      'left by a sender that died',
      async () => {
        await answer();
        clock.now += LEASE_MS;
      },
    ],
  ])('is possible if the connection is %s; nothing of that is left', async (_, arrange) => {
    await arrange();
    const begun = await answer(newer());
    await states().finish(begun, 9);
    expect(await found()).toMatchObject({ user: { keyId: 'newer' }, state: { kind: 'current', version: 9 } });
  });

  test('leaves the request to the lease holder, which then answers for the newest user', async () => {
    const begun = await answer();
    expect(await begin(newer())).toEqual({ kind: 'left' });
    const finished = await states().finish(begun, 5);
    expect(finished).toMatchObject({ kind: 'asked again', registration: { user: { keyId: 'newer' } } });
    expect(await found()).toMatchObject({ state: { kind: 'answering' } });
    expect(await states().finish((finished as { lease: HeldLease }).lease, 5)).toEqual({ kind: 'finished' });
    expect(await found()).toMatchObject({ user: { keyId: 'newer' }, hasAskedBefore: true });
  });

  test.each([
    ['is being answered', () => answer(newer())],
    ['was answered', () => connect(store.connections, envId, newer())],
  ])('is too late if a newer data-sync %s', async (_, arrange) => {
    await arrange();
    expect(await begin()).toEqual({ kind: 'outdated' });
    expect(await found()).toMatchObject({ user: { keyId: 'newer' } });
  });

  test('takes the lease if the sender finishes between the two requests', async () => {
    const begun = await answer();
    let isFinished = false;
    const racing = database.open(effects, async (call, send) => {
      if (call.input.UpdateExpression.includes('ADD asks') && !isFinished) {
        isFinished = true;
        await states().finish(begun, 5);
      }
      return send();
    });
    expect(await racing.connections.states.begin(envId, newer(), lease())).toMatchObject({ kind: 'begun' });
  });

  test('is done if the response of a first try was lost', async () => {
    const once = lease();
    await store.connections.states.begin(envId, request(), once);
    const again = await store.connections.states.begin(envId, request(), once);
    expect(again).toMatchObject({ kind: 'begun', lease: { answerId: once.answerId, asks: 0 } });
    expect(await states().finish((again as { lease: HeldLease }).lease, 5)).toEqual({ kind: 'finished' });
  });

  test('is given up if other data-syncs keep finishing in between', async () => {
    let requestedAt = clock.now;
    let other = await answer();
    const racing = database.open(effects, async (call, send) => {
      if (call.input.UpdateExpression.includes('ADD asks')) {
        await states().finish(other, 5);
        other = await answer(request({ requestedAt: ++requestedAt }));
      }
      return send();
    });
    const late = request({ requestedAt: clock.now + 1_000 });
    await expect(racing.connections.states.begin(envId, late, lease())).rejects.toThrow('other data-syncs');
  });
});

describe('the end of an answer', () => {
  test('makes the connection current', async () => {
    expect(await states().finish(await answer(), 5)).toEqual({ kind: 'finished' });
    expect((await found()).state).toEqual({ kind: 'current', version: 5 });
  });

  test('is refused until what a push has left was sent', async () => {
    const begun = await answer();
    expect(await states().leave(envId, await found(), 200, false)).toBe(true);
    expect(await states().finish(begun, 199)).toEqual({ kind: 'changed' });
    expect(await states().finish(begun, 200)).toEqual({ kind: 'finished' });
  });

  test('is refused until the newest version left was sent, in any order of the versions', async () => {
    const begun = await answer();
    for (const version of [200, 100]) expect(await states().leave(envId, await found(), version, false)).toBe(true);
    expect(await states().finish(begun, 150)).toEqual({ kind: 'changed' });
    expect(await states().finish(begun, 200)).toEqual({ kind: 'finished' });
  });

  test.each([false, true])(
    'late is refused for what was left after its lease had expired (repeat: %s)',
    async (isRepeat) => {
      const begun = await answer();
      clock.now += LEASE_MS;
      expect(await states().leave(envId, await found(), 200, isRepeat)).toBe(true);
      expect((await states().finish(begun, 199)).kind).toBe(isRepeat ? 'asked again' : 'changed');
    },
  );

  test('is refused for each repeat left since the sender knew, also during a repeat', async () => {
    const begun = await answer();
    await states().leave(envId, await found(), 200, true);
    const first = (await states().finish(begun, 300)) as { kind: string; lease: HeldLease };
    await states().leave(envId, await found(), 200, true);
    const second = (await states().finish(first.lease, 300)) as { kind: string; lease: HeldLease };
    expect([first.kind, second.kind]).toEqual(['asked again', 'asked again']);
    expect(await states().finish(second.lease, 300)).toEqual({ kind: 'finished' });
  });

  test.each([
    ['another answer was begun', async () => void (await answer(newer()))],
    ['the connection is gone', async () => void (await store.connections.remove(envId, 'c'))],
  ])('has no effect where %s', async (_, happen) => {
    const begun = await answer();
    clock.now += LEASE_MS;
    await happen();
    const before = await found();
    expect(await states().finish(begun, 5)).toEqual({ kind: 'replaced' });
    expect(await found()).toEqual(before);
  });

  test('twice, as DynamoDB’s client may, takes back nothing that came in between', async () => {
    const begun = await answer();
    await states().finish(begun, 5);
    await states().mark(envId, await found(), 4, 'unreachable');
    expect(await states().finish(begun, 5)).toEqual({ kind: 'finished' });
    expect((await found()).state).toEqual({ kind: 'behind', version: 4, reason: 'unreachable' });
  });
});

test('giving up an answer has no effect once it is finished', async () => {
  const begun = await answer();
  await states().finish(begun, 5);
  await states().giveUp(begun);
  expect((await found()).state).toEqual({ kind: 'current', version: 5 });
});

describe('an answer that failed', () => {
  test('leaves how far it came to the next one, and no lease', async () => {
    await states().giveUp(await answer(), { sentTo: 7 });
    expect((await found()).state).toEqual({ kind: 'waiting', version: 7 });
    await answer(newer());
    expect((await found()).state).toEqual({ kind: 'answering', leaseUntil: clock.now + LEASE_MS });
  });

  test('is not finished by a request that was late', async () => {
    const begun = await answer();
    await states().giveUp(begun, { sentTo: 7 });
    await states().finish(begun, 9);
    expect((await found()).state).toEqual({ kind: 'waiting', version: 7 });
  });

  test('keeps its lease where its last message may still arrive', async () => {
    const begun = await answer();
    await states().giveUp(begun, { sentTo: 7, endsLease: false });
    await states().giveUp(begun, { endsLease: false });
    expect((await found()).state).toEqual({ kind: 'answering', leaseUntil: clock.now + LEASE_MS, sentTo: 7 });
  });

  test('holds up its function for a second at most', async () => {
    const begun = await answer();
    const timeout = jest.fn(() => AbortSignal.abort());
    const impatient = database.open({ ...effects, timeout }).connections.states;
    await expect(impatient.giveUp(begun)).rejects.toThrow('abort');
    expect(timeout.mock.calls).toEqual([[1_000]]);
  });
});

describe('a note of a delivery', () => {
  test('marks a connection as behind, waiting for healing, or current', async () => {
    const connection = await connect(store.connections, envId, request(), 5);
    await states().mark(envId, connection, 40, 'waiting');
    expect((await found()).state).toEqual({ kind: 'waiting', version: 40 });
    await states().mark(envId, connection, 41, 'interrupted');
    expect((await found()).state).toEqual({ kind: 'behind', version: 41, reason: 'interrupted' });
    await states().mark(envId, connection, 42);
    expect((await found()).state).toEqual({ kind: 'current', version: 42 });
  });

  test('has no effect on a connection that is being answered, has asked again or is gone', async () => {
    const connection = await connect(store.connections, envId, request(), 5);
    const note = async () => {
      const before = await found();
      await states().mark(envId, connection, 99);
      await states().mark(envId, connection, 98, 'unreachable');
      await states().mark(envId, connection, 96, 'waiting');
      expect(await states().leave(envId, connection, 97, false)).toBe(false);
      expect(await found()).toEqual(before);
    };
    const again = await answer(newer());
    await note();
    await states().finish(again, 6);
    await note();
    await store.connections.remove(envId, 'c');
    await note();
  });

  test('has no effect on a connection whose sender died: healing answers it', async () => {
    await answer();
    clock.now += LEASE_MS;
    await states().mark(envId, await found(), 9);
    expect((await found()).state.kind).toBe('answering');
  });
});

test('a table that fails is an error, and no note', async () => {
  const begun = await answer();
  const connection = await found();
  const failing = database.open(effects, async () => {
    throw new Error('throttled');
  }).connections.states;
  await expect(failing.begin(envId, newer(), lease())).rejects.toThrow('throttled');
  await expect(failing.finish(begun, 5)).rejects.toThrow('throttled');
  await expect(failing.leave(envId, connection, 5, false)).rejects.toThrow('throttled');
  await expect(failing.mark(envId, connection, 5)).rejects.toThrow('throttled');
});
