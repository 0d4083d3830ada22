import { randomBytes } from 'node:crypto';
import { beforeEach } from '@jest/globals';
import { shardOf } from '../../shared/store/connections/connection.ts';
import type { StoredDocument } from '../../shared/store/documents/item.ts';
import { type Call, type Intercept, writeUnchecked } from '../../shared/store/testing/testTables.ts';
import { aFlag } from '../../shared/testing/builders.ts';
import { createDeliver } from '../push/deliver.ts';
import type { WebSocketEvent } from '../websocket/event.ts';
import { createHeal } from '../websocket/heal.ts';
import { aSync, database, sender, service, skippingPauses, stepOf, useService } from './fixture.ts';
import { dataSync, messageEvent, pushMessage, queueRecord, snapshotsOf } from './service.ts';

/** The connections that healing has closed in this test. */
export let ended: string[];

/**
 * Gives each test of a file this module's and the fixture's exports, without notes and with a clock well behind this
 * machine's.
 */
export function useRecovery(): void {
  useService();
  beforeEach(async () => {
    ended = [];
    service.effects.clock.now -= 600_000;
    const { unanswered } = service.store.connections;
    for (const { id } of await unanswered.load(10_000)) await unanswered.remove(id);
  });
}

/** Writes a flag with a random value. */
export async function put(key: string, bytes = 2, envId = service.envId): Promise<StoredDocument> {
  const value = randomBytes(bytes).toString('hex').slice(0, bytes);
  const flag = aFlag({ key, variations: [{ id: 'on', value }] });
  return (await writeUnchecked(service.store, envId, { kind: 'flag', document: flag }))[0] as StoredDocument;
}

export function wait(ms: number): void {
  service.effects.clock.now += ms;
}

/** The connections that wait for an answer. */
export async function noted(): Promise<string[]> {
  return (await service.store.connections.unanswered.load(100)).map(({ id }) => id);
}

/** Notes a connection, as the connect authorizer does. */
export async function come(id: string, type = 'client', context = {}): Promise<void> {
  const note = { id, since: service.effects.now(), context: { envId: service.envId, type, ...context } };
  await service.store.connections.unanswered.note(note);
}

/** Runs healing once. */
export function heal(intercept?: Intercept): Promise<void> {
  return createHeal({
    ...database.open(service.effects, intercept),
    snapshots: snapshotsOf(service),
    sender,
    ender: { end: async (id) => void ended.push(id) },
    effects: skippingPauses(),
  })({}, { getRemainingTimeInMillis: () => 60_000 });
}

/** Delivers a change to the shard of a connection. */
export async function deliver(stored: StoredDocument, id = 'c', intercept?: Intercept): Promise<void> {
  const handler = createDeliver({
    ...database.open(service.effects, intercept),
    snapshots: snapshotsOf(service),
    sender,
    queue: { changeVisibility: async () => {}, sendToDeadLetterQueue: async () => {} },
    now: service.effects.now,
    postsPerChunk: 100,
  });
  const record = queueRecord(pushMessage(stored, shardOf(id)).body, 0, { sentAt: service.effects.now() });
  await handler({ Records: [record] }, { getRemainingTimeInMillis: () => 60_000 });
}

/** Runs a data-sync with a sender that is killed at the n-th step of that name. */
export function die(step: string, event: WebSocketEvent, nth = 1): Promise<void> {
  return new Promise((resolve) => {
    let steps = 0;
    const sync = aSync((call, send) => {
      if (stepOf(call) !== step || ++steps < nth) return send();
      resolve();
      return new Promise(() => {});
    });
    void sync(event).finally(resolve);
  });
}

/** Makes each post take 3 s, during which its connection asks again. @returns when each post began */
export function askAgainInEachPost(makeEvent: () => WebSocketEvent): readonly number[] {
  const { post } = sender;
  const times: number[] = [];
  sender.post = async (to, text) => {
    times.push(service.effects.now());
    wait(3_000);
    // A sender that exceeds its 20 s must stop too.
    if (times.length < 9) await aSync()(makeEvent());
    return post(to, text);
  };
  return times;
}

/** A data-sync handler whose selected table requests wait until they are released. */
export function holdingSync(isHeld: (call: Call) => boolean) {
  let release = () => {};
  const isReleased = new Promise<void>((resolve) => {
    release = resolve;
  });
  let reached = () => {};
  const isReached = new Promise<void>((resolve) => {
    reached = resolve;
  });
  const sync = aSync(async (call, send) => {
    if (isHeld(call)) {
      reached();
      await isReleased;
    }
    return send();
  });
  return { sync, isReached, release };
}

export function syncOf(keyId: string): WebSocketEvent {
  return messageEvent(service, { body: dataSync(0, { keyId }) });
}

/** An agent that was accepted for a number of environments a second ago. */
export async function anAgent(count: number) {
  const envIds: string[] = [service.envId];
  while (envIds.length < count) {
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
  const states = () =>
    Promise.all(envIds.map(async (envId) => (await service.store.connections.find(envId, 'agent'))?.state.kind));
  return { relay, event, envIds, states };
}
