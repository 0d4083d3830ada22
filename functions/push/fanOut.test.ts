import { beforeEach, describe, expect, test } from '@jest/globals';
import type { Push } from '../../shared/delivery/pushes.ts';
import { compileSnapshot } from '../../shared/evaluation/snapshot.ts';
import { formatTimestamp } from '../../shared/flags/timestamp.ts';
import type { Connection, Registration } from '../../shared/store/connections/connection.ts';
import type { HeldLease } from '../../shared/store/connections/lease.ts';
import { beginAnswer, connect } from '../../shared/store/testing/connect.ts';
import type { Intercept } from '../../shared/store/testing/testTables.ts';
import { aFlag, aUser } from '../../shared/testing/builders.ts';
import { database, output, sender, service, stepOf, useService } from '../testing/fixture.ts';
import { type CallTime, callTime } from './callTime.ts';
import { fanOut } from './fanOut.ts';

useService();

const found = (id: string) => service.store.connections.find(service.envId, id) as Promise<Connection>;

const noted = async () => (await service.store.connections.unanswered.load(100)).map(({ id }) => id);
beforeEach(async () => {
  for (const id of await noted()) await service.store.connections.unanswered.remove(id);
});

const serverOf = (id: string): Registration => ({ id, type: 'server', requestedAt: service.effects.now() });

/** Connects servers that were answered with version 0. */
async function connectServers(...ids: string[]): Promise<void> {
  await Promise.all(ids.map((id) => connect(service.store.connections, service.envId, serverOf(id))));
}

/** Begins the answer to a server's data-sync. */
const beginServer = (id: string, leaseMs?: number) =>
  beginAnswer(service.store.connections, service.envId, serverOf(id), leaseMs);

/** Lets the table refuse that versions are left to senders. */
const leavingFails: Intercept = (call, next) => {
  if (stepOf(call) === 'leave') throw new Error('throttled');
  return next();
};

function snapshotOf(versions: readonly number[]) {
  const flags = versions.map((at) => aFlag({ key: `f${at}`, updatedAt: formatTimestamp(at) }));
  return compileSnapshot({ envId: 'env', version: 0, flags, segments: [] });
}

/** What is pushed for flags written with these versions. */
function pushes(...versions: number[]): Push[] {
  return snapshotOf(versions).flags.map((source) => ({ source, updatedAt: source.updatedAt }));
}

/** Sends what was written with these versions to connections, as they are in the table. */
async function send(
  ids: readonly string[],
  versions: readonly number[],
  {
    everything = versions,
    intercept,
    reload = () => Promise.all(ids.map(found)),
    time = {},
    isRetry,
  }: {
    everything?: readonly number[];
    intercept?: Intercept;
    reload?: () => Promise<Connection[]>;
    time?: Partial<CallTime>;
    isRetry?: boolean;
  } = {},
) {
  const { effects, envId } = service;
  const round = {
    envId,
    version: versions.at(-1) as number,
    pushes: pushes(...versions).map((push) => ({ ...push, isRetry })),
    since: async (after: number) => pushes(...everything.filter((version) => version > after)),
    latest: async () => snapshotOf(versions),
  };
  const read = { connections: await Promise.all(ids.map(found)), readAt: effects.now(), reload };
  const { now } = effects;
  const deps = { sender, now, time: { ...callTime(now, Number.POSITIVE_INFINITY), ...time } };
  return fanOut({ ...database.open(effects, intercept), ...deps }, round, read);
}

const got = (id: string) => sender.to(id).map(({ data }) => data.featureFlags[0].key);

describe('a shard', () => {
  test('gets items in order, on each of many connections', async () => {
    const ids = Array.from({ length: 150 }, (_, n) => `c${n}`);
    await connectServers(...ids);
    await send(ids, [10, 20, 30]);
    for (const id of ids) expect(got(id)).toEqual(['f10', 'f20', 'f30']);
  });

  test('has a limit of messages at the same time, and of one for each connection', async () => {
    const ids = Array.from({ length: 200 }, (_, n) => `c${n}`);
    await connectServers(...ids);
    const underWay = new Map<string, number>();
    let most = 0;
    const { post } = sender;
    sender.post = async (to, text) => {
      underWay.set(to, (underWay.get(to) ?? 0) + 1);
      expect(underWay.get(to)).toBe(1);
      const total = [...underWay.values()].reduce((sum, n) => sum + n, 0);
      most = Math.max(most, total);
      await new Promise((resolve) => setImmediate(resolve));
      underWay.set(to, 0);
      return post(to, text);
    };
    await send(ids, [10, 20]);
    expect(most).toBe(64);
  });

  test('forgets connections that are gone, and goes on', async () => {
    await connectServers('gone', 'there');
    sender.gone.add('gone');
    await send(['gone', 'there'], [10, 20]);
    expect(await found('gone')).toBeUndefined();
    expect(got('there')).toEqual(['f10', 'f20']);
  });

  test('costs no request where nothing goes wrong', async () => {
    await connectServers('a', 'b');
    const calls: string[] = [];
    await send(['a', 'b'], [10], {
      intercept: ({ name }, next) => {
        calls.push(name);
        return next();
      },
    });
    expect(calls).toEqual([]);
  });
});

/** That all was sent to some connections. */
const complete = (begun: number) => ({ begun, isCut: false, errors: [] });

describe('a connection that cannot be reached', () => {
  test('is reported once, and noted as behind; those that were reached are not noted', async () => {
    await connectServers('a', 'failing', 'b');
    sender.failing.add('failing');
    const { errors, ...result } = await send(['a', 'failing', 'b'], [10, 20]);
    expect(result).toEqual({ begun: 3, isCut: false });
    expect(errors.map(String)).toEqual(['Error: failing cannot be reached']);
    for (const id of ['a', 'b']) expect((await found(id)).state).toEqual({ kind: 'current', version: 0 });
    expect((await found('failing')).state).toEqual({ kind: 'behind', version: 9, reason: 'unreachable' });
    expect(output.lines()).toEqual([]);

    sender.failing.clear();
    expect(await send(['failing'], [10, 20], { everything: [5, 10, 20] })).toEqual(complete(1));
    expect(got('failing')).toEqual(['f10', 'f20']);
    expect((await found('failing')).state).toEqual({ kind: 'current', version: 20 });
  });

  test('gets the rest and nothing twice after a failure in the middle', async () => {
    await connectServers('c');
    const { post } = sender;
    let posts = 0;
    sender.post = async (to, text) => {
      if (++posts === 2) throw new Error('busy');
      return post(to, text);
    };
    expect((await send(['c'], [10, 20, 30])).errors).toHaveLength(1);
    expect((await found('c')).state).toEqual({ kind: 'behind', version: 19, reason: 'unreachable' });
    await send(['c'], [10, 20, 30]);
    expect(got('c')).toEqual(['f10', 'f20', 'f30']);
    expect((await found('c')).state).toEqual({ kind: 'current', version: 30 });
  });

  test('is left to healing after a second failure, and later deliveries skip it', async () => {
    await connectServers('failing', 'a');
    sender.failing.add('failing');
    expect((await send(['failing', 'a'], [10])).errors).toHaveLength(1);
    expect(await noted()).toEqual([]);
    expect(await send(['failing'], [10])).toEqual(complete(1));
    expect((await found('failing')).state).toEqual({ kind: 'waiting', version: 9 });
    expect(await noted()).toEqual(['failing']);
    expect(output.lines()).toMatchObject([
      { message: 'connections left to healing', envId: service.envId, unreached: 1, connections: 1 },
    ]);

    sender.failing.clear();
    expect(await send(['failing', 'a'], [20], { everything: [10, 20] })).toEqual(complete(2));
    expect(got('failing')).toEqual([]);
    expect(got('a')).toEqual(['f10', 'f20']);
  });

  test('is an error if it cannot be noted for healing, until the next attempt notes it', async () => {
    await connectServers('failing');
    sender.failing.add('failing');
    await send(['failing'], [10]);
    const intercept: Intercept = ({ name }, next) => {
      if (name === 'PutItem') throw new Error('throttled');
      return next();
    };
    await expect(send(['failing'], [10], { intercept })).rejects.toThrow('1 of 1 connections');
    expect(await noted()).toEqual([]);
    await send(['failing'], [10]);
    expect(await noted()).toEqual(['failing']);
  });

  test('is reported apart from those that could not be before', async () => {
    await connectServers('failing', 'a');
    sender.failing.add('failing');
    await send(['failing', 'a'], [10]);
    sender.failing.add('a');
    expect((await send(['failing', 'a'], [20])).errors.map(String)).toEqual(['Error: a cannot be reached']);
    expect(output.lines()).toMatchObject([{ unreached: 1, connections: 2 }]);
  });

  test('is an error if the table does not mark it as behind', async () => {
    await connectServers('a', 'b');
    sender.failing.add('a');
    const intercept: Intercept = ({ name }, next) => {
      if (name === 'UpdateItem') throw new Error('throttled');
      return next();
    };
    await expect(send(['a', 'b'], [10], { intercept })).rejects.toMatchObject({
      message: '1 of 2 connections could not be served',
      cause: { message: 'throttled' },
    });
  });

  test('is tried alone by another attempt if the table fails, as others are noted', async () => {
    await connectServers('a', 'failing');
    await connect(service.store.connections, service.envId, serverOf('answered'), 20);
    const answer = await beginServer('answering');
    sender.failing.add('failing');
    const ids = ['a', 'answered', 'answering', 'failing'];
    await expect(send(ids, [10, 20], { intercept: leavingFails })).rejects.toThrow(
      '1 of 4 connections could not be served',
    );
    for (const id of ['a', 'answered']) expect((await found(id)).state).toEqual({ kind: 'current', version: 20 });
    expect((await found('failing')).state).toEqual({ kind: 'behind', version: 9, reason: 'unreachable' });
    // Nothing was left to its sender, so it finishes with what it read.
    expect(await service.store.connections.states.finish(answer, 0)).toEqual({ kind: 'finished' });

    sender.failing.clear();
    expect(await send(ids, [10, 20])).toEqual(complete(4));
    for (const id of ids) expect(got(id)).toEqual(id === 'answered' ? [] : ['f10', 'f20']);
  });
});

describe('a delivery at the end of its time', () => {
  /** That so many connections are begun with, and so many messages sent. */
  const room = (connections: number, posts: number) => ({
    mayBegin: () => connections-- > 0,
    mayPost: () => posts-- > 0,
  });

  test('leaves connections alone that it has not begun', async () => {
    await connectServers('a', 'b', 'c');
    expect(await send(['a', 'b', 'c'], [10, 20], { time: room(2, 9) })).toEqual(complete(2));
    expect([got('a'), got('b'), got('c')]).toEqual([['f10', 'f20'], ['f10', 'f20'], []]);
    expect((await found('c')).state).toEqual({ kind: 'current', version: 0 });
  });

  test('keeps a waiting connection as reachable, and retries it after a failure', async () => {
    await connectServers('c');
    expect(await send(['c'], [10], { time: { mayPost: () => false } })).toMatchObject({ isCut: true });
    sender.failing.add('c');
    expect((await send(['c'], [10])).errors).toHaveLength(1);
    sender.failing.clear();
    await send(['c'], [10]);
    expect(got('c')).toEqual(['f10']);
  });

  test('sends a connection the rest with the next attempt, and nothing twice', async () => {
    await connectServers('c');
    const everything = [10, 20, 30, 40];
    expect(await send(['c'], everything, { time: room(1, 2) })).toEqual({ begun: 1, isCut: true, errors: [] });
    expect((await found('c')).state).toEqual({ kind: 'behind', version: 29, reason: 'interrupted' });
    expect(await send(['c'], everything, { time: room(1, 1) })).toEqual({ begun: 1, isCut: true, errors: [] });
    expect(await send(['c'], everything)).toEqual(complete(1));
    expect(got('c')).toEqual(['f10', 'f20', 'f30', 'f40']);
  });
});

describe('a connection that is being answered', () => {
  test('has the changes left to its sender, which cannot finish without them', async () => {
    const answer = await beginServer('c');
    expect(await send(['c'], [10])).toEqual(complete(1));
    expect(got('c')).toEqual([]);
    const { states } = service.store.connections;
    expect(await states.finish(answer, 9)).toEqual({ kind: 'changed' });
    expect(await states.finish(answer, 10)).toEqual({ kind: 'finished' });
    await send(['c'], [10, 20]);
    expect(got('c')).toEqual(['f20']);
  });

  test('stays with its sender though another connection of its shard cannot be reached', async () => {
    await connectServers('failing');
    const answer = await beginServer('c');
    const before = await found('c');
    sender.failing.add('failing');
    expect((await send(['c', 'failing'], [10])).errors).toHaveLength(1);
    expect(await found('c')).toEqual(before);
    expect(await service.store.connections.states.finish(answer, 9)).toEqual({ kind: 'changed' });
  });

  test('is noted for healing and sent nothing if its sender died', async () => {
    await beginServer('c', 1_000);
    service.effects.clock.now += 1_000;
    expect(await send(['c'], [20], { everything: [5, 10, 20] })).toEqual(complete(1));
    expect([got('c'), await noted()]).toEqual([[], ['c']]);
  });
});

describe('a connection that asks for another user while items are sent', () => {
  const clientOf = (id: string, keyId: string): Registration => ({
    id,
    type: 'client',
    user: aUser(keyId),
    requestedAt: service.effects.now(),
  });
  /** Has it ask as somebody, as of now, and answers it with a version. */
  const askAs = (id: string, keyId: string, version = 0) =>
    connect(service.store.connections, service.envId, clientOf(id, keyId), version);
  /** Has it ask as somebody, as of now. The answer is under way. */
  const beginAs = (id: string, keyId: string) =>
    beginAnswer(service.store.connections, service.envId, clientOf(id, keyId));
  /** Connects clients a minute ago as `a`. */
  const connectClients = async (...ids: string[]) => {
    service.effects.clock.now -= 60_000;
    for (const id of ids) await askAs(id, 'a');
    service.effects.clock.now += 60_000;
  };
  const gotAs = (id: string) => sender.to(id).map(({ data }) => `${data.userKeyId} ${data.featureFlags[0].id}`);
  /** Does something just after each message to `c`; one at a time, as those to others are sent next to it. */
  const afterEachPost = (act: (nth: number) => Promise<unknown>) => {
    const { post } = sender;
    let nth = 0;
    sender.post = async (to, text) => {
      const posted = await post(to, text);
      if (to === 'c') await act(++nth);
      return posted;
    };
  };

  test.each([
    ['did not hold them', 0],
    ['held them', 20],
  ])('is sent them again for that user where its answer %s; others are not', async (_, version) => {
    await connectClients('c', 'other');
    afterEachPost(async (nth) => {
      if (nth === 1) await askAs('c', 'b', version);
    });
    await send(['c', 'other'], [10, 20]);
    expect(gotAs('c')).toEqual(['a f10', 'a f20', 'b f10', 'b f20']);
    expect(gotAs('other')).toEqual(['a f10', 'a f20']);
    expect((await found('c')).state).toEqual({ kind: 'current', version });
  });

  test('is not where it only asks again', async () => {
    await connectClients('c');
    afterEachPost(() => askAs('c', 'a'));
    await send(['c'], [10]);
    expect(gotAs('c')).toEqual(['a f10']);
  });

  test('has them left to the sender of its answer, which sends everything again', async () => {
    await connectClients('c');
    let answer: HeldLease | undefined;
    afterEachPost(async (nth) => {
      if (nth === 2) answer = await beginAs('c', 'b');
    });
    expect(await send(['c'], [10, 20])).toEqual(complete(1));
    expect(gotAs('c')).toEqual(['a f10', 'a f20']);
    const { states } = service.store.connections;
    const finished = await states.finish(answer as HeldLease, 20);
    expect(finished).toMatchObject({ kind: 'asked again', registration: { user: { keyId: 'b' } } });
    if (finished.kind === 'asked again') expect(await states.finish(finished.lease, 20)).toEqual({ kind: 'finished' });
  });

  test('is not sent them if another answer begins first, as that is read later', async () => {
    await connectClients('c');
    let answer: HeldLease | undefined;
    afterEachPost(async () => {
      answer = await beginAs('c', 'b');
    });
    const intercept: Intercept = async (call, next) => {
      if (stepOf(call) === 'leave') {
        await service.store.connections.states.finish(answer as HeldLease, 10);
        answer = await beginAs('c', 'd');
      }
      return next();
    };
    await send(['c'], [10], { intercept });
    expect(gotAs('c')).toEqual(['a f10']);
    expect(await service.store.connections.states.finish(answer as HeldLease, 10)).toEqual({ kind: 'finished' });
  });

  test('is sent them for yet another user who comes meanwhile', async () => {
    await connectClients('c');
    afterEachPost(async (nth) => nth < 3 && askAs('c', ['b', 'd'][nth - 1] as string));
    await send(['c'], [10]);
    expect(gotAs('c')).toEqual(['a f10', 'b f10', 'd f10']);
  });

  test('is left to healing after some repeats', async () => {
    await connectClients('c', 'other');
    afterEachPost((nth) => askAs('c', `user ${nth}`));
    await send(['c', 'other'], [10, 20]);
    expect(gotAs('other')).toEqual(['a f10', 'a f20']);
    expect(gotAs('c')).toHaveLength(8);
    expect((await found('c')).state).toEqual({ kind: 'waiting', version: 9 });
    expect(await noted()).toEqual(['c']);
    expect(output.lines()).toMatchObject([
      {
        message: 'changes left to healing: the connection keeps asking for other users',
        envId: service.envId,
        connectionId: 'c',
      },
    ]);
  });

  test('has everything left to the sender that answers it after some repeats', async () => {
    await connectClients('c');
    let answer: HeldLease | undefined;
    afterEachPost(async (nth) => {
      if (nth < 8) await askAs('c', `user ${nth}`);
      else answer = await beginAs('c', 'last');
    });
    await send(['c'], [10, 20]);
    expect(gotAs('c')).toHaveLength(8);
    expect((await found('c')).state).toMatchObject({ kind: 'answering' });
    expect(await service.store.connections.states.finish(answer as HeldLease, 20)).toMatchObject({
      kind: 'asked again',
      registration: { user: { keyId: 'last' } },
    });
  });

  test('is behind if it cannot be reached, and delays the delivery once', async () => {
    await connectClients('c');
    afterEachPost(async () => {
      await askAs('c', 'b');
      sender.failing.add('c');
    });
    expect((await send(['c'], [10])).errors).toHaveLength(1);
    expect((await found('c')).state).toEqual({ kind: 'behind', version: 9, reason: 'unreachable' });
  });

  test('is found by another attempt where it could not be looked for', async () => {
    await connectClients('c');
    const reload = async () => {
      throw new Error('throttled');
    };
    await expect(send(['c'], [10], { reload })).rejects.toMatchObject({
      message: '1 of 1 connections could not be served',
      cause: { message: 'throttled' },
    });
  });

  test('is not looked for where it was sent nothing', async () => {
    await askAs('c', 'a', 20);
    const reload = async () => {
      throw new Error('throttled');
    };
    expect(await send(['c'], [10, 20], { reload })).toEqual(complete(1));
  });

  test('keeps its answered version while the table fails, though changes come again', async () => {
    await connectClients('c', 'answering');
    await askAs('c', 'b', 20);
    await beginAs('answering', 'b');
    await expect(send(['c', 'answering'], [10], { isRetry: true, intercept: leavingFails })).rejects.toThrow(
      '1 of 2 connections',
    );
    expect(gotAs('c')).toEqual(['b f10']);
    expect((await found('c')).state).toEqual({ kind: 'current', version: 20 });
  });
});
