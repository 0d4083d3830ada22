import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test } from '@jest/globals';
import { systemEffects } from '../../../shared/runtime/effects.ts';
import type { Reading } from '../../../shared/store/snapshots/snapshotCache.ts';
import { NotFound } from '../../../shared/store/table/errors.ts';
import { until } from '../../../shared/testing/until.ts';
import { TestTransport } from '../testing/transport.ts';
import { FAST_POLL_INTERVAL_MS, Feeds } from './feeds.ts';
import { SendBudget } from './sendBudget.ts';
import { Subscriber } from './subscriber.ts';

/** An environment without flags. */
function readingOf(updatedAt: number): Reading {
  const version = { updatedAt, previous: updatedAt - 1, writtenAt: 1 };
  return { snapshot: { version: updatedAt, flags: [], segments: [] }, version } as unknown as Reading;
}

/** Feeds of environments without flags. Some environments do not exist. */
function feedsWithout(missing: readonly string[] = [], parts: Partial<ConstructorParameters<typeof Feeds>[0]> = {}) {
  const recalled: string[] = [];
  const deleted: string[] = [];
  const polled: unknown[] = [];
  const feeds: Feeds = new Feeds({
    effects: systemEffects,
    maxReadAgeMs: 0,
    documents: {} as never,
    snapshots: {
      read: async (envId) => {
        if (missing.includes(envId)) throw new NotFound(envId);
        return readingOf(1);
      },
    },
    pollIntervalMs: 1,
    fastPollMs: 60_000,
    lastKnown: {
      reading: (envId) => {
        recalled.push(envId);
        return undefined;
      },
      save: () => {},
      forget: (envId) => deleted.push(envId),
      isTableLate: false,
    },
    events: { onTableRead: () => {}, onPushed: () => {}, onDropped: () => {} },
    onPolled: (error) => {
      polled.push(error);
      feeds.stop();
    },
    ...parts,
  });
  return { feeds, recalled, deleted, polled };
}

const subscribe = async (feeds: Feeds, envId: string) => {
  const subscriber = new Subscriber('server', new TestTransport(), new SendBudget(1_000, systemEffects.monotonic));
  await feeds.of(envId).answer(subscriber, { timestamp: 0 });
};
const names = (count: number) => Array.from({ length: count }, (_, n) => `env-${n}`);

describe('feeds', () => {
  test('are kept for fifty environments that nobody is connected to: those used last', () => {
    const { feeds } = feedsWithout();
    const first = names(50).map((envId) => feeds.of(envId));
    feeds.of('env-0');
    feeds.of('one-more');
    expect([feeds.of('env-0'), feeds.of('env-2')]).toEqual([first[0], first[2]]);
    expect(feeds.of('env-1')).not.toBe(first[1]);
  });

  test('are kept while somebody waits for a read', async () => {
    const slow = Promise.withResolvers<Reading>();
    const read = async (envId: string) => (envId === 'slow' ? slow.promise : readingOf(1));
    const { feeds } = feedsWithout([], { snapshots: { read } });
    const reading = feeds.read('slow');
    const feed = feeds.of('slow');
    for (const envId of names(120)) await feeds.read(envId);
    expect(feeds.of('slow')).toBe(feed);
    slow.resolve(readingOf(1));
    await reading;
    for (const envId of names(120)) await feeds.read(envId);
    expect(feeds.of('slow')).not.toBe(feed);
  });

  test('ask for no saved reading while the table answers, however many there are', async () => {
    let isDown = false;
    const read = async () => {
      if (isDown) throw new Error('down');
      return readingOf(1);
    };
    const { feeds, recalled } = feedsWithout([], { snapshots: { read } });
    for (let n = 0; n < 2; n++) for (const envId of names(60)) await feeds.read(envId);
    expect(recalled).toEqual([]);
    isDown = true;
    await expect(feeds.read('unread')).rejects.toThrow('down');
    expect(recalled).toEqual(['unread']);
  });

  test('outlive the deletion that a feed dropped before them reads late', async () => {
    const late = Promise.withResolvers<Reading>();
    let isFirst = true;
    const read = async (envId: string) => {
      if (envId !== 'again' || !isFirst) return readingOf(1);
      isFirst = false;
      return late.promise;
    };
    const { feeds, deleted } = feedsWithout([], { snapshots: { read } });
    const dropped = feeds.of('again');
    const reading = dropped.refresh();
    for (const envId of names(60)) await feeds.read(envId);
    await subscribe(feeds, 'again');
    const feed = feeds.of('again');
    late.reject(new NotFound('again'));
    await reading;
    expect([feed === dropped, feeds.of('again') === feed, deleted]).toEqual([false, true, []]);
  });

  test('are kept for every environment that somebody is connected to', async () => {
    const { feeds } = feedsWithout();
    const first: unknown[] = [];
    for (const envId of names(60)) {
      await subscribe(feeds, envId);
      first.push(feeds.of(envId));
    }
    expect(names(60).every((envId, n) => feeds.of(envId) === first[n])).toBe(true);
  });

  test('are dropped with a deleted environment, which is no failure of the table', async () => {
    const missing: string[] = [];
    const { feeds, deleted, polled } = feedsWithout(missing);
    await subscribe(feeds, 'gone');
    const before = feeds.of('gone');
    missing.push('gone');
    await feeds.watch();
    expect([deleted, polled]).toEqual([['gone'], [undefined]]);
    expect(feeds.of('gone')).not.toBe(before);
  });

  test('tell after each poll of an environment whether it could be read', async () => {
    let isDown = false;
    const { feeds, polled } = feedsWithout([], {
      snapshots: {
        read: async (envId) => {
          if (isDown && envId === 'env-1') throw new Error('down');
          return readingOf(1);
        },
      },
    });
    for (const envId of names(3)) await subscribe(feeds, envId);
    isDown = true;
    await feeds.watch();
    // Polls end in any order.
    expect(polled.toSorted()).toEqual([new Error('down'), undefined, undefined]);
  });

  test('are polled each by itself: a read that takes long holds up no other environment', async () => {
    const slow = Promise.withResolvers<Reading>();
    let isSlow = false;
    const reads: Record<string, number> = { slow: 0, quick: 0 };
    const { feeds } = feedsWithout([], {
      onPolled: () => {},
      snapshots: {
        read: async (envId) => {
          reads[envId] = (reads[envId] ?? 0) + 1;
          return isSlow && envId === 'slow' ? slow.promise : readingOf(1);
        },
      },
    });
    for (const envId of ['slow', 'quick']) await subscribe(feeds, envId);
    isSlow = true;
    const watching = feeds.watch();
    await until(() => (reads['quick'] ?? 0) >= 5);
    expect(reads['slow']).toBe(2);
    slow.resolve(readingOf(1));
    feeds.stop();
    await watching;
  });

  test('are not polled without connections, and stop at once', async () => {
    let reads = 0;
    const { feeds, polled } = feedsWithout([], {
      pollIntervalMs: 600_000,
      snapshots: {
        read: async () => {
          reads++;
          return readingOf(1);
        },
      },
    });
    await feeds.read('env-1');
    const watching = feeds.watch();
    await new Promise(setImmediate);
    feeds.stop();
    await watching;
    expect([reads, polled]).toEqual([1, []]);
  });

  /**
   * Feeds of two environments with a poll interval of ten minutes, and their reads. One environment has just changed.
   */
  const feedsAfterChange = async (fastPollMs: number) => {
    const reads: Record<string, number> = { edited: 0, quiet: 0 };
    let version = 1;
    const { feeds } = feedsWithout([], {
      pollIntervalMs: 600_000,
      fastPollMs,
      onPolled: () => {},
      documents: { missed: async () => [] },
      snapshots: {
        read: async (envId) => {
          reads[envId] = (reads[envId] ?? 0) + 1;
          return readingOf(envId === 'edited' ? version : 1);
        },
      },
    });
    for (const envId of ['edited', 'quiet']) await subscribe(feeds, envId);
    version = 2;
    await feeds.of('edited').refresh();
    return { feeds, reads };
  };

  test('poll an environment that was changed within the last minute often, and only that', async () => {
    const { feeds, reads } = await feedsAfterChange(60_000);
    const watching = feeds.watch();
    await until(() => (reads['edited'] ?? 0) >= 10);
    expect(reads['quiet']).toBe(2);
    feeds.stop();
    await watching;
  });

  test('poll a changed environment no more often than others where fast polls are off', async () => {
    const { feeds, reads } = await feedsAfterChange(0);
    const watching = feeds.watch();
    await until(() => (reads['quiet'] ?? 0) >= 2);
    // Five times the interval of a fast poll.
    await sleep(5 * FAST_POLL_INTERVAL_MS);
    feeds.stop();
    await watching;
    // One for its subscriber, one that found the change, one for all others.
    expect(reads['edited']).toBe(3);
  });
});
