import { setImmediate as turn } from 'node:timers/promises';
import { beforeEach, describe, expect, test } from '@jest/globals';
import { InvalidRequest } from '../../../shared/protocol/message.ts';
import { systemEffects } from '../../../shared/runtime/effects.ts';
import type { Reading } from '../../../shared/store/snapshots/snapshotCache.ts';
import { NotFound } from '../../../shared/store/table/errors.ts';
import { aFlag } from '../../../shared/testing/builders.ts';
import { service, useService } from '../../testing/fixture.ts';
import { snapshotsOf } from '../../testing/service.ts';
import type { EnvironmentFeed } from '../feeds/environmentFeed.ts';
import { SendBudget } from '../feeds/sendBudget.ts';
import type { Subscriber } from '../feeds/subscriber.ts';
import { TestTransport } from '../testing/transport.ts';
import { RelaySession } from './relaySession.ts';

useService();

/** A feed that records its members, and the ones that were brought up to date. */
class PlayedFeed {
  readonly subscribers = new Set<Subscriber>();
  readonly caughtUp: (number | undefined)[] = [];
  read: (cursor: number) => Promise<Reading>;

  constructor(read: (cursor: number) => Promise<Reading>) {
    this.read = read;
  }
  add(subscriber: Subscriber): void {
    this.subscribers.add(subscriber);
  }
  remove(subscriber: Subscriber): void {
    this.subscribers.delete(subscriber);
  }
  catchUp(subscriber: Subscriber): number {
    this.caughtUp.push(subscriber.version);
    return 0;
  }
}

let feeds: Map<string, PlayedFeed>;
let envIds: string[];
let transport: TestTransport;
let session: RelaySession;
let released = 0;

beforeEach(async () => {
  released = 0;
  const other = (await service.store.environments.create(`other ${service.effects.uuid()}`)).environment.id;
  envIds = [service.envId, other];
  for (const [n, envId] of envIds.entries())
    await service.store.documents.writeFlag(envId, `f${n}`, () => aFlag({ key: `f${n}` }));
  const snapshots = snapshotsOf(service);
  feeds = new Map(envIds.map((envId) => [envId, new PlayedFeed(() => snapshots.read(envId))]));
  transport = new TestTransport();
  const secrets = envIds.map((envId) => ({
    type: 'server' as const,
    projectKey: 'p',
    envId,
    envKey: `key of ${envId}`,
    value: `secret of ${envId}`,
  }));
  session = new RelaySession(
    {
      feeds: { of: (envId) => feeds.get(envId) as unknown as EnvironmentFeed },
      sendBudget: new SendBudget(1_000_000, systemEffects.monotonic),
    },
    transport,
    { id: 'relay', envIds, secrets },
    () => {
      released++;
    },
  );
});

const feedOf = (n: number) => feeds.get(envIds[n] ?? '') as PlayedFeed;
const everything = { timestamp: 0, envs: [] };
const sizes = () => envIds.map((_, n) => feedOf(n).subscribers.size);

describe('an agent’s session', () => {
  test('answers with each environment and its own secrets, and follows the feed of each', async () => {
    await session.sync(everything);
    expect(transport.messages).toHaveLength(1);
    const { eventType, items } = transport.messages[0].data;
    expect(eventType).toBe('rp_full');
    expect(items.map((item: { envId: string }) => item.envId)).toEqual(envIds);
    for (const [n, item] of items.entries()) {
      expect(item.featureFlags.map(({ key }: { key: string }) => key)).toEqual([`f${n}`]);
      expect(JSON.stringify(item.secrets)).toContain(`secret of ${envIds[n]}`);
      expect(JSON.stringify(item.secrets)).not.toContain(`secret of ${envIds[1 - n]}`);
    }
    expect(sizes()).toEqual([1, 1]);
    const versions = await Promise.all(envIds.map(async (_, n) => (await feedOf(n).read(0)).version.updatedAt));
    expect(envIds.map((_, n) => feedOf(n).caughtUp)).toEqual(versions.map((version) => [version]));
  });

  test('gets no push of an environment before the reply, which waits for the slowest', async () => {
    const slow = Promise.withResolvers<void>();
    const { read } = feedOf(1);
    feedOf(1).read = (cursor) => slow.promise.then(() => read(cursor));
    const { updatedAt } = (await feedOf(0).read(0)).version;
    const quick = feedOf(0).read(0);
    feedOf(0).read = () => quick;
    const reply = session.sync(everything);
    for (let n = 0; n < 20; n++) await turn();
    const [subscriber] = feedOf(0).subscribers;
    // A feed sends nothing to a subscriber without a version.
    expect([subscriber?.version, transport.sent]).toEqual([undefined, []]);
    slow.resolve();
    await reply;
    expect([subscriber?.version, transport.sent.length]).toEqual([updatedAt, 1]);
  });

  test('asks each environment for what is as new as the agent’s cursor of it', async () => {
    const asked: number[] = [];
    for (const [n] of envIds.entries()) {
      const { read } = feedOf(n);
      feedOf(n).read = (cursor) => {
        asked.push(cursor);
        return read(cursor);
      };
    }
    await session.sync({ timestamp: 9, envs: [{ envId: envIds[1], timestamp: 7 }] });
    expect(asked).toEqual([0, 7]);
  });

  test('leaves out an environment that was deleted, and stays open with the others', async () => {
    feedOf(0).read = () => Promise.reject(new NotFound('gone'));
    await session.sync(everything);
    expect(transport.messages[0].data.items.map((item: { envId: string }) => item.envId)).toEqual([envIds[1]]);
    expect(sizes()).toEqual([0, 1]);
    for (const subscriber of feedOf(1).subscribers) subscriber.close(4003, 'the environment was deleted');
    expect(transport.ended).toBeUndefined();
  });

  test('fails while the table is away, and answers when asked again', async () => {
    const { read } = feedOf(0);
    feedOf(0).read = () => Promise.reject(new Error('down'));
    await expect(session.sync(everything)).rejects.toThrow('down');
    expect([sizes()[0], transport.sent]).toEqual([0, []]);
    feedOf(0).read = read;
    await session.sync(everything);
    expect([sizes(), transport.sent.length]).toEqual([[1, 1], 1]);
  });

  test('moves to the feed that took the place of another', async () => {
    await session.sync(everything);
    const [before, read] = [feedOf(0), feedOf(0).read];
    feeds.set(envIds[0] ?? '', new PlayedFeed(read));
    await session.sync(everything);
    expect([before.subscribers.size, ...sizes()]).toEqual([0, 1, 1]);
  });

  test('gets no changes of an environment between its asking and the answer', async () => {
    await session.sync(everything);
    const [subscriber] = feedOf(0).subscribers;
    const { read } = feedOf(0);
    feedOf(0).read = () => {
      expect(subscriber?.version).toBeUndefined();
      return read(0);
    };
    await session.sync(everything);
    expect(subscriber?.version).toBe((await read(0)).version.updatedAt);
  });

  test('sends messages, catches up in each environment, and releases all when it ends', async () => {
    session.send('text');
    await session.sync(everything);
    session.catchUp();
    expect([transport.sent[0], ...envIds.map((_, n) => feedOf(n).caughtUp.length)]).toEqual(['text', 2, 2]);
    session.closed();
    await session.sync(everything);
    expect(transport.sent).toHaveLength(2);
    session.release();
    expect([released, ...sizes()]).toEqual([1, 0, 0]);
  });

  test('answers nothing to what is no request', async () => {
    await expect(session.sync('x')).rejects.toThrow(InvalidRequest);
    expect(sizes()).toEqual([0, 0]);
  });
});
