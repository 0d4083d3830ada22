import { beforeEach, describe, expect, jest, test } from '@jest/globals';
import type { Intercept } from '../../shared/store/testing/testTables.ts';
import { aFlag } from '../../shared/testing/builders.ts';
import {
  aSync,
  ask,
  connection,
  database,
  output,
  sender,
  service,
  skippingPauses,
  stepOf,
  useService,
} from '../testing/fixture.ts';
import { dataSync, snapshotsOf } from '../testing/service.ts';
import { createHeal } from './heal.ts';

// Many requests to the embedded table.
jest.setTimeout(60_000);
useService();

/** Who was ended, and when. */
let ended: { readonly id: string; readonly at: number }[];
let failing: (id: string) => boolean;

beforeEach(async () => {
  [ended, failing] = [[], () => false];
  // Well behind this machine's clock, by which retries end.
  service.effects.clock.now -= 600_000;
  const { unanswered } = service.store.connections;
  for (const { id } of await unanswered.load(10_000)) await unanswered.remove(id);
  await put('f');
  await put('g');
});

const put = (key: string, name = '') =>
  service.store.documents.writeFlag(service.envId, key, () => aFlag({ key, name }));
const endedIds = () => ended.map(({ id }) => id).toSorted();

/** A connection is let in: what the authorizer notes of it. */
const come = (id: string, type = 'client') =>
  service.store.connections.unanswered.note({
    id,
    since: service.effects.now(),
    context: { envId: service.envId, type, secretId: 'secret' },
  });
const noted = async () => (await service.store.connections.unanswered.load(10_000)).map(({ id }) => id).toSorted();

/** One call of the function. */
function heal({ intercept, remainingMs = 60_000 }: { intercept?: Intercept; remainingMs?: number } = {}) {
  const { now } = service.effects;
  const handler = createHeal({
    ...database.open(service.effects, intercept),
    snapshots: snapshotsOf(service, intercept),
    sender,
    ender: {
      end: async (id) => {
        if (failing(id)) throw new Error('too many requests');
        ended.push({ id, at: now() });
      },
    },
    effects: skippingPauses(),
  });
  return handler({}, { getRemainingTimeInMillis: () => remainingMs });
}

/** A call, a minute after what happened so far. */
const healLater = (options?: Parameters<typeof heal>[0]) => {
  service.effects.clock.now += 60_000;
  return heal(options);
};

/** A data-sync whose function is killed when it comes to this step, and is never heard of again. */
async function askInVain(step: string, options: Omit<NonNullable<Parameters<typeof ask>[1]>, 'sync'>, body: string) {
  await new Promise<void>((resolve) => {
    const sync = aSync((call, send) => {
      if (stepOf(call) !== step) return send();
      resolve();
      return new Promise(() => {});
    });
    void ask(body, { ...options, sync }).finally(resolve);
  });
}

describe('a connection whose data-sync came to nobody', () => {
  test('is sent everything if it is a server, and gets pushes from then on', async () => {
    await come('s', 'server');
    await healLater();
    expect(sender.to('s')).toMatchObject([
      { data: { eventType: 'full', featureFlags: [{ key: 'f' }, { key: 'g' }], segments: [] } },
    ]);
    expect(await connection('s')).toMatchObject({ type: 'server', secretId: 'secret', state: { kind: 'current' } });
    expect([await noted(), ended]).toEqual([[], []]);
  });

  test('is healed though many that came before always fail', async () => {
    failing = (id) => id.startsWith('bad');
    for (let n = 0; n < 24; n++) await come(`bad ${n}`);
    for (let n = 0; n < 3; n++) await healLater();
    await come('good');
    await healLater();
    expect(endedIds()).toEqual(['good']);
  });

  test('is ended once if it is a client, as its user was in that message', async () => {
    await come('c');
    await healLater();
    await healLater();
    expect(endedIds()).toEqual(['c']);
    expect([await noted(), sender.sent]).toEqual([[], []]);
  });

  test('is healed within a minute of its coming, however it lies to the schedule', async () => {
    for (const ageMs of [0, 1, 29_999, 30_000, 59_999]) {
      const id = `came ${ageMs} ms before`;
      await come(id);
      const cameAt = service.effects.now();
      service.effects.clock.now += ageMs;
      await heal();
      expect(ended.at(-1)?.id).toBe(id);
      expect((ended.at(-1)?.at ?? 0) - cameAt).toBeGreaterThanOrEqual(30_000);
      expect((ended.at(-1)?.at ?? 0) - cameAt).toBeLessThan(61_000);
    }
  });

  test('is forgotten if it has ended by now', async () => {
    await come('s', 'server');
    sender.gone.add('s');
    await healLater();
    expect([await noted(), await connection('s')]).toEqual([[], undefined]);
  });

  test('is forgotten if its environment does not exist any more', async () => {
    await service.store.connections.unanswered.note({
      id: 's',
      since: service.effects.now(),
      context: { envId: service.effects.uuid(), type: 'server' },
    });
    await healLater();
    expect([await noted(), sender.sent]).toEqual([[], []]);
    expect(output.text()).toContain('there is no environment');
  });
});

describe('a connection that registered before its answer failed', () => {
  const user = { keyId: 'u1', customizedProperties: [{ name: 'country', value: 'us' }] };

  test.each(['GetItem', 'Query', 'finish'])(
    'is sent everything after a failure at %s, a client for its user',
    async (step) => {
      await come('c');
      await come('s', 'server');
      service.effects.clock.now += 1_000;
      await askInVain(step, { id: 'c' }, dataSync(7, user));
      await askInVain(step, { id: 's', type: 'server' }, dataSync(7));
      await healLater();
      // Killed at "finish" it had sent its answer, which nobody can know.
      const answered = step === 'finish' ? 1 : 0;
      expect(sender.to('c').slice(answered)).toMatchObject([
        { data: { eventType: 'full', userKeyId: 'u1', featureFlags: [{ id: 'f' }, { id: 'g' }] } },
      ]);
      expect(sender.to('s').slice(answered)).toMatchObject([
        { data: { eventType: 'full', featureFlags: [{ key: 'f' }, { key: 'g' }] } },
      ]);
      expect([await noted(), ended]).toEqual([[], []]);
    },
  );

  test('is left to the sender that answers it as long as that may take', async () => {
    await come('s', 'server');
    service.effects.clock.now += 25_000;
    await askInVain('GetItem', { id: 's', type: 'server' }, dataSync());
    service.effects.clock.now += 10_000;
    await heal({ remainingMs: 21_000 });
    expect([sender.sent, await noted()]).toEqual([[], ['s']]);
    service.effects.clock.now += 20_000;
    await heal({ remainingMs: 21_000 });
    expect([sender.to('s').length, await noted()]).toEqual([1, []]);
  });

  test('is answered in the call in which the lease of its sender ends', async () => {
    await come('s', 'server');
    service.effects.clock.now += 25_000;
    await askInVain('GetItem', { id: 's', type: 'server' }, dataSync());
    await come('later', 'server');
    service.effects.clock.now += 10_000;
    await heal();
    expect([sender.to('s').length, await noted()]).toEqual([1, []]);
  });

  test('is noticed after a failed later data-sync, too, and a client is ended', async () => {
    await come('c');
    await ask(dataSync(0, user));
    expect(await noted()).toEqual([]);
    service.effects.clock.now += 60_000;
    const refused = aSync((call, send) => {
      if (stepOf(call) === 'begin') throw new Error('throttled');
      return send();
    });
    service.effects.clock.now += 1;
    const body = dataSync(0, { keyId: 'u2' });
    const event = { id: 'c', sync: refused };
    await ask(body, event);
    expect(await noted()).toEqual(['c']);
    await healLater();
    expect([endedIds(), await noted()]).toEqual([['c'], []]);
  });
});

describe('a connection that has its answer', () => {
  test('is not touched, and its note is gone with the answer', async () => {
    await come('c');
    await come('s', 'server');
    await ask(dataSync(0, { keyId: 'u1' }));
    await ask(dataSync(), { id: 's', type: 'server' });
    expect(await noted()).toEqual([]);
    await healLater();
    expect([ended, sender.sent.length]).toEqual([[], 2]);
  });

  test('is not touched where its note could not be taken away', async () => {
    const stubborn = aSync((call, send) => {
      if (stepOf(call) === 'DeleteItem') throw new Error('throttled');
      return send();
    });
    service.effects.clock.now += 100;
    await come('c');
    await come('s', 'server');
    service.effects.clock.now += 100;
    expect(await ask(dataSync(0, { keyId: 'u1' }), { sync: stubborn })).toBeDefined();
    expect(await ask(dataSync(), { id: 's', type: 'server', sync: stubborn })).toBeDefined();
    expect(await noted()).toEqual(['c', 's']);
    await healLater();
    expect([ended, sender.sent.length, await noted()]).toEqual([[], 2, []]);
  });

  test('or whose message is none, is left alone: there is nothing to answer', async () => {
    await come('c');
    await ask('{"messageType":"data-sync","data":{}}');
    expect(await noted()).toEqual([]);
  });
});

test('a connection that asked too often for a moment is not ended', async () => {
  const sync = aSync();
  for (let n = 0; n < 30; n++) await ask(dataSync(0, { keyId: 'u1' }), { sync });
  service.effects.clock.now += 25_000;
  await ask(dataSync(0, { keyId: 'u1' }), { sync });
  await healLater();
  expect([endedIds(), await noted()]).toEqual([[], []]);
});

describe('healing while AWS refuses', () => {
  test('stops, and continues with the next call', async () => {
    for (let n = 0; n < 40; n++) await come(`c${n}`);
    failing = () => ended.length >= 10;
    await healLater();
    expect(ended).toHaveLength(10);
    expect(await noted()).toHaveLength(30);
    expect(output.lines()).toContainEqual(
      expect.objectContaining({ level: 'WARN', ended: 10, failed: expect.any(Number), waiting: 30 }),
    );
    const line = output.lines().find(({ level, ended }) => level === 'WARN' && ended === 10);
    expect(line?.['failed']).toBeGreaterThan(5);
    expect(line?.['failed']).toBeLessThanOrEqual(16);
    failing = () => false;
    await healLater();
    expect(ended).toHaveLength(40);
    expect(await noted()).toEqual([]);
  });

  test('stops while the table refuses, too', async () => {
    for (let n = 0; n < 20; n++) await come(`s${n}`, 'server');
    await healLater({
      intercept: async (call, send) => {
        if (stepOf(call) === 'begin') throw new Error('throttled');
        return send();
      },
    });
    expect(sender.sent).toEqual([]);
    await healLater();
    expect(sender.sent).toHaveLength(20);
  });

  test('delays nobody for one that cannot be reached', async () => {
    for (let n = 0; n < 25; n++) await come(`s${n}`, 'server');
    for (let n = 0; n < 3; n++) sender.failing.add(`s${n}`);
    await healLater();
    await healLater();
    expect(new Set(sender.sent.map(({ to }) => to)).size).toBe(22);
    expect(await noted()).toEqual(['s0', 's1', 's2']);
  });
});

test('healing ends at most a hundred clients a second, each once, in overlapping calls', async () => {
  const { now, clock } = service.effects;
  const ids = Array.from({ length: 2_000 }, (_, n) => `client-${n}`);
  const context = { envId: service.envId, type: 'client' };
  // As the table has them, but at once.
  const notes = new Map(ids.map((id) => [id, { id, since: now() - 60_000, context, claimedUntil: 0 }]));
  const unanswered = {
    load: async () => [...notes.values()],
    remove: async (id: string) => void notes.delete(id),
    claim: async (id: string, at: number, claimedUntil: number) => {
      const note = notes.get(id);
      if (!note || note.claimedUntil > at) return false;
      notes.set(id, { ...note, claimedUntil });
      return true;
    },
  };
  const heal = createHeal({
    connections: { unanswered, find: async () => undefined } as never,
    relays: service.store.relays,
    snapshots: snapshotsOf(service),
    sender,
    ender: { end: async (id) => void ended.push({ id, at: now() }) },
    effects: {
      ...service.effects,
      pause: async (ms) => {
        clock.now += ms;
        await new Promise((resolve) => setImmediate(resolve));
      },
    },
  });
  const call = () => heal({}, { getRemainingTimeInMillis: () => 60_000 });
  await call();
  expect(endedIds()).toEqual(ids.toSorted());
  const perSecond = Map.groupBy(ended, ({ at }) => Math.floor((at - (ended[0]?.at ?? 0)) / 1_000));
  for (const [, within] of perSecond) expect(within.length).toBeLessThanOrEqual(100);
  notes.clear();
  for (const id of ids) notes.set(id, { id, since: now() - 60_000, context, claimedUntil: 0 });
  await Promise.all([call(), call()]);
  expect(ended).toHaveLength(4_000);
});

test('nothing is read twice, recorded or logged while nobody waits', async () => {
  const calls: string[] = [];
  const before = service.effects.now();
  await heal({
    intercept: async ({ name }, send) => {
      calls.push(name);
      return send();
    },
  });
  expect(calls).toEqual(Array(8).fill('Query'));
  expect([service.effects.now() - before, output.text()]).toEqual([0, '']);
});
