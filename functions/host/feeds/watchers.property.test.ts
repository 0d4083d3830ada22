import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { systemEffects } from '../../../shared/runtime/effects.ts';
import type { Reading } from '../../../shared/store/snapshots/snapshotCache.ts';
import { longRuns } from '../../../shared/testing/runs.ts';
import { createSteps } from '../../testing/steps.ts';
import type { EnvironmentFeed } from './environmentFeed.ts';
import { Feeds } from './feeds.ts';
import { Watchers } from './watchers.ts';

/*
 * Streams that open, while requests for many other environments make the host drop idle feeds, reads take different
 * times, and the environment changes. In any order, each stream is notified of the last version.
 */

interface Scenario {
  readonly seed: number;
  readonly streams: number;
  readonly writes: number;
  readonly others: number;
  /** Maximum time of a read, and between the read of a stream and its opening, in milliseconds. */
  readonly readMs: number;
  readonly openMs: number;
}

async function live({ seed, streams, writes, others, readMs, openMs }: Scenario): Promise<void> {
  const steps = createSteps(seed, 15, 3_600_000);
  let version = 1;
  const pause = (most: number) => steps.turn(steps.random() * most);
  const effects = { ...systemEffects, now: steps.now, monotonic: steps.now, pause: steps.turn, elapse: steps.turn };
  const feeds = new Feeds({
    effects: { ...effects, onSilence: () => () => {} },
    maxReadAgeMs: 90,
    pollIntervalMs: 50,
    fastPollMs: 0,
    documents: { missed: async () => [] },
    snapshots: {
      read: async () => {
        await pause(readMs / 2);
        const updatedAt = version;
        await pause(readMs / 2);
        const snapshot = { version: updatedAt, flags: [], segments: [] };
        return { snapshot, version: { updatedAt, previous: updatedAt - 1 } } as unknown as Reading;
      },
    },
    events: { onTableRead: () => {}, onPushed: () => {}, onDropped: () => {} },
    onPolled: () => {},
  });
  /** The feeds that are polled. */
  const watched = new Set<EnvironmentFeed>();
  const notified = Array.from({ length: streams }, () => 0);
  const open = async (n: number) => {
    await pause(400);
    const { updatedAt } = (await feeds.of('env').read()).version;
    await pause(openMs);
    const notify = (newest: number) => {
      notified[n] = Math.max(notified[n] ?? 0, newest);
    };
    const feed = feeds.of('env');
    feed.watch({ notify, close: () => {}, terminate: () => {} }, updatedAt);
    watched.add(feed);
  };
  const write = async () => {
    for (let n = 0; n < writes; n++) {
      await pause(3_000);
      version++;
    }
  };
  const crowd = async (n: number) => {
    await pause(3_000);
    await feeds.read(`other-${n}`);
  };
  const tasks = [...notified.map((_, n) => open(n)), write(), ...Array.from({ length: others }, (_, n) => crowd(n))];
  const run = async () => {
    let isDone = false;
    const done = Promise.all(tasks).then(() => {
      isDone = true;
    });
    while (!isDone) {
      await pause(60);
      for (const feed of watched) await feed.refresh();
    }
    await done;
    for (const feed of watched) await feed.refresh();
    expect([...watched]).toEqual([feeds.of('env')]);
    await steps.turn(200);
  };
  await steps.run([run()]);
  expect(notified).toEqual(notified.map(() => version));
}

test('every stream is notified of the last version, whichever feeds are dropped', async () => {
  const scenarios = fc.record({
    seed: fc.integer({ min: 0, max: 2 ** 31 }),
    streams: fc.integer({ min: 1, max: 4 }),
    writes: fc.integer({ min: 1, max: 2 }),
    others: fc.constantFrom(0, 300),
    readMs: fc.constantFrom(0, 80),
    openMs: fc.constantFrom(0, 3_000),
  });
  await fc.assert(fc.asyncProperty(scenarios, live), { numRuns: longRuns(60), endOnFailure: true });
}, 120_000);

test('a watcher that was added with a later version is not notified of an earlier one', async () => {
  const watchers = new Watchers({ elapse: async () => {} });
  const notified: number[] = [];
  watchers.notify(1);
  watchers.add({ notify: (version: number) => notified.push(version) } as never, 2);
  watchers.notify(3);
  await new Promise(setImmediate);
  expect(notified).toEqual([2, 3]);
});
