import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { type Effects, systemEffects } from '../../../shared/runtime/effects.ts';
import { SnapshotCache } from '../../../shared/store/snapshots/snapshotCache.ts';
import { database, store as plain, useStore } from '../../../shared/store/testing/testStore.ts';
import { type TestStore, testEffects } from '../../../shared/store/testing/testTables.ts';
import { aFlag } from '../../../shared/testing/builders.ts';
import { longRuns } from '../../../shared/testing/runs.ts';
import { createSteps, type Steps } from '../../testing/steps.ts';
import { strictSdk, type WorldSdk } from '../../testing/worldSdk.ts';
import type { Transport } from '../transport/transport.ts';
import { EnvironmentFeed } from './environmentFeed.ts';
import { SendBudget } from './sendBudget.ts';
import { Subscriber } from './subscriber.ts';

/*
 * A random interleaving of a writer, SDKs and a host that polls a table with occasional failures. The SDKs connect,
 * reconnect and read messages with delays. In any order, every SDK sees each change once, in order, and ends with the
 * table's content.
 */

useStore(testEffects());

interface Scenario {
  readonly seed: number;
  readonly writes: number;
  readonly sdks: number;
  readonly reconnects: number;
  /** Probability that a request to the table fails. */
  readonly trouble: number;
  /** Probability that an SDK reads a message late. */
  readonly slowness: number;
  /** For how long a read serves data-syncs. */
  readonly maxReadAgeMs: number;
}

async function live({ seed, writes, sdks, reconnects, trouble, slowness, maxReadAgeMs }: Scenario): Promise<void> {
  const start = testEffects();
  const { environment } = await plain.environments.create(`env ${start.uuid()}`);
  const steps = createSteps(seed, 15, start.now() + 3_600_000);
  const effects: Effects = { ...start, now: steps.now, random: steps.random, pause: steps.turn };
  const hostStore = storeIn(steps, effects, trouble);
  const writerStore = storeIn(steps, effects, 0);
  const feed = new EnvironmentFeed(
    {
      effects,
      maxReadAgeMs,
      documents: hostStore.documents,
      snapshots: new SnapshotCache(hostStore, () => {}),
      events: { onTableRead: () => {}, onPushed: () => {}, onDropped: () => {} },
      onDeleted: () => {},
    },
    environment.id,
  );
  let isWritten = false;
  const write = async () => {
    for (let n = 0; n < writes; n++) {
      await steps.turn(steps.random() * 300);
      const key = `flag-${Math.floor(steps.random() * 3)}`;
      await writerStore.documents.writeFlag(environment.id, key, () => aFlag({ key, name: String(n) }));
    }
    isWritten = true;
  };
  const look = async () => {
    while (!isWritten) {
      await steps.turn(steps.random() * 250);
      await feed.refresh().catch(() => {});
    }
  };
  const budget = new SendBudget(1_000_000, systemEffects.monotonic);
  const reading: Promise<void>[] = [];
  /** The action of a session after its unread message has been read. */
  const onUnread = (subscriber: Subscriber) => {
    if (steps.random() >= slowness) return;
    const transport = subscriber.transport as { bufferedBytes: number };
    transport.bufferedBytes = 10;
    const read = async () => {
      await steps.turn(steps.random() * 400);
      transport.bufferedBytes = 0;
      budget.note(subscriber.transport);
      if (!subscriber.isClosed) feed.catchUp(subscriber);
    };
    reading.push(read());
  };
  const models = Array.from({ length: sdks }, () => strictSdk());
  const connect = async (sdk: WorldSdk) => {
    let subscriber: Subscriber | undefined;
    for (let n = 0; n <= reconnects; n++) {
      if (subscriber) {
        subscriber.isClosed = true;
        feed.remove(subscriber);
      }
      sdk.disconnect(steps.now());
      await steps.turn(steps.random() * 600);
      const current = new Subscriber(
        'server',
        transportTo(sdk, steps, () => onUnread(current)),
        budget,
      );
      subscriber = current;
      const { data } = JSON.parse(sdk.request(steps.now()));
      await untilDone(() => feed.answer(current, data));
      await steps.turn(steps.random() * 600);
    }
  };
  const tasks = [write(), look(), ...models.map(connect)];
  const end = async () => {
    await Promise.all(tasks);
    await untilDone(() => feed.refresh());
    // Reading may cause more messages.
    while (reading.length > 0) await reading.shift();
  };
  await steps.run([end()]);

  const final = await plain.documents.load(environment.id);
  for (const store of [hostStore, writerStore]) store.close();
  for (const sdk of models) {
    expect(sdk.violations).toEqual([]);
    expect(sdk.flags()).toEqual(sdk.expected(final));
  }
}

/** A store in which every call is a step and may fail. */
function storeIn({ random, step }: Steps, effects: Effects, trouble: number): TestStore {
  return database.open(effects, (_, send) =>
    step(() => {
      if (random() < trouble) throw new Error('throttled');
      return send();
    }),
  );
}

function transportTo(sdk: WorldSdk, steps: Steps, onSent: () => void): Transport {
  return {
    bufferedBytes: 0,
    send: (text) => {
      sdk.receive(text, steps.now());
      onSent();
    },
    close: () => {},
    terminate: () => {},
  };
}

async function untilDone(act: () => Promise<void>): Promise<void> {
  for (;;) {
    try {
      return await act();
    } catch {
      // Throttled: repeat it.
    }
  }
}

test('every SDK sees every change once, in order, and ends where the table is', async () => {
  const scenarios = fc.record({
    seed: fc.integer({ min: 0, max: 2 ** 31 }),
    writes: fc.integer({ min: 1, max: 6 }),
    sdks: fc.integer({ min: 1, max: 3 }),
    reconnects: fc.integer({ min: 0, max: 2 }),
    trouble: fc.constantFrom(0, 0.2),
    slowness: fc.constantFrom(0, 0.5, 1),
    maxReadAgeMs: fc.constantFrom(0, 90),
  });
  await fc.assert(fc.asyncProperty(scenarios, live), { numRuns: longRuns(60), endOnFailure: true });
}, 120_000);
