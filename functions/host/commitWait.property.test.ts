import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { Flag } from '../../shared/flags/flag.ts';
import { parseTimestamp } from '../../shared/flags/timestamp.ts';
import { type Effects, elapse, systemEffects } from '../../shared/runtime/effects.ts';
import { SnapshotCache } from '../../shared/store/snapshots/snapshotCache.ts';
import { MAX_READ_AGE_MS } from '../../shared/store/table/commitWait.ts';
import { database, newEnvironment, store as plain, useStore } from '../../shared/store/testing/testStore.ts';
import { type TestStore, testEffects } from '../../shared/store/testing/testTables.ts';
import { aFlag } from '../../shared/testing/builders.ts';
import { longRuns } from '../../shared/testing/runs.ts';
import { createSteps, type Steps } from '../testing/steps.ts';
import { EnvironmentFeed } from './feeds/environmentFeed.ts';
import { SendBudget } from './feeds/sendBudget.ts';
import { Subscriber } from './feeds/subscriber.ts';
import { TestTransport } from './testing/transport.ts';

/*
 * Two writers and two hosts, each with clocks of its own, and clients that move between the hosts, interleaved step by step at
 * random. Requests and replies are on their way for a while; timers fire early; clocks run fast or slow; a host is suspended or its
 * wall clock is set. Whatever the order, a data-sync or request that starts after an acknowledgement contains the write, no client of
 * data-syncs gets less than it has, and a client that was notified of a version gets it from every host.
 */

useStore(testEffects());

/** A machine's clocks. */
interface Machine {
  /** Seconds of its monotonic clock in a second. */
  readonly rate: number;
  /** Whether it is suspended now and then, or its wall clock is set. Where both happen at once, neither clock shows the time. */
  readonly trouble: 'suspended' | 'set' | 'none';
}

interface Scenario {
  readonly seed: number;
  readonly writers: readonly number[];
  readonly hosts: readonly Machine[];
  readonly clients: number;
  /** How long a request, or its reply, may be on its way. */
  readonly latencyMs: number;
  readonly pollIntervalMs: number;
}

const FLAG = 'flag';
const ROUNDS = 15;

/** What came of a scenario. */
interface Outcome {
  readonly violations: readonly string[];
  /** Data-syncs, and those that were answered without a read of their own. */
  readonly syncs: number;
  readonly withoutRead: number;
}

async function play(scenario: Scenario, maxReadAgeMs: number): Promise<Outcome> {
  const { seed, writers, hosts, clients, latencyMs, pollIntervalMs } = scenario;
  const envId = await newEnvironment(plain);
  const steps = createSteps(seed, 4, testEffects().now() + 3_600_000);
  const { now, random, turn } = steps;
  const opened: TestStore[] = [];
  const open = (effects: Effects, onTheWay: Steps['turn']) => {
    const store = database.open(effects, async (_, send) => {
      await turn(random() * latencyMs);
      const result = await steps.step(send);
      await onTheWay(random() * latencyMs);
      return result;
    });
    opened.push(store);
    return store;
  };
  const violations: string[] = [];
  let acknowledged = 0;
  let isWritten = false;

  const write = async (rate: number, index: number) => {
    const monotonic = () => now() * rate;
    const early = (ms: number) => turn(ms * (0.5 + random() / 2));
    const effects = { ...testEffects(), now, monotonic, random, pause: early };
    const store = open({ ...effects, elapse: (ms) => elapse(effects, ms) }, turn);
    for (let n = 0; n < ROUNDS; n++) {
      await turn(random() * 250);
      let seen: Flag | undefined;
      const isChange = random() < 0.7;
      const written = await store.documents.writeFlag(envId, FLAG, (flag) => {
        seen = flag;
        return flag && !isChange ? flag : aFlag({ key: FLAG, name: `${index} ${n}` });
      });
      const shown = written[0]?.updatedAt ?? parseTimestamp(seen?.updatedAt ?? '') ?? 0;
      acknowledged = Math.max(acknowledged, shown);
    }
  };

  const startHost = ({ rate, trouble }: Machine) => {
    let [suspendedMs, suspendedUntil, setByMs] = [0, 0, 0];
    const go = async (afterMs?: number) => {
      await turn(afterMs);
      while (now() < suspendedUntil) await turn(suspendedUntil - now());
    };
    const clocks = { now: () => now() + setByMs, monotonic: () => (now() - suspendedMs) * rate };
    const timers = { ...testEffects(), ...clocks, random, pause: go };
    const effects: Effects = { ...timers, elapse: (ms) => elapse(timers, ms) };
    const store = open(effects, go);
    const snapshots = new SnapshotCache(store, () => {});
    let reads = 0;
    const read = (id: string) => {
      reads++;
      return snapshots.read(id);
    };
    const ignored = {
      events: { onTableRead: () => {}, onPushed: () => {}, onDropped: () => {} },
      onDeleted: () => {},
    };
    const feed = new EnvironmentFeed(
      { effects, maxReadAgeMs, documents: store.documents, snapshots: { read }, ...ignored },
      envId,
    );
    const troubled = async () => {
      while (!isWritten && trouble !== 'none') {
        await turn(random() * 400);
        if (trouble === 'set') setByMs += (random() - 0.5) * 500;
        else {
          const ms = random() * 300;
          // Its monotonic clock shows, when it goes on, what it showed before.
          suspendedUntil = now() + ms;
          suspendedMs += ms;
        }
      }
    };
    const poll = async () => {
      while (!isWritten) {
        await go(pollIntervalMs);
        await feed.refresh();
      }
    };
    return { feed, go, troubled, poll, reads: () => reads };
  };

  const running = hosts.map(startHost);
  const budget = new SendBudget(1_000_000, systemEffects.monotonic);
  let [syncs, withoutRead] = [0, 0];
  const sync = async () => {
    let has = 0;
    while (!isWritten) {
      await turn(random() * 60);
      const { feed, go, reads } = running[Math.floor(random() * running.length)] as (typeof running)[number];
      const mustHave = acknowledged;
      const timestamp = random() < 0.5 ? 0 : has;
      await go(random() * 20);
      const transport = new TestTransport();
      const subscriber = new Subscriber('server', transport, budget);
      const before = reads();
      await feed.answer(subscriber, { timestamp });
      feed.remove(subscriber);
      syncs++;
      if (reads() === before) withoutRead++;
      const { eventType, featureFlags } = transport.messages[0].data;
      const [flag] = featureFlags;
      const got = flag ? (parseTimestamp(flag.updatedAt) ?? 0) : 0;
      const holds = eventType === 'full' ? got : Math.max(got, timestamp);
      if (holds < mustHave) violations.push(`${mustHave} was acknowledged, and a data-sync after it had ${holds}`);
      if (holds < timestamp) violations.push(`a client with ${timestamp} was answered ${holds}`);
      has = Math.max(has, holds);
    }
  };

  /** A client of HTTP, which asks a host at random. @param mustHave a version that the response must contain */
  const request = async (mustHave: number, cause: string) => {
    const { feed, go } = running[Math.floor(random() * running.length)] as (typeof running)[number];
    await go(random() * 20);
    const { version } = await feed.read();
    if (version.updatedAt < mustHave)
      violations.push(`${mustHave} was ${cause}, and a response had ${version.updatedAt}`);
  };
  const ask = async () => {
    while (!isWritten) {
      await turn(random() * 60);
      await request(acknowledged, 'acknowledged');
    }
    await Promise.all(notified);
  };
  const notified: Promise<void>[] = [];
  for (const { feed } of running) {
    const notify = (version: number) => {
      if (!isWritten) notified.push(request(version, 'announced'));
    };
    feed.watch(Object.assign(new TestTransport(), { notify }), 0);
  }

  const writing = Promise.all(writers.map(write)).finally(() => {
    isWritten = true;
  });
  await steps.run([
    writing,
    ...running.flatMap(({ troubled, poll }) => [troubled(), poll()]),
    ...Array.from({ length: clients }, sync),
    ask(),
  ]);
  for (const store of opened) store.close();
  return { violations, syncs, withoutRead };
}

const rate = fc.constantFrom(0.96, 1, 1.04);
const machine = fc.record({ rate, trouble: fc.constantFrom('suspended' as const, 'set' as const, 'none' as const) });
const scenarios = fc.record({
  seed: fc.integer({ min: 0, max: 2 ** 31 }),
  writers: fc.array(rate, { minLength: 2, maxLength: 2 }),
  hosts: fc.array(machine, { minLength: 2, maxLength: 2 }),
  clients: fc.integer({ min: 1, max: 3 }),
  latencyMs: fc.constantFrom(2, 20, 100),
  pollIntervalMs: fc.constantFrom(50, 500),
});

test('a request after an acknowledgement has the write, and many data-syncs need no read', async () => {
  const total = { syncs: 0, withoutRead: 0 };
  await fc.assert(
    fc.asyncProperty(scenarios, async (scenario) => {
      const { violations, syncs, withoutRead } = await play(scenario, MAX_READ_AGE_MS);
      total.syncs += syncs;
      total.withoutRead += withoutRead;
      expect(violations).toEqual([]);
    }),
    { numRuns: longRuns(80), endOnFailure: true },
  );
  expect(total.withoutRead).toBeGreaterThan(total.syncs / 10);
}, 240_000);

test('a host fails that trusts a read for longer than writers wait', async () => {
  const { failed } = await fc.check(
    fc.asyncProperty(scenarios, async (scenario) => {
      expect((await play(scenario, 400)).violations).toEqual([]);
    }),
    { numRuns: 40, endOnFailure: true },
  );
  expect(failed).toBe(true);
}, 240_000);
