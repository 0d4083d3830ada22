import { type AttributeValue, DeleteItemCommand, PutItemCommand, paginateScan } from '@aws-sdk/client-dynamodb';
import { beforeEach, describe, expect, test } from '@jest/globals';
import type { Flag } from '../../../shared/flags/flag.ts';
import { onSilence, systemEffects } from '../../../shared/runtime/effects.ts';
import type { StoredDocument } from '../../../shared/store/documents/item.ts';
import { COMMIT_WAIT_MS } from '../../../shared/store/table/commitWait.ts';
import { NotFound } from '../../../shared/store/table/errors.ts';
import { keys } from '../../../shared/store/table/keys.ts';
import type { Intercept } from '../../../shared/store/testing/testTables.ts';
import { aFlag, aSegment, aUser } from '../../../shared/testing/builders.ts';
import { until } from '../../../shared/testing/until.ts';
import { database, service, useService } from '../../testing/fixture.ts';
import { snapshotsOf } from '../../testing/service.ts';
import { TestTransport } from '../testing/transport.ts';
import { EnvironmentFeed } from './environmentFeed.ts';
import { SendBudget } from './sendBudget.ts';
import { Subscriber } from './subscriber.ts';

useService();

let isDown = false;
/** The requests to the table. */
let calls: string[] = [];
let dropped = 0;
let deleted: string[] = [];
/** The promise that delays the response to a read of the environment. */
let afterRead: () => Promise<unknown>;
/** Ends reads that take too long: the machine's clock where a test is of slow reads, as a busy machine is slow too. */
let timeout: typeof onSilence;
/** Waits before watchers are notified. */
let elapse: (ms: number) => Promise<void>;
/** The versions reported as read, and the number of subscribers that each change was reported to reach. */
let read: number[] = [];
let pushed: number[] = [];
/** The number of readings reported as another environment's. */
let others = 0;
let budget: SendBudget;
let feed: EnvironmentFeed;
/** Opens a feed in which reads serve data-syncs for a time; the others read for each, since writers here acknowledge at once. */
let openFeed: (maxReadAgeMs: number) => EnvironmentFeed;

beforeEach(() => {
  isDown = false;
  dropped = 0;
  deleted = [];
  read = [];
  pushed = [];
  others = 0;
  budget = new SendBudget(1_000, systemEffects.monotonic);
  afterRead = async () => {};
  timeout = service.effects.onSilence;
  elapse = service.effects.elapse;
  calls = [];
  const intercept: Intercept = ({ name }, next) => {
    calls.push(name);
    if (isDown) throw new Error('the table is down');
    return next();
  };
  const snapshots = snapshotsOf(service, intercept);
  openFeed = (maxReadAgeMs) =>
    new EnvironmentFeed(
      {
        effects: { ...service.effects, onSilence: (ms, act) => timeout(ms, act), elapse: (ms) => elapse(ms) },
        maxReadAgeMs,
        documents: database.open(service.effects, intercept).documents,
        snapshots: {
          read: async (envId) => {
            const reading = await snapshots.read(envId);
            await afterRead();
            return reading;
          },
        },
        lastKnown: {
          reading: () => undefined,
          save: (_, { version }, isOther) => {
            read.push(version.updatedAt);
            if (isOther) others++;
          },
          forget: () => {},
          isTableLate: false,
        },
        events: {
          onTableRead: () => {},
          onPushed: (_, subscribers) => pushed.push(subscribers),
          onDropped: () => {
            dropped++;
          },
        },
        onDeleted: () => deleted.push(service.envId),
      },
      service.envId,
    );
  feed = openFeed(0);
});

const put = async (key: string, name = ''): Promise<StoredDocument> => {
  const [written] = await service.store.documents.writeFlag(service.envId, key, () => aFlag({ key, name }));
  return written as StoredDocument;
};

async function subscribe(type: 'client' | 'server' = 'server', userId = 'u1', timestamp = 0) {
  const transport = new TestTransport();
  const subscriber = new Subscriber(type, transport, budget);
  await feed.answer(subscriber, { timestamp, ...(type === 'client' ? { user: aUser(userId) } : {}) });
  return { transport, subscriber };
}

const names = ({ messages }: TestTransport) =>
  messages
    .slice(1)
    .map(({ data }) => [...data.featureFlags, ...(data.segments ?? [])].map(({ name }) => name).join('+'));

describe('a change', () => {
  test('reaches every subscriber, one item a message, in order, also if it was replaced', async () => {
    await put('f', 'start');
    const [server, client] = [await subscribe(), await subscribe('client')];
    for (const name of ['1', '2', '3']) await put('f', name);
    await service.store.documents.writeSegment(service.envId, 's', () => aSegment({ id: 's', name: 'segment' }));
    await feed.refresh();
    expect(names(server.transport)).toEqual(['1', '2', '3', 'segment']);
    expect(client.transport.messages.slice(1).map(({ data }) => [data.eventType, data.featureFlags.length])).toEqual([
      ['patch', 1],
      ['patch', 1],
      ['patch', 1],
    ]);
    expect(JSON.stringify(client.transport.messages)).not.toMatch(/segment|rules/);
  });

  test('is read from the journal once, to evaluate and to send it', async () => {
    await put('f', 'start');
    await subscribe();
    service.effects.clock.now += 1_001;
    await feed.refresh();
    const { transport } = await subscribe();
    await put('f', '1');
    calls = [];
    await feed.refresh();
    expect(calls).toEqual(['GetItem', 'Query']);
    expect(names(transport)).toEqual(['1']);
  });

  test('is sent once, however often anybody looks, and told of once', async () => {
    const { transport } = await subscribe();
    const written = await put('f', '1');
    await Promise.all([feed.refresh(), feed.refresh(), feed.read(), feed.read()]);
    await feed.refresh();
    expect(names(transport)).toEqual(['1']);
    expect([read.slice(1), pushed]).toEqual([[written.updatedAt], [1]]);
  });

  test('leaves other work its turn after each 200 messages', async () => {
    const subscribed: Awaited<ReturnType<typeof subscribe>>[] = [];
    for (let n = 0; n < 450; n++) subscribed.push(await subscribe());
    let notified = 0;
    const notify = () => {
      notified++;
    };
    for (let n = 0; n < 450; n++) feed.watch(Object.assign(new TestTransport(), { notify }), 1);
    await until(() => notified === 450);
    notified = 0;
    await put('f', '1');
    const atTurns = new Set<string>();
    const noteTurn = () => {
      const sent = subscribed.filter(({ transport }) => transport.sent.length > 1).length;
      atTurns.add(`${sent} and ${notified}`);
      if (notified < 450) setImmediate(noteTurn);
    };
    noteTurn();
    await feed.refresh();
    await until(() => notified === 450);
    const slices = ['0 and 0', '200 and 0', '400 and 0', '450 and 200', '450 and 400', '450 and 450'];
    // Another turn may come between the pushes and the events.
    atTurns.delete('450 and 0');
    expect([...atTurns]).toEqual(slices.slice(0, atTurns.size));
    expect(atTurns.size).toBeGreaterThanOrEqual(5);
  });

  test('is announced to watchers once it is acknowledged, and to none that has gone', async () => {
    const first = await put('f', '1');
    await feed.read();
    const [told, announced]: number[][] = [[], []];
    const waits: PromiseWithResolvers<void>[] = [];
    elapse = (ms) => {
      announced?.push(ms);
      waits.push(Promise.withResolvers());
      return waits.at(-1)?.promise as Promise<void>;
    };
    const watch = () =>
      feed.watch(
        Object.assign(new TestTransport(), { notify: (version: number) => void told?.push(version) }),
        first.updatedAt,
      );
    const [gone] = [watch(), watch()];
    const second = await put('f', '2');
    await feed.refresh();
    gone();
    expect([told, announced]).toEqual([[], Array(3).fill(COMMIT_WAIT_MS)]);
    for (const { resolve } of waits) resolve();
    await until(() => told?.length === 2);
    expect(told).toEqual([first.updatedAt, second.updatedAt]);
  });

  test('is announced to a watcher that came with an older version, read or not', async () => {
    const first = await put('f', '1');
    const told: number[] = [];
    const watch = () =>
      feed.watch(Object.assign(new TestTransport(), { notify: (v: number) => told.push(v) }), first.updatedAt);
    const second = await put('f', '2');
    watch();
    await until(() => told.length === 1);
    await feed.read();
    await until(() => told.length === 2);
    watch();
    await until(() => told.length === 3);
    expect(told).toEqual([first.updatedAt, second.updatedAt, second.updatedAt]);
  });

  test('is sent to who was added at an older version', async () => {
    await put('f', '1');
    await feed.refresh();
    const transport = new TestTransport();
    const subscriber = new Subscriber('server', transport, budget);
    feed.add(subscriber);
    subscriber.version = (await feed.read()).version.updatedAt;
    await put('f', '2');
    await feed.refresh();
    expect(transport.messages.map(({ data }) => data.featureFlags[0].name)).toEqual(['2']);
  });

  test('keeps a feed that somebody is being answered from', async () => {
    await put('f', '1');
    let isIdle: boolean | undefined;
    afterRead = async () => {
      isIdle = feed.isIdle;
    };
    expect(feed.isIdle).toBe(true);
    const { subscriber } = await subscribe();
    feed.remove(subscriber);
    expect([isIdle, feed.isIdle]).toEqual([false, true]);
  });

  test('is not sent again if an answer has it, and follows an answer that lacks it', async () => {
    await put('f', '1');
    const first = await subscribe();
    await put('f', '2');
    const second = await subscribe();
    expect(second.transport.messages[0].data.featureFlags).toMatchObject([{ name: '2' }]);
    await feed.refresh();
    expect(names(first.transport)).toEqual(['2']);
    expect(names(second.transport)).toEqual([]);
    await put('f', '3');
    await feed.refresh();
    expect(names(second.transport)).toEqual(['3']);
  });

  test('is sent as it is now if its entry in the journal is gone', async () => {
    const { transport } = await subscribe();
    const lost = await put('f', '1');
    await put('g', '2');
    await put('f', '3');
    const Key = keys.journal(service.envId, lost.updatedAt);
    await service.store.tables.client.send(new DeleteItemCommand({ TableName: service.store.tables.flags, Key }));
    await feed.refresh();
    expect(names(transport)).toEqual(['2', '3']);
  });

  test('reaches everybody among more than are kept, also those being answered meanwhile', async () => {
    await put('first', '0');
    const before = await subscribe();
    const documents = Array.from({ length: 1_010 }, (_, n) => ({
      kind: 'flag' as const,
      document: aFlag({ key: `f${n}`, name: String(n) }),
    }));
    await service.store.documents.import(service.envId, documents);
    await feed.refresh();
    expect(before.transport.sent).toHaveLength(1_011);
    const after = await subscribe();
    expect(after.transport.messages[0].data.featureFlags).toHaveLength(1_011);
    await put('last', 'x');
    await feed.refresh();
    expect(names(after.transport)).toEqual(['x']);
    expect(names(before.transport).at(-1)).toBe('x');
  });

  test('goes to nobody who has left', async () => {
    const { transport, subscriber } = await subscribe();
    feed.remove(subscriber);
    expect(feed.isWatched).toBe(false);
    await put('f');
    await feed.refresh();
    expect(transport.sent).toHaveLength(1);
  });
});

describe('a sync', () => {
  test('contains every write that was acknowledged before it', async () => {
    for (let n = 0; n < 5; n++) {
      await put('f', String(n));
      const { transport } = await subscribe();
      expect(transport.messages[0].data.featureFlags[0].name).toBe(String(n));
    }
  });

  test('is answered for the newest user, and so are pushes from then on', async () => {
    await put('f');
    const { transport, subscriber } = await subscribe('client', 'u1');
    await feed.answer(subscriber, { timestamp: 0, user: aUser('u2') });
    await put('f', '1');
    await feed.refresh();
    expect(transport.messages.map(({ data }) => data.userKeyId)).toEqual(['u1', 'u2', 'u2']);
  });
});

describe('a sync within 90 ms of a read', () => {
  beforeEach(() => {
    feed = openFeed(90);
  });
  const flags = ({ messages }: TestTransport) => messages[0].data.featureFlags.map(({ name }: Flag) => name);

  test('is answered from it, and a change that is not acknowledged yet follows, once', async () => {
    await put('f', '1');
    await subscribe();
    await put('f', '2');
    const { transport } = await subscribe();
    expect(flags(transport)).toEqual(['1']);
    await feed.refresh();
    await feed.refresh();
    expect(names(transport)).toEqual(['2']);
  });

  test('reads, though, where its client has that change from another host', async () => {
    await put('f', '1');
    await subscribe();
    const newer = await put('f', '2');
    const { transport } = await subscribe('server', 'u1', newer.updatedAt);
    expect(transport.messages).toMatchObject([{ data: { eventType: 'patch', featureFlags: [] } }]);
  });

  test('needs no table, and one after it is answered with what was read last', async () => {
    await put('f', '1');
    await subscribe();
    isDown = true;
    expect(flags((await subscribe()).transport)).toEqual(['1']);
    service.effects.clock.now += 90;
    expect(flags((await subscribe()).transport)).toEqual(['1']);
    isDown = false;
    await put('f', '2');
    expect(flags((await subscribe()).transport)).toEqual(['2']);
  });

  test('may be answered once more from an environment that is just being deleted', async () => {
    await put('f', '1');
    await subscribe();
    await service.store.environments.remove(await service.store.environments.find(service.envId));
    expect(flags((await subscribe()).transport)).toEqual(['1']);
    service.effects.clock.now += 90;
    await expect(subscribe()).rejects.toThrow(NotFound);
  });

  test('costs HTTP requests no read either, unless their client has a newer version', async () => {
    await put('f', '1');
    const { version } = await feed.read();
    const written = await put('f', '2');
    expect((await feed.read()).version).toEqual(version);
    expect((await feed.read(written.updatedAt)).version.updatedAt).toBe(written.updatedAt);
  });
});

describe('a feed while the table is down', () => {
  test('answers a sync with the last reading, and sends later writes afterwards', async () => {
    await put('f', '1');
    await subscribe();
    isDown = true;
    const { transport } = await subscribe();
    expect(transport.messages[0].data.featureFlags).toMatchObject([{ name: '1' }]);
    await put('f', '2');
    await expect(feed.refresh()).rejects.toThrow('the table is down');
    isDown = false;
    await feed.refresh();
    expect(names(transport)).toEqual(['2']);
  });

  test('fails a sync from the start, to be tried again', async () => {
    isDown = true;
    await expect(subscribe()).rejects.toThrow('the table is down');
    isDown = false;
    expect((await subscribe()).transport.sent).toHaveLength(1);
  });

  test('fails a sync with a cursor beyond the last reading, to be tried again', async () => {
    await put('f', '1');
    await subscribe();
    const newer = await put('f', '2');
    isDown = true;
    await expect(subscribe('server', 'u1', newer.updatedAt)).rejects.toThrow('the table is down');
    isDown = false;
    const { transport } = await subscribe('server', 'u1', newer.updatedAt);
    expect(transport.messages).toMatchObject([{ data: { eventType: 'patch', featureFlags: [] } }]);
  });

  test('sends unread changes with the next look, none twice', async () => {
    const { transport } = await subscribe();
    await put('f', '1');
    const reading = feed.read();
    await reading;
    isDown = true;
    await put('f', '2');
    await feed.refresh().catch(() => {});
    isDown = false;
    await feed.refresh();
    expect(names(transport)).toEqual(['1', '2']);
  });
});

describe('an environment that was deleted', () => {
  const remove = async () => service.store.environments.remove(await service.store.environments.find(service.envId));

  test('is another thing than a table that is away: a sync is told so', async () => {
    await subscribe();
    await remove();
    await expect(subscribe()).rejects.toThrow(NotFound);
  });

  test('is another one if it is made again unseen: old connections end, new ones get all of it', async () => {
    await put('f', 'old');
    const old = await subscribe();
    const last = await put('f', 'older');
    await feed.refresh();
    const ended: string[] = [];
    feed.watch({ notify: () => {}, close: () => {}, terminate: () => ended.push('watcher') }, last.updatedAt);
    await remove();
    await service.store.environments.create('again', service.envId);
    await put('g', 'new');
    await feed.refresh();
    expect([old.transport.ended, ended, names(old.transport)]).toEqual(['terminated', ['watcher'], ['older']]);
    const { transport } = await subscribe('server', 'u1', last.updatedAt);
    expect(transport.messages).toMatchObject([{ data: { eventType: 'full', featureFlags: [{ name: 'new' }] } }]);
    await put('g', 'newer');
    await feed.refresh();
    expect([names(transport), others, deleted]).toEqual([['newer'], 1, []]);
  });

  test('is what a table that was restored in place has, a second after the later version', async () => {
    const { client, flags: TableName } = service.store.tables;
    await put('f', 'before');
    const backup: Record<string, AttributeValue>[] = [];
    for await (const { Items = [] } of paginateScan({ client }, { TableName })) backup.push(...Items);
    const { transport } = await subscribe();
    await put('f', 'after');
    await feed.refresh();
    for (const Item of backup) await client.send(new PutItemCommand({ TableName, Item }));
    service.effects.clock.now += 1_001;
    await feed.refresh();
    expect([transport.ended, names(transport), others]).toEqual(['terminated', ['after'], 1]);
    const again = await subscribe('server', 'u1', service.effects.now());
    expect(again.transport.messages).toMatchObject([
      { data: { eventType: 'full', featureFlags: [{ name: 'before' }] } },
    ]);
    await put('f', 'newest');
    await feed.refresh();
    expect(names(again.transport)).toEqual(['newest']);
  });

  test('closes its connections with 4003, and is told of', async () => {
    const connected = [await subscribe(), await subscribe('client')];
    await remove();
    await feed.refresh();
    expect(connected.map(({ transport }) => transport.ended)).toEqual(
      Array(2).fill('4003 invalid request, close by server'),
    );
    expect([deleted, feed.isIdle]).toEqual([[service.envId], true]);
  });
});

describe('a feed while the table is slow', () => {
  test('gives no older version to a client that has a newer one', async () => {
    await put('f', '1');
    const { subscriber, transport } = await subscribe();
    await put('f', '2');
    // The read takes longer than the feed waits for it. It ends before the feed gives up on the next one.
    const gates = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    let reads = 0;
    timeout = onSilence;
    afterRead = () => gates[reads++]?.promise ?? Promise.resolve();
    await feed.refresh().catch(() => {});
    const late = feed.answer(subscriber, { timestamp: 0 });
    gates[0]?.resolve();
    await late;
    gates[1]?.resolve();
    const versions = transport.messages.map(({ data }) => data.featureFlags[0].name);
    expect(versions).toEqual(['1', '2', '2']);
    afterRead = async () => {};
    await feed.refresh();
    expect(transport.sent).toHaveLength(3);
  });
});

describe('a subscriber that does not read', () => {
  test('is sent one message at most, and what it lacks once it has read that', async () => {
    const { transport, subscriber } = await subscribe();
    transport.unread = 10;
    for (const name of ['1', '2', '3']) await put('f', name);
    await feed.refresh();
    expect(names(transport)).toEqual(['1']);
    await put('f', '4');
    await feed.refresh();
    expect(names(transport)).toEqual(['1']);
    for (const seen of [
      ['1', '2'],
      ['1', '2', '3'],
      ['1', '2', '3', '4'],
    ]) {
      transport.bufferedBytes = 0;
      budget.note(transport);
      feed.catchUp(subscriber);
      expect(names(transport)).toEqual(seen);
    }
    expect(dropped).toBe(0);
  });

  test('is dropped once it lacks more than is kept, and the others are served', async () => {
    const [slow, quick] = [await subscribe(), await subscribe()];
    slow.transport.unread = 10;
    const documents = Array.from({ length: 1_010 }, (_, n) => ({
      kind: 'flag' as const,
      document: aFlag({ key: `f${n}`, name: String(n) }),
    }));
    await service.store.documents.import(service.envId, documents);
    await feed.refresh();
    slow.transport.bufferedBytes = 0;
    feed.catchUp(slow.subscriber);
    expect(slow.transport.ended).toBe('terminated');
    expect(dropped).toBe(1);
    expect(quick.transport.sent).toHaveLength(1_011);
  });

  test('is dropped with an unread change while all connections are at their limit', async () => {
    const [slow, quick] = [await subscribe(), await subscribe()];
    slow.transport.unread = 1_000;
    await put('f', '1');
    await feed.refresh();
    expect(slow.transport.ended).toBe('terminated');
    expect(names(quick.transport)).toEqual(['1']);
    await put('f', '2');
    await feed.refresh();
    expect(names(quick.transport)).toEqual(['1', '2']);
  });

  test('waits with its reply while all connections are at their limit, then is current', async () => {
    const other = new TestTransport();
    other.bufferedBytes = 1_000;
    budget.note(other);
    const reply = subscribe();
    await feed.read();
    await put('f', 'newest');
    await feed.refresh();
    budget.forget(other);
    const { transport } = await reply;
    expect(transport.messages[0].data.featureFlags).toMatchObject([{ name: 'newest' }]);
    expect(transport.sent).toHaveLength(1);
  });
});

describe('a report', () => {
  test('does not claim a version that a data-sync in progress may lack', async () => {
    const first = await put('f', '1');
    await subscribe();
    expect(feed.report()).toMatchObject({ open: 1, servedTo: first.updatedAt });
    const other = new TestTransport();
    other.bufferedBytes = 1_000;
    budget.note(other);
    const reply = subscribe();
    const second = await put('f', '2');
    await feed.refresh();
    expect(feed.report()).toMatchObject({ open: 1, newest: second.updatedAt, servedTo: first.updatedAt });
    budget.forget(other);
    await reply;
    expect(feed.report()).toMatchObject({ open: 2, servedTo: second.updatedAt });
  });

  test('counts a connection that has not read its answer', async () => {
    await put('f', '1');
    await subscribe();
    expect(feed.report()).toMatchObject({ open: 1, served: 1, behind: 0 });
    const transport = new TestTransport();
    transport.unread = 10;
    await feed.answer(new Subscriber('server', transport, budget), { timestamp: 0 });
    expect(feed.report()).toMatchObject({ open: 2, behind: 1 });
    transport.bufferedBytes = 0;
    expect(feed.report()).toMatchObject({ open: 2, served: 2, behind: 0 });
  });
});
