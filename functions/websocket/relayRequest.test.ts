import { beforeEach, describe, expect, test } from '@jest/globals';
import type { Document } from '../../shared/flags/document.ts';
import type { Connection } from '../../shared/store/connections/connection.ts';
import type { IssuedRelay } from '../../shared/store/environments/issueRelays.ts';
import { writeUnchecked } from '../../shared/store/testing/testTables.ts';
import { aFlag } from '../../shared/testing/builders.ts';
import { aSync, database, output, sender, service, skippingPauses, useService } from '../testing/fixture.ts';
import { snapshotsOf } from '../testing/service.ts';
import { createDefault } from './default.ts';
import { createDisconnect } from './disconnect.ts';
import type { WebSocketEvent } from './event.ts';
import { createHeal } from './heal.ts';

useService();

let relay: IssuedRelay;
let envIds: readonly [string, string];
beforeEach(async () => {
  const { environment } = await service.store.environments.create(`env ${service.effects.uuid()}`);
  envIds = [service.envId, environment.id];
  relay = await service.store.relays.create('agents', envIds);
});

const context = () => ({ type: 'relay-proxy', secretId: relay.record.id, envIds: envIds.join() });
const put = (envId: string, key: string, description = '') =>
  service.store.documents.writeFlag(envId, key, () => aFlag({ key, id: key, description }));

function event(data: unknown, messageType = 'data-sync'): WebSocketEvent {
  return {
    body: JSON.stringify({ messageType, data }),
    requestContext: {
      connectionId: 'agent',
      routeKey: messageType,
      requestTimeEpoch: service.effects.now(),
      authorizer: context(),
    },
  };
}

const ask = async (data: unknown, sync = aSync()) => {
  const { body } = await sync(event(data));
  // Every reply is posted.
  expect(body).toBeUndefined();
  return sender.to('agent').map((message) => message.data);
};
const rows = () => Promise.all(envIds.map((envId) => service.store.connections.find(envId, 'agent')));
const note = () =>
  service.store.connections.unanswered.note({ id: 'agent', since: service.effects.now(), context: context() });
const noted = async () => (await service.store.connections.unanswered.load(100)).map(({ id }) => id);
const full = { timestamp: 0 };

describe('an agent’s data-sync', () => {
  test('is answered with all environments and secrets, and registered in each', async () => {
    await put(envIds[0], 'a');
    const [written] = await put(envIds[1], 'b');
    await note();
    const [reply, ...others] = await ask(full);
    expect(others).toEqual([]);
    expect(reply).toMatchObject({
      eventType: 'rp_full',
      items: [
        { envId: envIds[0], featureFlags: [{ key: 'a' }] },
        { envId: envIds[1], featureFlags: [{ key: 'b' }] },
      ],
    });
    expect(
      reply.items.map(({ secrets }: { secrets: { value: string }[] }) => secrets.map(({ value }) => value)),
    ).toEqual(relay.record.environments.map(({ secrets }) => secrets.map(({ value }) => value)));
    expect(await rows()).toMatchObject([
      { type: 'server', secretId: relay.record.id },
      { type: 'server', state: { kind: 'current', version: written?.updatedAt } },
    ]);
    for (const row of await rows()) expect(row?.state.kind).toBe('current');
    expect(await noted()).toEqual([]);
  });

  test('is answered with newer items by its cursors, up to date on an older instance', async () => {
    const sync = aSync();
    const [written] = await put(envIds[0], 'a');
    await ask(full, sync);
    await put(envIds[1], 'b');
    const envs = [{ envId: envIds[0], timestamp: written?.updatedAt }];
    const [, reply] = await ask({ timestamp: written?.updatedAt, envs }, sync);
    expect(reply.eventType).toBe('rp_patch');
    expect(Object.fromEntries(reply.items.map((item: { envId: string }) => [item.envId, item]))).toMatchObject({
      [envIds[0]]: { secrets: [], featureFlags: [] },
      [envIds[1]]: { secrets: [], featureFlags: [{ key: 'b' }] },
    });
  });

  test('is answered in several messages if needed, and with changes of pushes meanwhile', async () => {
    for (let n = 0; n < 30; n++) await put(envIds[0], `a${n}`, 'x'.repeat(10_000));
    const { post } = sender;
    let isWritten = false;
    sender.post = async (to, text) => {
      const posted = await post(to, text);
      if (!isWritten) {
        isWritten = true;
        const [late] = await put(envIds[1], 'late');
        const row = (await rows())[1] as Connection;
        await service.store.connections.states.leave(envIds[1], row, late?.updatedAt ?? 0, false);
      }
      return posted;
    };
    const replies = await ask(full);
    expect(replies.length).toBeGreaterThan(2);
    const keys = replies.flatMap(({ items, featureFlags = [] }) =>
      [...(items ?? []).flatMap((item: { featureFlags: [] }) => item.featureFlags), ...featureFlags].map(
        ({ key }: { key: string }) => key,
      ),
    );
    expect(keys.toSorted()).toEqual([...Array.from({ length: 30 }, (_, n) => `a${n}`), 'late'].toSorted());
    expect(keys.at(-1)).toBe('late');
  });

  test('leaves out an environment that was deleted, and is answered where all were', async () => {
    await put(envIds[1], 'b');
    await service.store.environments.remove(await service.store.environments.find(envIds[0]));
    const [first] = await ask(full);
    expect(first.items).toMatchObject([{ envId: envIds[1] }]);
    await service.store.environments.remove(await service.store.environments.find(envIds[1]));
    const [, second] = await ask(full);
    expect(second).toEqual({ eventType: 'rp_full', items: [] });
  });

  test('gets no answer if the relay is revoked, but a line in the log', async () => {
    await service.store.relays.revoke(relay.record.id);
    expect(await ask(full)).toEqual([]);
    expect(output.lines()).toMatchObject([
      { message: 'data-sync not answered', reason: 'unknown or revoked relay key' },
    ]);
    expect(output.text()).not.toContain(relay.key);
  });

  test.each([null, { timestamp: '0' }, { timestamp: 1, envs: 'all' }])('gets no answer if it is %j', async (data) => {
    expect(await ask(data)).toEqual([]);
    expect(await rows()).toEqual([undefined, undefined]);
  });

  test('is answered without an item that fits no message', async () => {
    const list = [
      { keyIds: Array.from({ length: 6_000 }, (_, n) => `a user with a long key ${n}`), variationId: 'on' },
    ];
    const big: Document = { kind: 'flag', document: aFlag({ key: 'big', targetUsers: list }) };
    await writeUnchecked(service.store, envIds[0], big);
    await put(envIds[1], 'b');
    const [{ items }] = await ask(full);
    expect(items).toMatchObject([{ featureFlags: [] }, { featureFlags: [{ key: 'b' }] }]);
    for (const row of await rows()) expect(row?.state.kind).toBe('current');
  });

  test('is left to the sender of an earlier answer, which answers everything in full', async () => {
    await put(envIds[0], 'a');
    const { post } = sender;
    const newer = aSync();
    let posts = 0;
    sender.post = async (to, text) => {
      if (++posts === 1) {
        service.effects.clock.now += 1;
        await newer(event(full));
      }
      return post(to, text);
    };
    await ask(full);
    expect(sender.to('agent').map(({ data }) => data.eventType)).toEqual(['rp_full', 'rp_full', 'rp_patch']);
    for (const row of await rows()) expect(row?.state.kind).toBe('current');
    expect((await rows())[0]?.requestedAt).toBe(service.effects.now());
  });

  test('is not answered if a newer one of its connection overtakes it', async () => {
    const earlier = event(full);
    service.effects.clock.now += 10;
    await ask(full);
    await aSync()(earlier);
    expect(sender.sent).toHaveLength(1);
  });
});

describe('an agent’s connection', () => {
  const heal = (remainingMs = 60_000) =>
    createHeal({
      ...database.open(service.effects),
      snapshots: snapshotsOf(service),
      sender,
      ender: { end: () => Promise.reject(new Error('an agent does not come back from 1000')) },
      effects: skippingPauses(),
    })({}, { getRemainingTimeInMillis: () => remainingMs });

  test('is sent everything with its secrets if it was never answered, and never ended', async () => {
    await put(envIds[0], 'a');
    await note();
    service.effects.clock.now += 60_000;
    await heal();
    const replies = sender.to('agent').map(({ data }) => data);
    expect(replies.map(({ eventType }) => eventType)).toEqual(['rp_full', 'rp_patch']);
    expect(replies[0].items[0].secrets).toHaveLength(2);
    expect(replies[1].items[0].featureFlags).toMatchObject([{ key: 'a' }]);
    expect(await noted()).toEqual([]);
    for (const row of await rows()) expect(row?.state.kind).toBe('current');
  });

  test('is healed if its answer failed halfway, but not if it was answered', async () => {
    await put(envIds[0], 'a');
    await note();
    sender.failing.add('agent');
    await ask(full);
    sender.failing.clear();
    expect(await noted()).toEqual(['agent']);
    service.effects.clock.now += 60_000;
    await heal();
    expect(sender.sent).toHaveLength(2);
    await note();
    await ask(full);
    await note();
    service.effects.clock.now += 60_000;
    await heal();
    expect(sender.sent).toHaveLength(3);
    expect(await noted()).toEqual([]);
  });

  test('is left to the sender that answers it', async () => {
    await note();
    service.effects.clock.now += 25_000;
    const { post } = sender;
    sender.post = async (to, text) => {
      service.effects.clock.now += 10_000;
      await heal(21_000);
      return post(to, text);
    };
    await ask(full);
    expect(sender.sent).toHaveLength(1);
  });

  test('is forgotten in every environment when it ends', async () => {
    await ask(full);
    await createDisconnect(service.store.connections, service.effects.now)(event(null));
    expect(await rows()).toEqual([undefined, undefined]);
  });

  test('may tell how the agent is, which is no fault; an SDK’s is unknown', async () => {
    const handle = createDefault(aSync(), service.effects.now);
    const status = event({ agentId: 'agent-1', status: '{}' }, 'rp-agent-status');
    expect(await handle(status)).toEqual({ statusCode: 200 });
    expect(output.lines()).toEqual([]);
    const { requestContext } = status;
    await handle({ ...status, requestContext: { ...requestContext, authorizer: { envId: 'e', type: 'server' } } });
    expect(output.lines()).toMatchObject([{ message: 'message ignored', reason: 'unknown type' }]);
  });
});
