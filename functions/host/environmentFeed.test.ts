import { DeleteItemCommand } from '@aws-sdk/client-dynamodb';
import { beforeEach, describe, expect, test } from '@jest/globals';
import { findEnvironment } from '../../shared/store/environments.ts';
import { NotFound } from '../../shared/store/errors.ts';
import type { StoredDocument } from '../../shared/store/item.ts';
import { keys } from '../../shared/store/keys.ts';
import { removeEnvironment } from '../../shared/store/removal.ts';
import type { Intercept } from '../../shared/store/testing/testTables.ts';
import { importDocuments, writeFlag, writeSegment } from '../../shared/store/write.ts';
import { aFlag, aSegment, aUser } from '../../shared/testing/builders.ts';
import { database, service, useService } from '../testing/fixture.ts';
import { snapshotsOf } from '../testing/service.ts';
import { EnvironmentFeed } from './environmentFeed.ts';
import { Subscriber } from './subscriber.ts';
import { TestTransport } from './testing/transport.ts';

useService();

let isDown = false;
let dropped = 0;
let feed: EnvironmentFeed;

beforeEach(() => {
  isDown = false;
  dropped = 0;
  const intercept: Intercept = (_, next) => {
    if (isDown) throw new Error('the table is down');
    return next();
  };
  feed = new EnvironmentFeed(
    {
      tables: database.open(intercept),
      snapshots: snapshotsOf(service, intercept),
      maxBufferedBytes: 1_000,
      onRead: () => {},
      onPushed: () => {},
      onDropped: () => {
        dropped++;
      },
    },
    service.envId,
  );
});

const put = async (key: string, name = ''): Promise<StoredDocument> => {
  const [written] = await writeFlag(service.tables, service.ambient, service.envId, key, () => aFlag({ key, name }));
  return written as StoredDocument;
};

async function subscribe(type: 'client' | 'server' = 'server', userId = 'u1', timestamp = 0) {
  const transport = new TestTransport();
  const subscriber = new Subscriber(type, transport);
  await feed.answer(subscriber, { timestamp, ...(type === 'client' ? { user: aUser(userId) } : {}) });
  return { transport, subscriber };
}

const names = ({ messages }: TestTransport) =>
  messages
    .slice(1)
    .map(({ data }) => [...data.featureFlags, ...(data.segments ?? [])].map(({ name }) => name).join('+'));

describe('a change', () => {
  test('reaches every subscriber, one item a message, in order, though it was replaced before anybody looked', async () => {
    await put('f', 'start');
    const [server, client] = [await subscribe(), await subscribe('client')];
    for (const name of ['1', '2', '3']) await put('f', name);
    await writeSegment(service.tables, service.ambient, service.envId, 's', () =>
      aSegment({ id: 's', name: 'segment' }),
    );
    await feed.refresh();
    expect(names(server.transport)).toEqual(['1', '2', '3', 'segment']);
    expect(client.transport.messages.slice(1).map(({ data }) => [data.eventType, data.featureFlags.length])).toEqual([
      ['patch', 1],
      ['patch', 1],
      ['patch', 1],
    ]);
    expect(JSON.stringify(client.transport.messages)).not.toMatch(/segment|rules/);
  });

  test('is sent once, however often anybody looks', async () => {
    const { transport } = await subscribe();
    await put('f', '1');
    await Promise.all([feed.refresh(), feed.refresh(), feed.read(), feed.read()]);
    await feed.refresh();
    expect(names(transport)).toEqual(['1']);
  });

  test('that an answer holds is not sent again, and one that it lacks follows it', async () => {
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

  test('whose entry in the journal is gone is sent as it stands', async () => {
    const { transport } = await subscribe();
    const lost = await put('f', '1');
    await put('g', '2');
    await put('f', '3');
    const Key = keys.journal(service.envId, lost.updatedAt);
    await service.tables.client.send(new DeleteItemCommand({ TableName: service.tables.flags, Key }));
    await feed.refresh();
    expect(names(transport)).toEqual(['2', '3']);
  });

  test('among more than are kept reaches everybody, also who was being answered meanwhile', async () => {
    await put('first', '0');
    const before = await subscribe();
    const documents = Array.from({ length: 1_500 }, (_, n) => ({
      kind: 'flag' as const,
      document: aFlag({ key: `f${n}`, name: String(n) }),
    }));
    await importDocuments(service.tables, service.ambient, service.envId, documents);
    await feed.refresh();
    expect(before.transport.sent).toHaveLength(1_501);
    const after = await subscribe();
    expect(after.transport.messages[0].data.featureFlags).toHaveLength(1_501);
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

describe('while the table is down', () => {
  test('a sync is answered with what was read last, and what was written meanwhile follows', async () => {
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

  test('from the start a sync fails, to be tried again', async () => {
    isDown = true;
    await expect(subscribe()).rejects.toThrow('the table is down');
    isDown = false;
    expect((await subscribe()).transport.sent).toHaveLength(1);
  });

  test('is another thing than an environment that is gone', async () => {
    await subscribe();
    const environment = await findEnvironment(service.tables, service.envId);
    await removeEnvironment(service.tables, service.ambient, environment);
    await expect(subscribe()).rejects.toThrow(NotFound);
  });

  test('only when changes are read they are sent with the next look, none twice', async () => {
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

test('a subscriber that does not read is dropped, and the others are served', async () => {
  const [slow, quick] = [await subscribe(), await subscribe()];
  slow.transport.bufferedBytes = 1_001;
  await put('f', '1');
  await feed.refresh();
  expect(slow.transport.ended).toBe('terminated');
  expect(dropped).toBe(1);
  await put('f', '2');
  await feed.refresh();
  expect(names(quick.transport)).toEqual(['1', '2']);
});
