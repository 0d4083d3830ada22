import { beforeEach, describe, expect, test } from '@jest/globals';
import { HOST_LEASE_MS, type HostReport, HostReports } from '../../../shared/store/connections/hostReports.ts';
import { isComplete, readReceipt } from '../../../shared/store/connections/receipt.ts';
import { until } from '../../../shared/testing/until.ts';
import { database, service, useService } from '../../testing/fixture.ts';
import { PushReports } from './pushReports.ts';

useService();

let calls: string[];
let failed: unknown[];
/** Called before each request to the table. */
let onCall: () => Promise<void>;
let current: HostReport | undefined;
let isKnown: boolean;
/** With which error the flags table refuses notes. */
let areNotesRefused: Error | undefined;

beforeEach(() => {
  calls = [];
  failed = [];
  onCall = async () => {};
  current = undefined;
  isKnown = true;
  areNotesRefused = undefined;
});

const report = (fields: Partial<HostReport> = {}): HostReport => ({
  open: 1,
  servedTo: 5,
  served: 1,
  newest: 5,
  behind: 0,
  rounds: [],
  ...fields,
});

function aHost(id = 'host', owner = service.effects.uuid()) {
  const { effects } = service;
  const { client, connections } = database.open(effects, async ({ name }, send) => {
    calls.push(name);
    await onCall();
    return send();
  }).tables;
  return new PushReports({
    process: { id, owner },
    notes: {
      write: async (host) => {
        if (areNotesRefused) throw areNotesRefused;
        await service.store.hosts.write(host);
      },
      remove: (host) => service.store.hosts.remove(host),
    },
    open: async () => (isKnown ? new HostReports({ client, name: connections, effects }) : undefined),
    report: () => current,
    effects,
    onFailed: (error) => failed.push(error),
  });
}

async function load() {
  const { client, connections } = service.store.tables;
  return new HostReports({ client, name: connections, effects: service.effects }).load(service.envId);
}

/** Lets time pass, with a tick at its end. */
async function pass(host: PushReports, ms: number): Promise<void> {
  service.effects.clock.now += ms;
  host.tick();
  await host.settled();
}

describe('a lease', () => {
  test('is written before the first data-sync of an environment, and not for others', async () => {
    const host = aHost();
    await host.admit(service.envId);
    expect(await load()).toMatchObject([{ id: 'host', leaseUntil: service.effects.now() + HOST_LEASE_MS }]);
    expect(host.admit(service.envId)).toBeUndefined();
    expect([calls, host.unreported]).toEqual([['PutItem'], 0]);
  });

  test('is renewed every 20 seconds with connections, and removed 5 seconds without one', async () => {
    const host = aHost();
    await host.admit(service.envId);
    current = report();
    await pass(host, 1_000);
    for (let seconds = 0; seconds < 60; seconds++) await pass(host, 1_000);
    expect(calls).toEqual(Array(5).fill('PutItem'));
    current = undefined;
    await pass(host, 5_000);
    expect([calls.at(-1), await load()]).toEqual(['DeleteItem', []]);
    await host.admit(service.envId);
    expect(await load()).toHaveLength(1);
  });

  test('is removed by a host that stops', async () => {
    const host = aHost();
    await host.admit(service.envId);
    await host.stop();
    expect(await load()).toEqual([]);
  });

  test('is counted and written later if the table refuses it, and delays nobody', async () => {
    onCall = async () => {
      throw new Error('throttled');
    };
    const host = aHost();
    await host.admit(service.envId);
    expect([failed.length, host.unreported, await load()]).toEqual([1, 1, []]);
    expect(host.admit(service.envId)).toBeUndefined();
    onCall = async () => {};
    current = report();
    await pass(host, 5_000);
    expect([host.unreported, await load()]).toMatchObject([0, [{ report: { served: 1 } }]]);
  });

  test('delays a data-sync by a second at most if its write does not end', async () => {
    onCall = () => new Promise(() => {});
    const host = aHost();
    await host.admit(service.envId);
    expect(host.unreported).toBe(1);
  });

  test('is taken once the name of the table is recorded', async () => {
    isKnown = false;
    const host = aHost();
    await host.admit(service.envId);
    current = report();
    await pass(host, 5_000);
    expect([calls, host.unreported]).toEqual([[], 1]);
    isKnown = true;
    await pass(host, 5_000);
    expect([calls, host.unreported]).toEqual([['PutItem'], 0]);
  });

  test('is replaced by the same host’s next start', async () => {
    const before = aHost();
    current = report({ open: 7, served: 7 });
    await before.admit(service.envId);
    current = undefined;
    await aHost().admit(service.envId);
    expect(await load()).toMatchObject([{ id: 'host', report: { open: 0 } }]);
  });

  test('is removed at the start if an earlier process with the same id left it', async () => {
    await aHost().admit(service.envId);
    await aHost('other').admit(service.envId);
    const next = aHost();
    await next.clear([service.envId]);
    expect((await load()).map(({ id }) => id)).toEqual(['other']);
    await next.admit(service.envId);
    await next.clear([service.envId]);
    expect(await load()).toHaveLength(2);
  });

  test('becomes two if two processes have one id', async () => {
    const [one, two] = [aHost(), aHost()];
    current = report();
    await one.admit(service.envId);
    await two.admit(service.envId);
    await pass(one, 20_000);
    await pass(one, 1_000);
    const ids = (await load()).map(({ id }) => id);
    expect(ids).toEqual(['host', expect.stringMatching(/^host-/)]);
  });
});

describe('a report', () => {
  test('is written within a second of a read or push, and within five of a connection', async () => {
    const host = aHost();
    current = report();
    await host.admit(service.envId);
    current = report({ newest: 6, behind: 1 });
    await pass(host, 1_000);
    current = report({ newest: 6, servedTo: 6 });
    await pass(host, 1_000);
    expect(calls).toHaveLength(3);
    current = report({ newest: 6, servedTo: 6, open: 2, served: 2 });
    for (let second = 1; second < 5; second++) await pass(host, 1_000);
    expect(calls).toHaveLength(3);
    await pass(host, 1_000);
    expect(calls).toHaveLength(4);
    expect((await load())[0]?.report).toEqual(current);
  });
});

describe('a host that receipts may not know', () => {
  /** A time at which no earlier test's host is noted any more. */
  beforeEach(() => {
    service.effects.clock.now += 48 * 3_600_000;
  });

  const read = () => {
    const { store, envId, effects } = service;
    return readReceipt(store.connections, store.hosts, envId, { version: 5, at: effects.now() });
  };
  const refuse = async () => {
    throw new Error('throttled');
  };

  test('is unknown while it cannot report an environment that it serves, then known', async () => {
    const host = aHost();
    onCall = refuse;
    await host.admit(service.envId);
    current = report();
    const receipt = await read();
    expect([receipt.handed, receipt.unknownHosts, isComplete(receipt)]).toEqual([0, ['host'], false]);
    for (let minute = 0; minute < 48 * 60; minute += 20) await pass(host, 20 * 60_000);
    expect((await read()).unknownHosts).toEqual(['host']);
    onCall = async () => {};
    await pass(host, 20_000);
    await pass(host, 1_000);
    expect(await read()).toMatchObject({ handed: 1, unknownHosts: [] });
  });

  test('is unknown from its start until the connections table takes a write', async () => {
    const host = aHost();
    await host.begin();
    expect((await read()).unknownHosts).toEqual(['host']);
    await host.clear([service.envId]);
    expect(isComplete(await read())).toBe(true);
  });

  test('is noted by one request for all data-syncs that wait while no table answers', async () => {
    isKnown = false;
    const { effects } = service;
    let notes = 0;
    const noted = Promise.withResolvers<void>();
    const host = new PushReports({
      process: { id: 'host', owner: effects.uuid() },
      notes: {
        write: () => {
          notes++;
          return noted.promise;
        },
        remove: async () => {},
      },
      open: async () => undefined,
      report: () => undefined,
      effects,
      onFailed: (error) => failed.push(error),
    });
    const waiting = Array.from({ length: 20 }, () => host.admit(service.envId));
    for (let n = 0; n < 5; n++) host.tick();
    await until(() => notes === 1);
    noted.reject(new Error('no answer'));
    await Promise.all(waiting);
    expect(notes).toBe(1);
  });

  test('begins without the flags table, but not without permission to note itself', async () => {
    areNotesRefused = Object.assign(new Error('no'), { name: 'AccessDeniedException' });
    await expect(aHost().begin()).rejects.toThrow('allow it dynamodb:PutItem and dynamodb:DeleteItem on items HOSTS');
    areNotesRefused = new Error('away');
    await aHost().begin();
  });

  test('is not noted once it has stopped', async () => {
    const host = aHost();
    onCall = refuse;
    await host.begin();
    await host.admit(service.envId);
    await host.stop();
    expect((await read()).unknownHosts).toEqual([]);
  });
});
