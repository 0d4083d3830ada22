import { randomBytes } from 'node:crypto';
import { beforeEach, describe, expect, jest, test } from '@jest/globals';
import { shardOf } from '../../shared/store/connection.ts';
import type { StoredDocument } from '../../shared/store/item.ts';
import type { Intercept } from '../../shared/store/testing/testTables.ts';
import { aFlag, aSegment } from '../../shared/testing/builders.ts';
import { createDeliver } from '../push/deliver.ts';
import {
  aSync,
  ask,
  connection,
  database,
  sender,
  service,
  skippingPauses,
  stepOf,
  useService,
} from '../testing/fixture.ts';
import { dataSync, messageEvent, pushMessage, queueRecord, snapshotsOf } from '../testing/service.ts';
import type { WebSocketEvent } from './event.ts';
import { createHeal } from './heal.ts';

/* Senders that die or fail, requests that are repeated or arrive late, and what healing and deliveries make of it. */

// Many requests to the embedded table.
jest.setTimeout(60_000);
useService();

let ended: string[];
beforeEach(async () => {
  ended = [];
  // Well behind this machine's clock.
  service.effects.clock.now -= 600_000;
  const { unanswered } = service.store.connections;
  for (const { id } of await unanswered.load(10_000)) await unanswered.remove(id);
});

const put = async (key: string, bytes = 2) => {
  const value = randomBytes(bytes).toString('hex').slice(0, bytes);
  const flag = aFlag({ key, variations: [{ id: 'on', value }] });
  return (await service.store.documents.writeFlag(service.envId, key, () => flag))[0] as StoredDocument;
};
const wait = (ms: number) => {
  service.effects.clock.now += ms;
};
const noted = async () => (await service.store.connections.unanswered.load(100)).map(({ id }) => id);
const come = (id: string, type = 'client') =>
  service.store.connections.unanswered.note({
    id,
    since: service.effects.now(),
    context: { envId: service.envId, type },
  });

/** One call of healing. */
const heal = (intercept?: Intercept) =>
  createHeal({
    ...database.open(service.effects, intercept),
    snapshots: snapshotsOf(service),
    sender,
    ender: { end: async (id) => void ended.push(id) },
    effects: skippingPauses(),
  })({}, { getRemainingTimeInMillis: () => 60_000 });

/** Delivers a change to the shard of a connection. */
async function deliver(stored: StoredDocument, id = 'c'): Promise<void> {
  const handler = createDeliver({
    ...database.open(service.effects),
    snapshots: snapshotsOf(service),
    sender,
    queue: { comeAgain: async () => {}, setAside: async () => {} },
    now: service.effects.now,
    postsPerChunk: 100,
  });
  const record = queueRecord(pushMessage(stored, shardOf(id)).body, 0, { sentAt: service.effects.now() });
  const result = await handler({ Records: [record] }, { getRemainingTimeInMillis: () => 60_000 });
  expect(result).toEqual({ batchItemFailures: [] });
}

/** Has a data-sync handled by a sender that dies at the n-th step of that name. */
const die = (step: string, event: WebSocketEvent, nth = 1) =>
  new Promise<void>((resolve) => {
    let steps = 0;
    const sync = aSync((call, send) => {
      if (stepOf(call) !== step || ++steps < nth) return send();
      resolve();
      return new Promise(() => {});
    });
    void sync(event).finally(resolve);
  });
const syncOf = (keyId: string) => messageEvent(service, { body: dataSync(0, { keyId }) });

/** Makes each post take 3 s, in which its connection asks again. @returns when each post began */
function askAgainInEachPost(makeEvent: () => WebSocketEvent): readonly number[] {
  const { post } = sender;
  const times: number[] = [];
  sender.post = async (to, text) => {
    times.push(service.effects.now());
    wait(3_000);
    // A sender that exceeds its 20 s must end too.
    if (times.length < 9) await aSync()(makeEvent());
    return post(to, text);
  };
  return times;
}

describe('a connection whose sender died', () => {
  test('is still answered when a push came first and had nothing for it', async () => {
    await come('c');
    await die('Query', syncOf('u'));
    wait(30_000);
    const [segment] = await service.store.documents.writeSegment(service.envId, 's', () => aSegment({ id: 's' }));
    await deliver(segment as StoredDocument);
    await deliver(segment as StoredDocument);
    await heal();
    expect(sender.to('c')).toMatchObject([{ data: { eventType: 'full' } }]);
    expect([await noted(), (await connection())?.state.kind]).toEqual([[], 'current']);
  });

  test('is still answered when an invalid data-sync came after it', async () => {
    await come('c');
    await die('Query', syncOf('u'));
    wait(1_000);
    await ask('{"messageType":"data-sync","data":{}}');
    wait(60_000);
    await heal();
    expect(sender.to('c')).toMatchObject([{ data: { eventType: 'full', userKeyId: 'u' } }]);
  });

  test('gives up before it is killed where its posts are slow, so that healing learns of it', async () => {
    for (let n = 0; n < 20; n++) await put(`f${n}`, 50_000);
    await ask(dataSync(0), { type: 'server' });
    wait(60_000);
    const { post } = sender;
    sender.post = async (to, text) => {
      wait(2_500);
      return post(to, text);
    };
    await ask(dataSync(0), { type: 'server' });
    expect(await noted()).toEqual(['c']);
    sender.post = post;
    wait(60_000);
    await heal();
    expect([await noted(), (await connection())?.state.kind]).toEqual([[], 'current']);
  });
});

describe('a later data-sync', () => {
  test('whose sender died is healed, with a change that came meanwhile', async () => {
    await ask(dataSync(0, { keyId: 'u' }));
    wait(1_000);
    await die('Query', syncOf('v'));
    await put('g');
    wait(60_000);
    await heal();
    expect(sender.to('c').at(-1)).toMatchObject({
      data: { eventType: 'full', userKeyId: 'v', featureFlags: [{ id: 'g' }] },
    });
    expect([await noted(), (await connection())?.state.kind]).toEqual([[], 'current']);
  });

  test('leaves the note of a loop as it is', async () => {
    await ask(dataSync(0, { keyId: 'u' }));
    const context = { envId: service.envId, type: 'client', isLoop: 'true' };
    await service.store.connections.unanswered.note({ id: 'c', since: service.effects.now(), context });
    wait(1_000);
    await ask(dataSync(0, { keyId: 'v' }));
    expect(await service.store.connections.unanswered.load(10)).toMatchObject([{ id: 'c', context }]);
  });

  test('that was left to a sender that died is healed, though connect could not note the connection', async () => {
    await die('Query', syncOf('u'));
    wait(1_000);
    await ask(dataSync(0, { keyId: 'v' }));
    expect([sender.sent, await noted()]).toEqual([[], ['c']]);
    wait(60_000);
    await heal();
    expect(sender.to('c')).toMatchObject([{ data: { eventType: 'full', userKeyId: 'v' } }]);
  });

  test('in each post is answered until time ends, and is left to healing then', async () => {
    const deadline = service.effects.now() + 20_000;
    const posts = askAgainInEachPost(() => syncOf('v'));
    await aSync()(syncOf('u'));
    expect(posts.at(-1)).toBeLessThanOrEqual(deadline);
    expect([await noted(), (await connection())?.state]).toMatchObject([['c'], { reason: 'unanswered' }]);
  });

  test.each([
    ['is answered at once where the one before failed', 'failing', 1],
    ['waits for healing where a message of the one before may still arrive', 'uncertain', 0],
  ] as const)('%s', async (_, outcome, answers) => {
    sender[outcome].add('c');
    await ask(dataSync(0, { keyId: 'u' }));
    sender[outcome].clear();
    wait(1_000);
    await ask(dataSync(0, { keyId: 'v' }));
    expect(sender.to('c')).toHaveLength(answers);
    wait(60_000);
    await heal();
    expect(sender.to('c')).toMatchObject([{ data: { eventType: 'full', userKeyId: 'v' } }]);
    expect([await noted(), (await connection())?.state.kind]).toEqual([[], 'current']);
  });
});

test('a refused data-sync stays noted though an older one is answered', async () => {
  await come('c');
  const sync = aSync();
  const { post } = sender;
  let isFirst = true;
  sender.post = async (to, text) => {
    if (isFirst) {
      isFirst = false;
      for (let n = 1; n <= 20; n++) {
        wait(1);
        await sync(syncOf(`u${n}`));
      }
    }
    return post(to, text);
  };
  await sync(syncOf('u0'));
  expect(sender.to('c').map(({ data }) => data.userKeyId)).toEqual(['u0', 'u19']);
  wait(60_000);
  await heal();
  expect(ended).toEqual(['c']);
});

test('a loop is ended though some of its data-syncs failed', async () => {
  const sync = aSync();
  for (let n = 0; n < 300; n++) {
    if (n === 200) sender.failing.add('c');
    if (n === 210) sender.failing.clear();
    await ask(dataSync(0, { keyId: 'u1' }), { sync });
    wait(200);
  }
  await heal();
  expect(ended).toEqual(['c']);
});

describe('a request to the table', () => {
  test('that claims a connection and is repeated, as its response was lost, heals it all the same', async () => {
    await come('s', 'server');
    wait(30_000);
    let isLost = false;
    await heal(async (call, send) => {
      if (call.input.UpdateExpression?.includes('claimedUntil') && !isLost) {
        isLost = true;
        await send();
      }
      return send();
    });
    expect(sender.to('s')).toHaveLength(1);
  });

  test('that begins an answer and arrives after its repeat was finished takes no lease', async () => {
    let repeat: (() => Promise<unknown>) | undefined;
    const sync = aSync((call, send) => {
      if (stepOf(call) === 'begin') repeat = send;
      return send();
    });
    await sync(syncOf('u'));
    await repeat?.().catch(() => {});
    await deliver(await put('g'));
    expect(sender.to('c').at(-1)).toMatchObject({ data: { eventType: 'patch', featureFlags: [{ id: 'g' }] } });
  });
});

test('one connection that cannot be reached keeps a call of healing from no other that becomes due in it', async () => {
  await come('stuck', 'server');
  sender.failing.add('stuck');
  wait(20_000);
  await come('s', 'server');
  wait(15_000);
  await heal();
  expect(sender.to('s')).toHaveLength(1);
});

describe('an agent', () => {
  /** An agent that was let in to so many environments. */
  async function anAgent(count: 1 | 2) {
    const envIds: string[] = [service.envId];
    if (count === 2) {
      envIds.push((await service.store.environments.create(`env ${service.effects.uuid()}`)).environment.id);
    }
    const relay = await service.store.relays.create('agents', envIds);
    const context = { type: 'relay-proxy', secretId: relay.record.id, envIds: envIds.join() };
    await service.store.connections.unanswered.note({ id: 'agent', since: service.effects.now(), context });
    wait(1_000);
    const event = (): WebSocketEvent => ({
      body: JSON.stringify({ messageType: 'data-sync', data: { timestamp: 0 } }),
      requestContext: {
        connectionId: 'agent',
        routeKey: 'data-sync',
        requestTimeEpoch: service.effects.now(),
        authorizer: context,
      },
    });
    return { relay, event };
  }
  const eventTypes = () => sender.to('agent').map(({ data }) => data.eventType);

  test.each([
    ['before it read the environment', 1, 'Query', 1],
    ['between the rows of two environments', 2, 'begin', 2],
  ] as const)('whose sender died %s gets its secrets, though a push came first', async (_, count, step, nth) => {
    const { event } = await anAgent(count);
    await die(step, event(), nth);
    wait(30_000);
    await deliver(await put('g'), 'agent');
    wait(30_000);
    await heal();
    expect(eventTypes()).toContain('rp_full');
    expect(await noted()).toEqual([]);
  });

  test('is answered where the lease of one environment has expired and that of another has not', async () => {
    const { event } = await anAgent(2);
    let begins = 0;
    await new Promise<void>((resolve) => {
      const sync = aSync((call, send) => {
        if (stepOf(call) === 'begin' && ++begins === 2) {
          wait(10_000);
          throw new Error('throttled');
        }
        if (stepOf(call) !== 'Query') return send();
        resolve();
        return new Promise(() => {});
      });
      void sync(event());
    });
    wait(20_500);
    await aSync()(event());
    expect(eventTypes()).toEqual(['rp_full']);
  });

  test.each([
    ['failing', ['rp_full']],
    ['uncertain', []],
  ] as const)('that asks again after a post that was %s gets at once: %j', async (outcome, answers) => {
    const { event } = await anAgent(2);
    sender[outcome].add('agent');
    await aSync()(event());
    sender[outcome].clear();
    wait(1_000);
    await aSync()(event());
    expect(eventTypes()).toEqual(answers);
    wait(60_000);
    await heal();
    expect(eventTypes()).toContain('rp_full');
    expect(await noted()).toEqual([]);
  });

  test('that asks again in each post is answered until time ends, and is left to healing then', async () => {
    const { event } = await anAgent(1);
    const deadline = service.effects.now() + 20_000;
    const posts = askAgainInEachPost(event);
    await aSync()(event());
    expect(posts.at(-1)).toBeLessThanOrEqual(deadline);
    expect([await noted(), (await connection('agent'))?.state]).toMatchObject([['agent'], { reason: 'unanswered' }]);
  });

  test('whose later data-sync was killed is healed', async () => {
    const { event } = await anAgent(1);
    await aSync()(event());
    await put('g');
    wait(1_000);
    await die('Query', event());
    wait(60_000);
    await heal();
    expect(eventTypes().slice(1)).toEqual(['rp_full', 'rp_patch']);
    expect(await noted()).toEqual([]);
  });

  test('whose relay was revoked is not tried again and again', async () => {
    const { relay } = await anAgent(1);
    await service.store.relays.revoke(relay.record.id);
    wait(35_000);
    await heal();
    expect([sender.sent, await noted()]).toEqual([[], []]);
  });
});
