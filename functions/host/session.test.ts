import { setTimeout as sleep } from 'node:timers/promises';
import { beforeEach, describe, expect, test } from '@jest/globals';
import { encodeToken } from '../../shared/protocol/token.ts';
import { SecretCache } from '../../shared/store/secretCache.ts';
import { service, useService } from '../testing/fixture.ts';
import { dataSync } from '../testing/service.ts';
import type { Feeds } from './feeds.ts';
import { type SessionParts, serveConnection } from './session.ts';
import type { Subscriber } from './subscriber.ts';
import { TestTransport } from './testing/transport.ts';

useService();

let transport: TestTransport;
let answered: { readonly user: string | undefined; readonly end: () => void }[] = [];
let removed: Subscriber[] = [];
let ignored: string[] = [];
let refused: string[] = [];
let failures: unknown[] = [];

beforeEach(() => {
  transport = new TestTransport();
  answered = [];
  removed = [];
  ignored = [];
  refused = [];
  failures = [];
});

const token = () => encodeToken(service.secrets.client.value, service.ambient.now(), 7);

/** Opens a connection; its data-syncs take until they are told to end. */
function connect(
  query: Record<string, string>,
  secrets: SessionParts['secrets'] = new SecretCache(service.tables, service.ambient),
) {
  const feed = {
    answer: (_: Subscriber, { user }: { user?: { keyId: string } }) =>
      new Promise<void>((resolve) => {
        answered.push({ user: user?.keyId, end: resolve });
      }),
    remove: (subscriber: Subscriber) => removed.push(subscriber),
  };
  const parts: SessionParts = {
    secrets,
    feeds: { of: () => feed } as unknown as Feeds,
    now: service.ambient.now,
    onRefused: (reason) => refused.push(reason),
    onIgnored: (reason) => ignored.push(reason),
    onSynced: () => {},
    onFailed: (error) => failures.push(error),
  };
  return serveConnection(parts, transport, new URLSearchParams(query));
}

const settle = () => sleep(30);

describe('a connection', () => {
  test('is let in by its token, whatever the letter case of its query', async () => {
    const { onMessage } = connect({ TYPE: 'client', Token: token() });
    onMessage('{"messageType":"ping","data":null}');
    onMessage('{"messageType":"echo","data":[1]}');
    await settle();
    expect(transport.sent).toEqual(['{"messageType":"pong","data":{}}', '{"messageType":"echo","data":[1]}']);
    expect(transport.ended).toBeUndefined();
  });

  test.each([
    [{}, 'unsupported type'],
    [{ type: 'client', token: 'nonsense' }, 'malformed token'],
    [{ type: 'client', token: '', version: '9' }, 'unsupported version'],
  ])('with %j is closed with 4003, and the reason is noted', async (query, reason) => {
    connect(query).onMessage('{"messageType":"ping","data":null}');
    await settle();
    expect(transport).toMatchObject({ ended: '4003 invalid request, close by server', sent: [] });
    expect(refused).toEqual([reason]);
  });

  test('is closed with 1011 when its secret cannot be looked up', async () => {
    connect({ type: 'client', token: token() }, { find: () => Promise.reject(new Error('the table is down')) });
    await settle();
    expect(transport.ended).toBe('1011 service unavailable, close by server');
    expect(failures).toHaveLength(1);
  });
});

describe('messages', () => {
  test('are handled one after another, also those that came before it was let in', async () => {
    const { onMessage } = connect({ type: 'client', token: token() });
    onMessage(dataSync(0, { keyId: 'a' }));
    onMessage(dataSync(0, { keyId: 'b' }));
    onMessage('{"messageType":"ping","data":null}');
    await settle();
    expect(answered.map(({ user }) => user)).toEqual(['a']);
    answered[0]?.end();
    await settle();
    expect(answered.map(({ user }) => user)).toEqual(['a', 'b']);
    expect(transport.sent).toEqual([]);
    answered[1]?.end();
    await settle();
    expect(transport.sent).toHaveLength(1);
  });

  test('that fit no rule are met with silence', async () => {
    const { onMessage } = connect({ type: 'client', token: token() });
    for (const text of ['', 'no JSON', '[]', '{"messageType":"other","data":1}', dataSync(0)]) onMessage(text);
    await settle();
    expect(transport).toMatchObject({ sent: [], ended: undefined });
    expect(ignored).toHaveLength(5);
  });

  test('in a flood end the connection', async () => {
    const { onMessage } = connect({ type: 'client', token: token() });
    for (let n = 0; n < 65; n++) onMessage(dataSync(0, { keyId: 'a' }));
    expect(transport.ended).toBe('terminated');
    expect(ignored).toEqual(['too many messages at once']);
  });
});

test('a connection that ends in the midst of an answer is forgotten after it', async () => {
  const { onMessage, onClose } = connect({ type: 'client', token: token() });
  onMessage(dataSync(0, { keyId: 'a' }));
  onMessage(dataSync(0, { keyId: 'b' }));
  await settle();
  onClose();
  await settle();
  expect(removed).toEqual([]);
  answered[0]?.end();
  await settle();
  expect(removed).toHaveLength(1);
  expect(answered).toHaveLength(1);
});
