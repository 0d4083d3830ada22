import { beforeEach, describe, expect, test } from '@jest/globals';
import type { Push } from '../../shared/delivery/pushes.ts';
import { compileSnapshot } from '../../shared/evaluation/snapshot.ts';
import { formatTimestamp } from '../../shared/flags/timestamp.ts';
import type { Connection, Registration } from '../../shared/store/connections/connection.ts';
import { beginAnswer, connect } from '../../shared/store/testing/connect.ts';
import type { Intercept } from '../../shared/store/testing/testTables.ts';
import { aFlag, aUser } from '../../shared/testing/builders.ts';
import { database, sender, service, stepOf, useService } from '../testing/fixture.ts';
import { callTime } from './callTime.ts';
import { sendToConnection } from './sendToConnection.ts';

const LEASE_MS = 30_000;
/** The versions of the environment: one flag each. */
const EVERYTHING = [5, 10, 20];
useService();

/** The requests of the connection's sender to the table. */
let calls: string[];
beforeEach(async () => {
  calls = [];
  for (const id of await noted()) await service.store.connections.unanswered.remove(id);
});

const states = () => service.store.connections.states;
const found = () => service.store.connections.find(service.envId, 'c') as Promise<Connection>;
const noted = async () => (await service.store.connections.unanswered.load(100)).map(({ id }) => id);
const got = () => sender.to('c').map(({ data: { featureFlags } }) => featureFlags[0].key ?? featureFlags[0].id);

const server = (): Registration => ({ id: 'c', type: 'server', requestedAt: service.effects.now() });
const client = (keyId = 'u'): Registration => ({ ...server(), type: 'client', user: aUser(keyId) });
/** Has the connection ask as of now, and answers it with a version. */
const ask = (version: number, registration = server()) =>
  connect(service.store.connections, service.envId, registration, version);
/** Has the connection ask as of now. The answer is under way. */
const begin = (registration = server()) =>
  beginAnswer(service.store.connections, service.envId, registration, LEASE_MS);
/** Has a client ask that asked for another user a minute ago, and answers it with a version. */
async function askAgain(version: number): Promise<Connection> {
  await ask(0, client('before'));
  wait(60_000);
  return ask(version, client());
}

function wait(ms: number): void {
  service.effects.clock.now += ms;
}

function snapshotOf(versions: readonly number[]) {
  const flags = versions.map((at) => aFlag({ key: `f${at}`, updatedAt: formatTimestamp(at) }));
  return compileSnapshot({ envId: 'env', version: 0, flags, segments: [] });
}

const pushesOf = (versions: readonly number[]): Push[] =>
  snapshotOf(versions).flags.map((source) => ({ source, updatedAt: source.updatedAt }));

/** Sends a connection, as it was read, the changes of some versions. `held` is what the environment holds by then. */
async function send(
  connection: Connection,
  {
    versions = [20] as readonly number[],
    isRetry = false,
    held = EVERYTHING as readonly number[],
    beforeLeaving = async (): Promise<unknown> => undefined,
    readAt = service.effects.now(),
  } = {},
) {
  const intercept: Intercept = async (call, next) => {
    calls.push(call.name);
    if (stepOf(call) === 'leave') await beforeLeaving();
    return next();
  };
  const fanOut = {
    envId: service.envId,
    version: versions.at(-1) as number,
    pushes: pushesOf(versions).map((push) => ({ ...push, isRetry })),
    since: async (after: number) => pushesOf(EVERYTHING.filter((version) => version > after)),
    latest: async () => snapshotOf(held),
  };
  const time = callTime(service.effects.now, Number.POSITIVE_INFINITY);
  const deps = { ...database.open(service.effects, intercept), sender, now: service.effects.now, time };
  const result = await sendToConnection(deps, fanOut, connection, readAt);
  return (
    result && { sentTo: result.sentTo, sent: result.sent.map(({ updatedAt }) => updatedAt), unsent: result.unsent }
  );
}

const all = (sent: readonly number[]) => ({ sent, sentTo: sent.at(-1) ?? 0, unsent: undefined });

describe('a connection that is current', () => {
  test.each([
    [0, [5, 10, 20]],
    [5, [10, 20]],
    [19, [20]],
    [20, []],
    [21, []],
  ])('gets newer changes in order at version %i, without a request', async (version, expected) => {
    const connection = await ask(version);
    expect(await send(connection, { versions: EVERYTHING })).toEqual(all(expected));
    expect(got()).toEqual(expected.map((each) => `f${each}`));
    expect(calls).toEqual([]);
    expect(await found()).toEqual(connection);
  });

  test('is forgotten where it is gone', async () => {
    const connection = await ask(0);
    sender.gone.add('c');
    expect(await send(connection)).toBeUndefined();
    expect(await found()).toBeUndefined();
  });
});

describe('a connection that is behind', () => {
  test('is sent all that it lacks, and is current then', async () => {
    const connection = await ask(0);
    await states().mark(service.envId, connection, 5, 'interrupted');
    expect(await send(await found())).toEqual(all([10, 20]));
    expect(got()).toEqual(['f10', 'f20']);
    expect((await found()).state).toEqual({ kind: 'current', version: 20 });
  });

  test('stays behind if it cannot be reached, and reports what it was not sent', async () => {
    const connection = await ask(0);
    await states().mark(service.envId, connection, 5, 'unreachable');
    const before = await found();
    sender.failing.add('c');
    expect(await send(before)).toMatchObject({
      sentTo: 0,
      unsent: { at: 10, error: { message: 'c cannot be reached' } },
    });
    expect(await found()).toEqual(before);
  });

  test('has only the state of its new answer if it asks again meanwhile', async () => {
    const connection = await ask(0);
    await states().mark(service.envId, connection, 5, 'interrupted');
    const behind = await found();
    const { post } = sender;
    sender.post = async (to, text) => {
      const posted = await post(to, text);
      if (sender.sent.length === 2) await begin();
      return posted;
    };
    await send(behind);
    expect((await found()).state).toMatchObject({ kind: 'answering' });
  });
});

describe('a connection that healing answers', () => {
  test.each<[string, () => Promise<unknown>]>([
    ['as it could not be reached', async () => states().mark(service.envId, await ask(0), 0, 'waiting')],
    ['as its answer failed', async () => states().giveUp(await begin())],
  ])('gets nothing %s, and is noted in each delivery', async (_, arrange) => {
    await arrange();
    const before = await found();
    expect(await send(before, { versions: EVERYTHING, isRetry: true })).toBeUndefined();
    expect([got(), calls]).toEqual([[], ['PutItem']]);
    expect(await found()).toEqual(before);
    expect(await noted()).toEqual(['c']);
  });

  test('leaves changes to a sender that may have died, and is noted', async () => {
    const answer = await begin();
    wait(LEASE_MS);
    expect(await send(await found())).toBeUndefined();
    expect([got(), calls]).toEqual([[], ['UpdateItem', 'PutItem']]);
    expect(await noted()).toEqual(['c']);
    expect(await states().finish(answer, 19)).toEqual({ kind: 'changed' });
  });

  test('is noted with all that healing must know', async () => {
    const registration = { ...server(), secretId: 's', patchContents: 'any' };
    await states().mark(service.envId, await ask(0, registration), 0, 'waiting');
    await send(await found());
    expect(await service.store.connections.unanswered.load(100)).toEqual([
      {
        id: 'c',
        since: registration.requestedAt,
        notedAt: service.effects.now(),
        context: { envId: service.envId, type: 'server', secretId: 's', patchContents: 'any' },
      },
    ]);
  });

  test('is noted as an agent if it is one', async () => {
    const registration = { ...server(), secretId: 'agents', relayEnvIds: `${service.envId},other` };
    await states().mark(service.envId, await ask(0, registration), 0, 'waiting');
    await send(await found());
    const [note] = await service.store.connections.unanswered.load(100);
    expect(note?.context).toEqual({ type: 'relay-proxy', secretId: 'agents', envIds: `${service.envId},other` });
  });

  test('keeps the number of attempts in its note', async () => {
    const { unanswered } = service.store.connections;
    await states().mark(service.envId, await ask(0), 0, 'waiting');
    await send(await found());
    await unanswered.claim('c', service.effects.now(), service.effects.now() + 1_000);
    await send(await found());
    expect(await unanswered.load(100)).toMatchObject([{ attempts: 1 }]);
  });
});

describe('a connection that is being answered', () => {
  test('is left to its sender, which cannot finish before it has sent the version', async () => {
    const answer = await begin();
    wait(LEASE_MS - 1);
    expect(await send(await found())).toBeUndefined();
    expect([got(), calls]).toEqual([[], ['UpdateItem']]);
    expect(await states().finish(answer, 19)).toEqual({ kind: 'changed' });
    expect(await states().finish(answer, 20)).toEqual({ kind: 'finished' });
  });

  test.each([
    ['lacks', 10, [20]],
    ['holds', 20, []],
  ])('gets the changes that its answer %s from a sender that has just finished', async (_, version, expected) => {
    const answer = await begin();
    const beforeLeaving = () => states().finish(answer, version);
    expect(await send(await found(), { versions: [10, 20], beforeLeaving })).toEqual(all(expected));
    expect(got()).toEqual(expected.map((each) => `f${each}`));
    expect((await found()).state).toEqual({ kind: 'current', version });
  });

  test('gets changes for a newer user from a sender that has just finished', async () => {
    const answer = await begin(client('u'));
    const beforeLeaving = async () => {
      const lease = { answerId: service.effects.uuid(), leaseMs: LEASE_MS };
      expect(await states().begin(service.envId, client('newer'), lease)).toEqual({ kind: 'left' });
      const finished = await states().finish(answer, 10);
      if (finished.kind === 'asked again') await states().finish(finished.lease, 10);
    };
    expect(await send(await found(), { beforeLeaving })).toEqual(all([20]));
    expect(sender.to('c')).toMatchObject([{ data: { userKeyId: 'newer', featureFlags: [{ id: 'f20' }] } }]);
  });

  test('gets all that it lacks if it is behind by now', async () => {
    const answer = await begin();
    const beforeLeaving = async () => {
      await states().finish(answer, 5);
      await states().mark(service.envId, await found(), 5, 'unreachable');
    };
    expect(await send(await found(), { beforeLeaving })).toEqual(all([10, 20]));
    expect((await found()).state).toEqual({ kind: 'current', version: 20 });
  });

  test('gets nothing if it has ended by now, and is not remembered', async () => {
    await begin();
    const beforeLeaving = () => service.store.connections.remove(service.envId, 'c');
    expect(await send(await found(), { beforeLeaving })).toBeUndefined();
    expect(got()).toEqual([]);
    expect(await found()).toBeUndefined();
  });

  test.each([
    ['is under way', false],
    ['is finished', true],
  ])('gets nothing if its next answer %s, as that was read later', async (_, isFinished) => {
    const answer = await begin();
    const beforeLeaving = async () => {
      await states().finish(answer, 10);
      const next = await begin();
      if (isFinished) await states().finish(next, 20);
    };
    expect(await send(await found(), { beforeLeaving })).toBeUndefined();
    expect(got()).toEqual([]);
    const { answerId, state } = await found();
    expect(state).toMatchObject(isFinished ? { kind: 'current', version: 20 } : { kind: 'answering' });
    if (isFinished) return;
    // Nothing was left to the next sender: it need not send more than it read.
    const next = { envId: service.envId, connectionId: 'c', answerId, asks: 0 };
    expect(await states().finish(next, 10)).toEqual({ kind: 'finished' });
  });

  test('keeps a new sender after the lease has expired', async () => {
    await begin();
    wait(LEASE_MS);
    const expired = await found();
    const next = await begin();
    await send(expired);
    expect((await found()).state).toEqual({ kind: 'answering', leaseUntil: service.effects.now() + LEASE_MS });
    expect(await states().finish(next, 20)).toEqual({ kind: 'finished' });
  });
});

describe('a repeated change for another user of the connection', () => {
  test('is sent again to a client that asked before, though its answer held it', async () => {
    const connection = await askAgain(20);
    expect(await send(connection, { versions: [10, 20], isRetry: true })).toEqual({ ...all([10, 20]), sentTo: 0 });
    expect(got()).toEqual(['f10', 'f20']);
    expect(await found()).toEqual(connection);
  });

  test('is sent again with what its answer lacks, and only that counts as owed', async () => {
    const connection = await askAgain(10);
    expect(await send(connection, { versions: EVERYTHING, isRetry: true, held: [10, 20] })).toEqual(all([10, 20]));
    expect(got()).toEqual(['f10', 'f20']);
  });

  test('is not sent again if it has been replaced, as the answer may have its successor', async () => {
    const connection = await askAgain(20);
    expect(await send(connection, { versions: [10, 20], isRetry: true, held: [20] })).toMatchObject({ sent: [20] });
    expect(got()).toEqual(['f20']);
  });

  test('is not sent again in a delivery that begins', async () => {
    expect(await send(await askAgain(20))).toEqual(all([]));
  });

  test('is not sent again to a client that did not ask before, nor to a server', async () => {
    expect(await send(await ask(20, client()), { isRetry: true })).toEqual(all([]));
    await service.store.connections.remove(service.envId, 'c');
    await ask(0);
    wait(60_000);
    const again = await ask(20);
    expect(again).toMatchObject({ hasAskedBefore: true });
    expect(await send(again, { isRetry: true })).toEqual(all([]));
    expect(got()).toEqual([]);
  });

  test('is left to the sender that answers it, which sends everything again', async () => {
    await askAgain(0);
    wait(1_000);
    const answer = await begin(client());
    expect(await send(await found(), { isRetry: true })).toBeUndefined();
    expect(got()).toEqual([]);
    const finished = await states().finish(answer, 20);
    expect(finished).toMatchObject({ kind: 'asked again', registration: { user: { keyId: 'u' } } });
    if (finished.kind === 'asked again')
      expect(await states().finish(finished.lease, 20)).toEqual({ kind: 'finished' });
  });

  test.each([
    ['a delivery that begins', client, false],
    ['a server', server, true],
  ])('is left without that for %s', async (_, registration, isRetry) => {
    await ask(0, registration());
    wait(60_000);
    const answer = await begin(registration());
    expect(await send(await found(), { isRetry })).toBeUndefined();
    expect(await states().finish(answer, 20)).toEqual({ kind: 'finished' });
  });

  test('is sent again where the sender finished just now', async () => {
    await askAgain(0);
    wait(1_000);
    const answer = await begin(client());
    const beforeLeaving = () => states().finish(answer, 20);
    expect(await send(await found(), { isRetry: true, beforeLeaving })).toMatchObject({ sent: [20], sentTo: 0 });
    expect(got()).toEqual(['f20']);
  });
});

describe('a connection that was read more than two seconds ago', () => {
  test('is sent nothing if it has asked again, as the answer has the changes', async () => {
    const connection = await ask(0);
    const readAt = service.effects.now();
    wait(2_001);
    await ask(20);
    expect(await send(connection, { versions: [5, 10], readAt })).toEqual(all([]));
    expect(got()).toEqual([]);
  });

  test('is sent newer changes otherwise, and read again once', async () => {
    const connection = await ask(0);
    const readAt = service.effects.now();
    wait(2_001);
    expect(await send(connection, { versions: [5, 10], readAt })).toEqual(all([5, 10]));
    expect(calls).toEqual(['GetItem']);
  });
});
