import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { Flag } from '../../shared/flags/flag.ts';
import { systemEffects } from '../../shared/runtime/effects.ts';
import { HostReports } from '../../shared/store/connections/hostReports.ts';
import { isComplete, readReceipt } from '../../shared/store/connections/receipt.ts';
import { SnapshotCache } from '../../shared/store/snapshots/snapshotCache.ts';
import { aFlag } from '../../shared/testing/builders.ts';
import { longRuns } from '../../shared/testing/runs.ts';
import { database, useDatabase } from '../testing/fixture.ts';
import { aService } from '../testing/service.ts';
import { EnvironmentFeed } from './feeds/environmentFeed.ts';
import { PushReports } from './feeds/pushReports.ts';
import { SendBudget } from './feeds/sendBudget.ts';
import { Subscriber } from './feeds/subscriber.ts';
import { TestTransport } from './testing/transport.ts';

/*
 * A host and its connections, with steps in any order: changes, polls, data-syncs, connections that do not read or
 * close, reports, and the death of the process. A receipt never claims more than was written to sockets, and claims all
 * once all is quiet.
 */

useDatabase();

type Step =
  | { readonly kind: 'write' | 'poll' | 'open' | 'report' | 'look' }
  | { readonly kind: 'close' | 'stall' | 'read' | 'sync'; readonly which: number };

const which = fc.nat({ max: 3 });
/** A change that is polled, reported and looked at, as it happens most often. */
const PUSH: readonly Step[] = [{ kind: 'write' }, { kind: 'poll' }, { kind: 'report' }, { kind: 'look' }];
const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ kind: fc.constantFrom('write', 'poll', 'open', 'report', 'look') }),
  fc.record({ kind: fc.constantFrom('close', 'stall', 'read', 'sync'), which }),
);

const steps = fc
  .array(
    fc.oneof(
      step.map((each) => [each]),
      fc.constant(PUSH),
    ),
    { minLength: 5, maxLength: 30 },
  )
  .map((parts) => [{ kind: 'open' } as const, ...parts.flat()]);

/** A connection: what its socket has accepted, at the latest moment when it had no unread bytes. */
class Client {
  readonly transport = new TestTransport();
  readonly subscriber: Subscriber;
  versions: ReadonlyMap<string, number> = new Map();
  readonly openedAt: number;

  constructor(budget: SendBudget, openedAt: number) {
    this.openedAt = openedAt;
    this.subscriber = new Subscriber('server', this.transport, budget);
  }

  /** Call after each step. */
  note(): void {
    if (this.transport.bufferedBytes > 0) return;
    const versions = new Map<string, number>();
    for (const { data } of this.transport.messages) {
      if (data.eventType === 'full') versions.clear();
      for (const flag of data.featureFlags as Flag[]) versions.set(flag.key, Date.parse(flag.updatedAt));
    }
    this.versions = versions;
  }

  has(key: string, version: number): boolean {
    return (this.versions.get(key) ?? 0) >= version;
  }
}

async function live(steps: readonly Step[]): Promise<void> {
  const service = await aService(database);
  const { envId, effects, store } = service;
  const budget = new SendBudget(1_000_000, systemEffects.monotonic);
  const feed = new EnvironmentFeed(
    {
      effects,
      maxReadAgeMs: 0,
      documents: store.documents,
      snapshots: new SnapshotCache(store, () => {}),
      events: { onTableRead: () => {}, onPushed: () => {}, onDropped: () => {} },
      onDeleted: () => {},
    },
    envId,
  );
  const table = { client: store.tables.client, name: store.tables.connections, effects };
  const reports = new PushReports({
    process: { id: 'host', owner: 'o' },
    open: async () => new HostReports(table),
    notes: store.hosts,
    report: () => feed.report(),
    effects,
    onFailed: (error) => {
      throw error;
    },
  });
  const clients: Client[] = [];
  const writes: { key: string; version: number; at: number }[] = [];
  const sync = async (client: Client) => {
    await reports.admit(envId);
    await feed.answer(client.subscriber, { timestamp: 0 });
  };
  const look = async () => {
    for (const client of clients) client.note();
    for (const { version, at } of writes) {
      const receipt = await readReceipt(store.connections, store.hosts, envId, { version, at });
      const known = writes.filter((write) => write.version <= version);
      const truth = clients.filter((client) => known.every((write) => client.has(write.key, write.version)));
      expect(receipt.handed).toBeLessThanOrEqual(truth.length);
      if (!isComplete(receipt)) continue;
      const open = clients.filter(({ openedAt, transport }) => openedAt < at && transport.ended === undefined);
      expect(open.filter((client) => !truth.includes(client))).toEqual([]);
    }
  };
  for (const each of steps) {
    effects.clock.now += 1_000;
    for (const each of clients) each.note();
    const client = 'which' in each ? clients[each.which % clients.length] : undefined;
    if (each.kind === 'write') {
      const key = `f${writes.length % 3}`;
      const [written] = await store.documents.writeFlag(envId, key, () => aFlag({ key, name: String(writes.length) }));
      if (written) writes.push({ key, version: written.updatedAt, at: written.writtenAt });
    } else if (each.kind === 'poll') await feed.refresh();
    else if (each.kind === 'report') await settle(reports);
    else if (each.kind === 'look') await look();
    else if (each.kind === 'open') {
      clients.push(new Client(budget, effects.now()));
      await sync(clients.at(-1) as Client);
    } else if (client && each.kind === 'close') {
      client.transport.close(1001, '');
      feed.remove(client.subscriber);
    } else if (client && client.transport.ended === undefined) {
      if (each.kind === 'sync' && client.transport.bufferedBytes === 0) await sync(client);
      if (each.kind === 'stall') client.transport.unread = 100;
      if (each.kind === 'read') {
        client.transport.unread = client.transport.bufferedBytes = 0;
        feed.catchUp(client.subscriber);
      }
    }
  }
  await look();
  for (const { transport, subscriber } of clients) {
    transport.unread = transport.bufferedBytes = 0;
    feed.catchUp(subscriber);
  }
  await feed.refresh();
  effects.clock.now += 10_000;
  await settle(reports);
  const open = clients.filter(({ transport }) => transport.ended === undefined);
  for (const { version, at } of writes) {
    const receipt = await readReceipt(store.connections, store.hosts, envId, { version, at });
    expect(receipt).toMatchObject({ handed: open.length, behind: {}, unknownHosts: [] });
  }
  // The process is killed.
  effects.clock.now += 61_000;
  for (const { version, at } of writes) {
    const receipt = await readReceipt(store.connections, store.hosts, envId, { version, at });
    expect(receipt.handed).toBe(0);
    // Without connections, the lease may have been removed before.
    if (open.length > 0) expect(receipt.unknownHosts).toEqual(['host']);
  }
}

/** Writes the reports that are due. */
async function settle(reports: PushReports): Promise<void> {
  reports.tick();
  await reports.settled();
}

describe('a receipt of a host', () => {
  test('is never larger than the truth, equals it at rest, and is unknown after a kill', async () => {
    await fc.assert(fc.asyncProperty(steps, live), {
      numRuns: longRuns(12),
      endOnFailure: true,
    });
  }, 300_000);
});
