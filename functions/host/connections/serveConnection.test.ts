import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { beforeEach, describe, expect, test } from '@jest/globals';
import { InvalidRequest } from '../../../shared/protocol/message.ts';
import { formatRelayKey } from '../../../shared/protocol/relay.ts';
import { encodeToken } from '../../../shared/protocol/token.ts';
import { systemEffects } from '../../../shared/runtime/effects.ts';
import { SecretCache } from '../../../shared/store/environments/secretCache.ts';
import { NotFound } from '../../../shared/store/table/errors.ts';
import { until } from '../../../shared/testing/until.ts';
import { service, useService } from '../../testing/fixture.ts';
import { dataSync } from '../../testing/service.ts';
import { ClientBudgets } from '../budgets/clientBudgets.ts';
import type { Feeds } from '../feeds/feeds.ts';
import { SendBudget } from '../feeds/sendBudget.ts';
import type { Subscriber } from '../feeds/subscriber.ts';
import { TestTransport } from '../testing/transport.ts';
import { type ConnectionDeps, ServedConnection } from './serveConnection.ts';

useService();

let transport: TestTransport;
let answered: { readonly user: string | undefined; readonly end: () => void }[] = [];
let removed: Subscriber[] = [];
/** The tracked secrets of connections. */
let held: string[] = [];
let ignored: string[] = [];
let refused: string[] = [];
let failures: unknown[] = [];
/** The errors of data-syncs. */
let failure: Error | undefined;
let caughtUp = 0;
let synced: number[] = [];
/** Offset of the monotonic clock, in milliseconds. */
let skippedMs = 0;
let limits = { maxMessagesPerSecond: 20, budgetsPerAddress: 0, trustedProxies: 0 };
let exceeded: string[] = [];
/** Has the client's secret cached, so that no test waits for the table. */
let knowing: SecretCache;

beforeEach(async () => {
  knowing = new SecretCache(service.store);
  await knowing.find(service.secrets.client.value);
  transport = new TestTransport();
  answered = [];
  removed = [];
  held = [];
  ignored = [];
  refused = [];
  failures = [];
  failure = undefined;
  caughtUp = 0;
  synced = [];
  skippedMs = 0;
  limits = { maxMessagesPerSecond: 20, budgetsPerAddress: 0, trustedProxies: 0 };
  exceeded = [];
});

const token = () => encodeToken(service.secrets.client.value, service.effects.now(), 7);

/** Opens a connection. Its data-syncs take until they are released. */
function connect(query: Record<string, string>, secrets: ConnectionDeps['secrets'] = knowing) {
  const feed = {
    answer: (_: Subscriber, { user }: { user?: { keyId: string } }) =>
      new Promise<void>((resolve, reject) => {
        if (failure) reject(failure);
        answered.push({ user: user?.keyId, end: resolve });
      }),
    catchUp: () => {
      caughtUp++;
    },
    remove: (subscriber: Subscriber) => removed.push(subscriber),
  };
  const deps: ConnectionDeps = {
    secrets,
    relays: { find: async (key) => (key === RELAY_KEY ? { id: 'relay', envIds: [], secrets: [] } : undefined) },
    relayGrants: {
      hold: ({ secret }) => {
        held.push(secret);
        return () => {};
      },
    },
    feeds: { of: () => feed } as unknown as Feeds,
    grants: {
      hold: ({ secret }) => {
        held.push(secret);
        return () => {
          held = held.filter((other) => other !== secret);
        };
      },
    },
    sendBudget: new SendBudget(1_000, systemEffects.monotonic),
    budgets: new ClientBudgets(
      limits,
      10,
      () => performance.now() + skippedMs,
      (limit) => exceeded.push(limit),
    ),
    open: { opened: () => {}, heard: () => {}, forget: () => {} },
    effects: { ...systemEffects, now: service.effects.now, monotonic: () => performance.now() + skippedMs },
    events: {
      onOpened: () => {},
      onMessage: () => {},
      onRefused: (reason) => refused.push(reason),
      onIgnored: (reason) => ignored.push(reason),
      onSynced: (milliseconds) => synced.push(milliseconds),
      onFailed: (error) => failures.push(error),
    },
  };
  const events = new ServedConnection(deps, transport, new URLSearchParams(query), undefined);
  return {
    onMessage: (text: string) => events.onMessage(text),
    onControl: (bytes: number) => events.onControl(bytes),
    onDrain: () => events.onDrain(),
    onClose: () => events.onClose(),
  };
}

const RELAY_KEY = formatRelayKey(randomUUID(), randomUUID());
const STATUS = JSON.stringify({ messageType: 'rp-agent-status', data: {} });

describe('an agent', () => {
  test('is admitted by its relay key, gets no answer to its status, and asks as SDKs do', async () => {
    const { onMessage } = connect({ type: 'relay-proxy', token: RELAY_KEY });
    onMessage(STATUS);
    onMessage('{"messageType":"other","data":1}');
    onMessage('{"messageType":"ping","data":null}');
    await until(() => transport.sent.length === 1);
    expect([ignored, transport.ended, held]).toEqual([['unknown type'], undefined, [RELAY_KEY]]);
  });

  test('is refused with an unknown key; the status of an SDK is ignored', async () => {
    connect({ type: 'relay-proxy', token: formatRelayKey(randomUUID(), randomUUID()) });
    await until(() => transport.ended !== undefined);
    expect([transport.ended, refused.length]).toEqual(['4003 invalid request, close by server', 1]);
    transport = new TestTransport();
    connect({ type: 'client', token: token() }).onMessage(STATUS);
    await until(() => ignored.length === 1);
    expect(ignored).toEqual(['unknown type']);
  });
});

const OVER = '1008 too many messages';
const pause = () => sleep(30);
describe('a connection', () => {
  test('is let in by its token, whatever the letter case of its query', async () => {
    const { onMessage } = connect({ TYPE: 'client', Token: token() });
    onMessage('{"messageType":"ping","data":null}');
    onMessage('{"messageType":"echo","data":[1]}');
    await pause();
    expect(transport.sent).toEqual(['{"messageType":"pong","data":{}}', '{"messageType":"echo","data":[1]}']);
    expect(transport.ended).toBeUndefined();
  });

  test.each([
    [{}, 'unsupported type'],
    [{ type: 'client', token: 'nonsense' }, 'malformed token'],
    [{ type: 'client', token: '', version: '9' }, 'unsupported version'],
  ])('is closed with 4003 and a noted reason with %j', async (query, reason) => {
    connect(query).onMessage('{"messageType":"ping","data":null}');
    await pause();
    expect(transport).toMatchObject({ ended: '4003 invalid request, close by server', sent: [] });
    expect(refused).toEqual([reason]);
  });

  test('is closed with 1011 when its secret cannot be looked up', async () => {
    connect({ type: 'client', token: token() }, { find: () => Promise.reject(new Error('the table is down')) });
    await pause();
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
    await pause();
    expect(answered.map(({ user }) => user)).toEqual(['a']);
    answered[0]?.end();
    await pause();
    expect(answered.map(({ user }) => user)).toEqual(['a', 'b']);
    expect(transport.sent).toEqual([]);
    answered[1]?.end();
    await pause();
    expect(transport.sent).toHaveLength(1);
  });

  test('get no answer if they fit no rule', async () => {
    const { onMessage } = connect({ type: 'client', token: token() });
    for (const text of ['', 'no JSON', '[]', '{"messageType":"other","data":1}', dataSync(0)]) onMessage(text);
    await pause();
    expect(transport).toMatchObject({ sent: [], ended: undefined });
    expect(ignored).toHaveLength(5);
    expect(ignored[3]).toBe('unknown type');
  });

  test('end the connection in a flood', async () => {
    const { onMessage } = connect({ type: 'client', token: token() });
    for (let n = 0; n < 65; n++) onMessage(dataSync(0, { keyId: 'a' }));
    expect([transport.ended, exceeded]).toEqual([OVER, ['messages']]);
  });

  test('end the connection above its budget, also if they are ignored or only controls', async () => {
    const ignoredText = 'x'.repeat(128 * 1024);
    type Send = (events: ReturnType<typeof connect>, n: number) => void;
    const floods: [Send, allowed: number][] = [
      [({ onMessage }) => onMessage('{"messageType":"ping","data":null}'), 194],
      [({ onMessage }) => onMessage(`{"messageType":"echo","data":"${'x'.repeat(31 * 1024)}"}`), 6],
      [({ onMessage }) => onMessage(ignoredText), 1],
      [({ onMessage }) => onMessage('no JSON'), 198],
      [({ onControl }) => onControl(0), 200],
      [({ onMessage }) => onMessage(dataSync(0, { keyId: 'a' })), 18],
    ];
    failure = new InvalidRequest('answered at once');
    for (const [send, allowed] of floods) {
      transport = new TestTransport();
      exceeded = [];
      const events = connect({ type: 'client', token: token() });
      let sent = 0;
      for (; transport.ended === undefined && sent < 1_000; sent++) {
        send(events, sent);
        await new Promise((resolve) => setImmediate(resolve));
      }
      expect([transport.ended, exceeded]).toEqual([OVER, ['messages']]);
      expect(Math.abs(sent - allowed)).toBeLessThanOrEqual(2 + allowed / 20);
    }
  });

  test('are not handled any more above the budget', async () => {
    const { onMessage, onControl, onClose } = connect({ type: 'client', token: token() });
    onMessage(dataSync(0, { keyId: 'a' }));
    await pause();
    onControl(1_000_000);
    expect(transport.ended).toBe(OVER);
    answered[0]?.end();
    onMessage(dataSync(0, { keyId: 'b' }));
    onControl(1);
    await pause();
    expect([answered.length, exceeded.length]).toEqual([1, 1]);
    onClose();
    await pause();
    expect([removed.length, held]).toEqual([1, []]);
  });

  test('are answered for as long as they come at the allowed rate', async () => {
    limits.maxMessagesPerSecond = 10;
    const { onMessage } = connect({ type: 'client', token: token() });
    for (let n = 1; n <= 300; n++) {
      onMessage('{"messageType":"ping","data":null}');
      skippedMs += 110;
      await until(() => transport.sent.length === n);
    }
    expect(transport.ended).toBeUndefined();
  });
});

describe('a message', () => {
  test('is handled only once all before it has been read', async () => {
    const { onMessage, onDrain } = connect({ type: 'client', token: token() });
    transport.unread = 10;
    onMessage('{"messageType":"echo","data":1}');
    onMessage('{"messageType":"echo","data":2}');
    onMessage(dataSync(0, { keyId: 'a' }));
    await pause();
    expect([transport.sent.length, answered.length]).toEqual([1, 0]);
    transport.bufferedBytes = 5;
    onDrain();
    await pause();
    expect(transport.sent).toHaveLength(1);
    for (const step of [1, 2]) {
      transport.bufferedBytes = 0;
      onDrain();
      await pause();
      expect([transport.sent.length, answered.length]).toEqual([2, step - 1]);
    }
  });

  test('keeps no closed connection if nobody reads the answer', async () => {
    const { onMessage, onClose } = connect({ type: 'client', token: token() });
    onMessage(dataSync(0, { keyId: 'a' }));
    await pause();
    answered[0]?.end();
    transport.bufferedBytes = 10;
    onMessage('{"messageType":"ping","data":null}');
    await pause();
    onClose();
    await pause();
    expect([removed.length, transport.sent]).toEqual([1, []]);
  });

  test('is discarded over 32 KB, and those around it are answered', async () => {
    const { onMessage } = connect({ type: 'client', token: token() });
    onMessage(dataSync(0, { keyId: 'a', name: 'x'.repeat(32 * 1024) }));
    onMessage('{"messageType":"ping","data":null}');
    await pause();
    expect([transport.sent.length, transport.ended, ignored]).toEqual([1, undefined, ['message over 32 KB']]);
  });

  test('is handled with 32 KB exactly', async () => {
    const { onMessage } = connect({ type: 'client', token: token() });
    const text = JSON.stringify({ messageType: 'echo', data: '' });
    const largest = text.replace('""', `"${'x'.repeat(32 * 1024 - text.length)}"`);
    onMessage(largest);
    await until(() => transport.sent.length === 1);
    expect([transport.sent, largest.length]).toEqual([[largest], 32 * 1024]);
  });

  test('is reported with its duration if it asks for data', async () => {
    const { onMessage } = connect({ type: 'client', token: token() });
    const before = performance.now();
    onMessage(dataSync(0, { keyId: 'a' }));
    onMessage('{"messageType":"ping","data":null}');
    await until(() => answered.length === 1);
    answered[0]?.end();
    await until(() => transport.sent.length === 1);
    const took = performance.now() - before;
    expect(synced).toHaveLength(1);
    expect(synced[0]).toBeLessThanOrEqual(took);
  });

  test('leaves room for others once it is answered', async () => {
    limits.maxMessagesPerSecond = 1_000;
    const { onMessage } = connect({ type: 'client', token: token() });
    const padding = 'x'.repeat(30_000);
    for (let n = 1; n <= 70; n++) {
      onMessage(JSON.stringify({ messageType: 'echo', data: `${padding}${n}` }));
      await until(() => transport.sent.length >= n);
    }
    expect(transport.ended).toBeUndefined();
  });

  test('ends the connection if more bytes wait than allowed', () => {
    const { onMessage } = connect({ type: 'client', token: token() });
    const large = dataSync(0, { keyId: 'a', name: 'x'.repeat(31 * 1024) });
    for (let n = 0; n < 4; n++) onMessage(large);
    expect(transport.ended).toBeUndefined();
    onMessage(large);
    expect(transport.ended).toBe(OVER);
  });
});

describe('a data-sync that cannot be answered', () => {
  test('closes the connection with 1011 after the time for retries, so the SDK returns', async () => {
    failure = new Error('the table is away');
    const { onMessage } = connect({ type: 'client', token: token() });
    onMessage(dataSync(0, { keyId: 'a' }));
    await until(() => answered.length > 1);
    expect(transport.ended).toBeUndefined();
    skippedMs = 30_000;
    await until(() => transport.ended !== undefined);
    expect(transport.ended).toBe('1011 service unavailable, close by server');
    expect(failures).toEqual([failure]);
  });

  test('closes it with 4003 at once if its environment was deleted, without a failure', async () => {
    failure = new NotFound('there is no such environment');
    const { onMessage } = connect({ type: 'client', token: token() });
    onMessage(dataSync(0, { keyId: 'a' }));
    await pause();
    expect(transport.ended).toBe('4003 invalid request, close by server');
    expect([answered.length, failures, refused]).toEqual([1, [], ['the environment was deleted']]);
  });
});

test('sends missed changes once the connection reads again', async () => {
  const { onMessage, onDrain } = connect({ type: 'client', token: token() });
  onDrain();
  expect(caughtUp).toBe(0);
  onMessage(dataSync(0, { keyId: 'a' }));
  await pause();
  onDrain();
  expect(caughtUp).toBe(1);
});

test('a connection is looked after from when its secret let it in until it has ended', async () => {
  connect({ type: 'client', token: 'nonsense' });
  const { onClose } = connect({ type: 'client', token: token() });
  await pause();
  expect(held).toEqual([service.secrets.client.value]);
  onClose();
  await pause();
  expect(held).toEqual([]);
});

test('does not watch a connection that ends before it was admitted', async () => {
  connect({ type: 'client', token: token() }).onClose();
  await pause();
  expect(held).toEqual([]);
});

test('a connection that ends in the midst of an answer is forgotten after it', async () => {
  const { onMessage, onClose } = connect({ type: 'client', token: token() });
  onMessage(dataSync(0, { keyId: 'a' }));
  onMessage(dataSync(0, { keyId: 'b' }));
  await pause();
  onClose();
  await pause();
  expect(removed).toEqual([]);
  answered[0]?.end();
  await pause();
  expect(removed).toHaveLength(1);
  expect(answered).toHaveLength(1);
});
