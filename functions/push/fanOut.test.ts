import { describe, expect, test } from '@jest/globals';
import type { Push } from '../../shared/delivery/pushes.ts';
import { compileSnapshot } from '../../shared/evaluation/snapshot.ts';
import { formatTimestamp } from '../../shared/flags/timestamp.ts';
import type { Connection, Registration } from '../../shared/store/connection.ts';
import { CUT_OFF } from '../../shared/store/deliveryState.ts';
import type { Intercept } from '../../shared/store/testing/testTables.ts';
import { aFlag, aUser } from '../../shared/testing/builders.ts';
import { database, output, sender, service, useService } from '../testing/fixture.ts';
import type { CallTime } from './callTime.ts';
import { sendToConnections } from './fanOut.ts';

useService();

const found = (id: string) => service.store.connections.find(service.envId, id) as Promise<Connection>;

/** Registers connections a minute ago. */
async function connect(...ids: string[]): Promise<void> {
  const at = service.effects.now() - 60_000;
  const registrations = ids.map((id): Registration => ({ id, type: 'server', requestedAt: at, registeredAt: at }));
  await Promise.all(registrations.map((each) => service.store.connections.register(service.envId, each)));
}

function snapshotOf(versions: readonly number[]) {
  const flags = versions.map((at) => aFlag({ key: `f${at}`, updatedAt: formatTimestamp(at) }));
  return compileSnapshot({ envId: 'env', version: 0, flags, segments: [] });
}

/** What is pushed for flags written just now with these versions. */
function pushes(...versions: number[]): Push[] {
  return snapshotOf(versions).flags.map((source) => ({
    source,
    updatedAt: source.updatedAt,
    writtenAt: service.effects.now(),
  }));
}

/** Sends what was written with these versions to connections, as they are in the table. */
async function send(
  ids: readonly string[],
  versions: readonly number[],
  {
    everything = versions,
    intercept,
    reload = () => Promise.all(ids.map(found)),
    time = { mayBegin: () => true, mayPost: () => true },
    isRetry,
  }: {
    everything?: readonly number[];
    intercept?: Intercept;
    reload?: () => Promise<Connection[]>;
    time?: CallTime;
    isRetry?: boolean;
  } = {},
) {
  const { effects, envId } = service;
  const round = {
    envId,
    readAt: effects.now(),
    version: versions.at(-1) as number,
    connections: await Promise.all(ids.map(found)),
    pushes: pushes(...versions).map((push) => ({ ...push, isRetry })),
    reload,
    since: async (after: number) => pushes(...everything.filter((version) => version > after)),
    latest: async () => snapshotOf(versions),
  };
  const pause = async (ms: number) => {
    effects.clock.now += ms;
  };
  return sendToConnections({ ...database.open(effects, intercept), sender, time, now: effects.now, pause }, round);
}

const got = (id: string) => sender.to(id).map(({ data }) => data.featureFlags[0].key);

describe('a shard', () => {
  test('gets items in order, on each of many connections', async () => {
    const ids = Array.from({ length: 150 }, (_, n) => `c${n}`);
    await connect(...ids);
    await send(ids, [10, 20, 30]);
    for (const id of ids) expect(got(id)).toEqual(['f10', 'f20', 'f30']);
  });

  test('has no more messages under way than it should, and one at a time for each connection', async () => {
    const ids = Array.from({ length: 200 }, (_, n) => `c${n}`);
    await connect(...ids);
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
    await connect('gone', 'there');
    sender.gone.add('gone');
    await send(['gone', 'there'], [10, 20]);
    expect(await found('gone')).toBeUndefined();
    expect(got('there')).toEqual(['f10', 'f20']);
  });

  test('costs no request where nothing goes wrong', async () => {
    await connect('a', 'b');
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
  test('is told of once, and noted as behind; those that were reached are not noted', async () => {
    await connect('a', 'failing', 'b');
    sender.failing.add('failing');
    const { errors, ...result } = await send(['a', 'failing', 'b'], [10, 20]);
    expect(result).toEqual({ begun: 3, isCut: false });
    expect(errors.map(String)).toEqual(['Error: failing cannot be reached']);
    for (const id of ['a', 'b']) expect(await found(id)).not.toHaveProperty('version');
    expect(await found('failing')).toMatchObject({ version: 9, busyUntil: 0 });
    expect(output.lines()).toEqual([]);

    sender.failing.clear();
    expect(await send(['failing'], [10, 20], { everything: [5, 10, 20] })).toEqual(complete(1));
    expect(got('failing')).toEqual(['f10', 'f20']);
    expect(await found('failing')).toMatchObject({ version: 20 });
    expect(await found('failing')).not.toHaveProperty('busyUntil');
  });

  test('in the middle gets the rest and nothing twice', async () => {
    await connect('c');
    const { post } = sender;
    let posts = 0;
    sender.post = async (to, text) => {
      if (++posts === 2) throw new Error('busy');
      return post(to, text);
    };
    expect((await send(['c'], [10, 20, 30])).errors).toHaveLength(1);
    expect(await found('c')).toMatchObject({ version: 19, busyUntil: 0 });
    await send(['c'], [10, 20, 30]);
    expect(got('c')).toEqual(['f10', 'f20', 'f30']);
  });

  test('again does not keep the others waiting, and gets everything it lacks once it can be', async () => {
    await connect('failing', 'a');
    sender.failing.add('failing');
    expect((await send(['failing', 'a'], [10])).errors).toHaveLength(1);
    expect(await send(['failing'], [10])).toEqual(complete(1));
    expect(await send(['failing', 'a'], [20], { everything: [10, 20] })).toEqual(complete(2));
    expect(got('a')).toEqual(['f10', 'f20']);
    expect(await found('failing')).toMatchObject({ version: 9 });
    const line = { message: 'connections still cannot be reached', envId: service.envId, unreached: 1 };
    expect(output.lines()).toMatchObject([
      { ...line, connections: 1 },
      { ...line, connections: 2 },
    ]);

    sender.failing.clear();
    await send(['failing', 'a'], [30], { everything: [5, 10, 20, 30] });
    expect(got('failing')).toEqual(['f10', 'f20', 'f30']);
    expect(got('a')).toEqual(['f10', 'f20', 'f30']);
  });

  test('is told of beside those that could not be before', async () => {
    await connect('failing', 'a');
    sender.failing.add('failing');
    await send(['failing', 'a'], [10]);
    sender.failing.add('a');
    expect((await send(['failing', 'a'], [20])).errors.map(String)).toEqual(['Error: a cannot be reached']);
    expect(output.lines()).toMatchObject([{ unreached: 1, connections: 2 }]);
  });

  test('and that the table does not take as behind is an error', async () => {
    await connect('a', 'b');
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

  test('beside a table that fails: those that were reached are noted, so that another attempt passes them over', async () => {
    await connect('a', 'failing', 'answered', 'young');
    await service.store.connections.markAnswered(service.envId, await found('answered'), 20);
    const at = service.effects.now();
    await service.store.connections.register(service.envId, {
      id: 'young',
      type: 'server',
      requestedAt: at,
      registeredAt: at,
    });
    sender.failing.add('failing');
    const ids = ['a', 'answered', 'failing', 'young'];
    const intercept: Intercept = ({ name }, next) => {
      if (name === 'GetItem') throw new Error('throttled');
      return next();
    };
    await expect(send(ids, [10, 20], { intercept })).rejects.toThrow('1 of 4 connections could not be served');
    for (const id of ['a', 'answered']) expect(await found(id)).toMatchObject({ version: 20 });

    sender.failing.clear();
    expect(await send(ids, [10, 20])).toEqual(complete(4));
    for (const id of ids) expect(got(id)).toEqual(id === 'answered' ? [] : ['f10', 'f20']);
  });
});

describe('when time ends', () => {
  /** That so many connections are begun with, and so many messages sent. */
  const room = (connections: number, posts: number): CallTime => ({
    mayBegin: () => connections-- > 0,
    mayPost: () => posts-- > 0,
  });

  test('those that were not begun with are left alone', async () => {
    await connect('a', 'b', 'c');
    expect(await send(['a', 'b', 'c'], [10, 20], { time: room(2, 9) })).toEqual(complete(2));
    expect([got('a'), got('b'), got('c')]).toEqual([['f10', 'f20'], ['f10', 'f20'], []]);
    expect(await found('c')).not.toHaveProperty('busyUntil');
  });

  test('a connection that is left waiting counts as one that can be reached: a failure after that is tried again', async () => {
    await connect('c');
    expect(await send(['c'], [10], { time: { mayBegin: () => true, mayPost: () => false } })).toMatchObject({
      isCut: true,
    });
    sender.failing.add('c');
    expect((await send(['c'], [10])).errors).toHaveLength(1);
    expect((await send(['c'], [10])).errors).toEqual([]);
    sender.failing.clear();
    await send(['c'], [10]);
    expect(got('c')).toEqual(['f10']);
  });

  test('a connection that is owed more gets the rest with the next attempt, and nothing twice', async () => {
    await connect('c');
    const everything = [10, 20, 30, 40];
    expect(await send(['c'], everything, { time: room(1, 2) })).toEqual({ begun: 1, isCut: true, errors: [] });
    expect(await found('c')).toMatchObject({ version: 29, busyUntil: CUT_OFF });
    expect(await send(['c'], everything, { time: room(1, 1) })).toEqual({ begun: 1, isCut: true, errors: [] });
    expect(await send(['c'], everything)).toEqual(complete(1));
    expect(got('c')).toEqual(['f10', 'f20', 'f30', 'f40']);
  });
});

describe('a busy connection', () => {
  test('is left alone while its sender is at work', async () => {
    await connect('c');
    await service.store.connections.markBusy(service.envId, await found('c'), service.effects.now() + 1);
    await send(['c'], [10]);
    expect(got('c')).toEqual([]);
  });

  test('stays busy though another connection of its shard cannot be reached', async () => {
    await connect('c', 'failing');
    const busyUntil = service.effects.now() + 1;
    await service.store.connections.markBusy(service.envId, await found('c'), busyUntil);
    sender.failing.add('failing');
    expect((await send(['c', 'failing'], [10])).errors).toHaveLength(1);
    expect(await found('c')).toMatchObject({ busyUntil });
    expect(await found('c')).not.toHaveProperty('version');
  });

  test('whose sender gave up is brought everything, once', async () => {
    await connect('c');
    await service.store.connections.markBusy(service.envId, await found('c'), service.effects.now() - 1);
    await send(['c'], [20], { everything: [5, 10, 20] });
    await send(['c'], [30], { everything: [5, 10, 20, 30] });
    expect(got('c')).toEqual(['f5', 'f10', 'f20', 'f30']);
  });
});

describe('a connection that asks for another user while items are sent', () => {
  /** Has it ask as somebody, as of now. */
  const askAs = (id: string, keyId: string) => {
    const at = service.effects.now();
    const registration: Registration = { id, type: 'client', user: aUser(keyId), requestedAt: at, registeredAt: at };
    return service.store.connections.register(service.envId, registration);
  };
  /** Registers clients a minute ago as `a`. */
  const connectClients = async (...ids: string[]) => {
    service.effects.clock.now -= 60_000;
    for (const id of ids) await askAs(id, 'a');
    service.effects.clock.now += 60_000;
  };
  const gotAs = (id: string) => sender.to(id).map(({ data }) => `${data.userKeyId} ${data.featureFlags[0].id}`);
  /** Does something just after each message to a connection. */
  const afterEachPost = (act: (nth: number) => Promise<unknown>) => {
    const { post } = sender;
    let nth = 0;
    sender.post = async (to, text) => {
      const posted = await post(to, text);
      await act(++nth);
      return posted;
    };
  };

  test('is sent them again for that user, once the answer is out; others are not', async () => {
    await connectClients('c', 'other');
    afterEachPost(async (nth) => {
      if (nth === 1) await askAs('c', 'b');
    });
    const before = service.effects.now();
    await send(['c', 'other'], [10, 20]);
    expect(gotAs('c')).toEqual(['a f10', 'a f20', 'b f10', 'b f20']);
    expect(gotAs('other')).toEqual(['a f10', 'a f20']);
    expect(service.effects.now()).toBe(before + 1_000);
  });

  test('is not where it only asks again, or registers once more', async () => {
    await connectClients('c');
    afterEachPost(() => askAs('c', 'a'));
    await send(['c'], [10]);
    expect(gotAs('c')).toEqual(['a f10']);
  });

  test('is not where it asks once more while its answer is waited for: that one comes later, and holds them', async () => {
    await connectClients('c');
    afterEachPost(() => askAs('c', 'b'));
    const intercept: Intercept = async ({ name }, next) => {
      if (name === 'GetItem') await askAs('c', 'd');
      return next();
    };
    await send(['c'], [10], { intercept });
    expect(gotAs('c')).toEqual(['a f10']);
  });

  test('and for yet another while they are sent again is sent them for that one too', async () => {
    await connectClients('c');
    afterEachPost(async (nth) => nth < 3 && askAs('c', ['b', 'd'][nth - 1] as string));
    await send(['c'], [10]);
    expect(gotAs('c')).toEqual(['a f10', 'b f10', 'd f10']);
  });

  test('without end is let be after some times, and the next change brings what it lacks', async () => {
    await connectClients('c', 'other');
    afterEachPost((nth) => askAs('c', `user ${nth}`));
    await send(['c', 'other'], [10, 20]);
    expect(gotAs('other')).toEqual(['a f10', 'a f20']);
    expect(gotAs('c')).toHaveLength(8);
    expect(await found('c')).toMatchObject({ version: 9, busyUntil: CUT_OFF });
    expect(output.lines()).toMatchObject([
      {
        message: 'changes not sent: the connection keeps asking for other users',
        envId: service.envId,
        connectionId: 'c',
      },
    ]);
  });

  test('and is sent a reply in parts has them left to whoever sends that', async () => {
    await connectClients('c');
    const { store, envId, effects } = service;
    afterEachPost(async () => {
      effects.clock.now -= 5_000;
      await askAs('c', 'b');
      effects.clock.now += 5_000;
      await store.connections.markBusy(envId, await found('c'), effects.now() + 1);
    });
    await send(['c'], [10, 20]);
    expect(gotAs('c')).toEqual(['a f10', 'a f20']);
    expect(await store.connections.finishBusy(envId, await found('c'), 20)).toBe(9);
  });

  test('and cannot be reached is behind, and holds up the delivery once', async () => {
    await connectClients('c');
    afterEachPost(async () => {
      await askAs('c', 'b');
      sender.failing.add('c');
    });
    expect((await send(['c'], [10])).errors).toHaveLength(1);
    expect(await found('c')).toMatchObject({ version: 9, busyUntil: 0 });
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
    await connectClients('c');
    await service.store.connections.markAnswered(service.envId, await found('c'), 20);
    const reload = async () => {
      throw new Error('throttled');
    };
    expect(await send(['c'], [10, 20], { reload })).toEqual(complete(1));
  });

  test('and was answered since keeps what it has beside a table that fails, though changes are sent to it again', async () => {
    await connectClients('c', 'young');
    await askAs('c', 'b');
    service.effects.clock.now += 1_000;
    await service.store.connections.markAnswered(service.envId, await found('c'), 20);
    await askAs('young', 'b');
    const intercept: Intercept = ({ name }, next) => {
      if (name === 'GetItem') throw new Error('throttled');
      return next();
    };
    await expect(send(['c', 'young'], [10], { isRetry: true, intercept })).rejects.toThrow('1 of 2 connections');
    expect(gotAs('c')).toEqual(['b f10']);
    expect(await found('c')).toMatchObject({ version: 20 });
  });
});
