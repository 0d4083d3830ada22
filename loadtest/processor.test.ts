import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { decodeToken } from '../shared/protocol/token.ts';
import type { Slice } from './measure/slice.ts';
import { summarise } from './measure/summary.ts';
import { CheckedSubscription, checkAgainst } from './processor/expectation.ts';
import { Recorder } from './processor/recorder.ts';
import { makeToken, Session, Subscription } from './processor.mjs';
import { benchmarkEnvironment } from './testing/benchmarkEnvironment.ts';
import { type Behaviour, FakeServer } from './testing/fakeServer.ts';

/** What the histogram and the slices are off by at most. */
const ERROR = 0.006;

beforeEach(() => {
  jest.useFakeTimers();
});
afterEach(() => {
  jest.useRealTimers();
});

const HOLD = { ping: 18 };
/** How long all connections are held at most, in milliseconds. */
const END_MS = 60_000;

/** Lets clients come, a millisecond apart, and live to their end. */
async function measure(
  count: number,
  behaviour: Behaviour,
  variables: { readonly ping: number; readonly live?: number } = HOLD,
  during = async (_: FakeServer) => {},
) {
  const slices: Slice[] = [];
  const recorder = new Recorder((slice) => slices.push(slice));
  const server = new FakeServer(behaviour);
  const endsAt = performance.now() + END_MS;
  const lives: Promise<void>[] = [];
  for (let n = 0; n < count; n++) {
    const user = { keyId: `u${n}`, name: null, attributes: new Map<string, string>() };
    const subscription = new CheckedSubscription(user, checkAgainst(benchmarkEnvironment));
    const connection = { socket: server.connect(), beganAt: performance.now() - 2, endsAt, report: recorder };
    const session = new Session(connection, subscription);
    const life = session.sync().then(() => session.hold(variables));
    lives.push(life.catch(recorder.fail));
    await jest.advanceTimersByTimeAsync(1);
  }
  await during(server);
  await jest.advanceTimersByTimeAsync(END_MS + 20_000);
  await Promise.all(lives);
  recorder.flush();
  const counts: Record<string, number> = {};
  for (const { counters } of slices)
    for (const [name, by] of Object.entries(counters)) counts[name] = (counts[name] ?? 0) + by;
  return {
    counts,
    time: (name: string) => summarise(slices.map(({ times }) => times[name] ?? [])),
  };
}

function isNear(measured: number | undefined, right: number) {
  expect(Math.abs((measured ?? Number.NaN) - right)).toBeLessThanOrEqual(right * ERROR);
}

describe('times', () => {
  test('are 50 ms if the server takes 50 ms, without the handshake', async () => {
    const { counts, time } = await measure(300, { syncMs: () => 50 });
    for (const share of ['min', 'p50', 'p99', 'max'] as const) isNear(time('sync')?.[share], 50);
    isNear(time('handshake')?.p99, 2);
    isNear(time('connect and sync')?.p99, 52);
    expect(counts['errors']).toBeUndefined();
    expect(counts['syncs answered']).toBe(300);
  });

  test('show both 5 ms and the 200 ms of one answer in ten', async () => {
    const { time } = await measure(1_000, { syncMs: (n) => (n % 10 === 0 ? 200 : 5) });
    isNear(time('sync')?.p50, 5);
    isNear(time('sync')?.p95, 200);
    isNear(time('sync')?.mean, 24.5);
  });

  test('count a stall of 2 s from when each message should have been sent', async () => {
    const stall = [12_000, 14_000] as const;
    const start = Date.now();
    const replyMs = () => {
      const now = Date.now() - start;
      return now >= stall[0] && now < stall[1] ? stall[1] - now + 1 : 1;
    };
    const heartbeat = { ping: 0.1, message: 'echo', atLeast: 300, atMost: 300 } as const;
    const { counts, time } = await measure(1, { replyMs }, heartbeat);
    expect(counts).toMatchObject({ 'messages sent': 300, 'messages answered': 300 });
    const replies = time('intended to reply');
    isNear(replies?.p50, 1);
    // Every message of those two seconds waited for their end: twenty of three hundred.
    expect(replies?.p95).toBeGreaterThan(400);
    expect(replies?.max).toBeGreaterThan(1_900);
  });
});

describe('errors', () => {
  test('count answers that never come, which are no samples', async () => {
    const { counts, time } = await measure(300, { syncMs: (n) => (n % 100 < 3 ? undefined : 5) });
    expect(counts).toMatchObject({ errors: 9, 'error: no answer in 10 s': 9, 'syncs answered': 291 });
    expect(time('sync')?.count).toBe(291);
  });

  test('count a wrong flag, which is no sample', async () => {
    const answer = (right: string, n: number) =>
      n === 7 ? right.replace('"variation":"', '"variation":"not ') : right;
    const { counts, time } = await measure(20, { answer });
    expect(counts).toMatchObject({ errors: 1, 'error: an answer has a wrong variation': 1 });
    expect(time('sync')?.count).toBe(19);
  });

  test('count changes twice or out of order, while those in order are timed', async () => {
    const change = (version: number) =>
      `{"messageType":"data-sync","data":{"eventType":"patch","userKeyId":"u0","featureFlags":[{"id":"f","timestamp":${version}}]}}`;
    const now = Math.floor(performance.timeOrigin + performance.now());
    const { counts, time } = await measure(1, {}, HOLD, async ({ sockets: [socket] }) => {
      await jest.advanceTimersByTimeAsync(100);
      for (const version of [now, now + 20, now + 10, now + 20]) socket?.receive(change(version));
    });
    expect(counts).toMatchObject({ 'error: a change twice or out of order': 2 });
    expect([time('push')?.count, time(`change ${now}`)?.count]).toEqual([2, 1]);
  });

  test('count a close by the server, with its code', async () => {
    const { counts } = await measure(2, {}, HOLD, async ({ sockets: [socket] }) => {
      await jest.advanceTimersByTimeAsync(100);
      socket?.close(1001);
    });
    expect(counts).toMatchObject({
      errors: 1,
      'closed with 1001': 1,
      'error: closed by the server with 1001': 1,
      left: 1,
    });
  });

  test('count a close before the answer', async () => {
    const { counts } = await measure(1, { syncMs: () => undefined }, HOLD, async ({ sockets: [socket] }) =>
      socket?.close(4003),
    );
    expect(counts).toMatchObject({ errors: 1, 'error: closed with 4003, unanswered': 1 });
  });

  test('count replies that never come', async () => {
    let asked = 0;
    const { counts } = await measure(1, { replyMs: () => (++asked === 2 ? undefined : 1) }, HOLD);
    expect(counts).toMatchObject({ 'messages sent': 3, 'messages answered': 2, errors: 1 });
  });
});

describe('a life', () => {
  test('is held with a ping every 18 s until the end', async () => {
    const { counts } = await measure(10, {});
    expect(counts).toMatchObject({ 'messages sent': 30, 'messages answered': 30, left: 10 });
  });

  test('is as long as it is told, and no longer than the run', async () => {
    const { counts } = await measure(5, {}, { live: 20, ping: 18 });
    expect(counts).toMatchObject({ 'messages sent': 5, left: 5 });
  });

  test('sends no pings if there are none', async () => {
    const { counts } = await measure(5, {}, { ping: 0 });
    expect(counts['messages sent']).toBeUndefined();
    expect(counts['left']).toBe(5);
  });
});

test('the steps of a script take only answers for their user, and changes in order', () => {
  const subscription = new Subscription({ keyId: 'u1' });
  const answer = (keyId: string) => `{"eventType":"full","userKeyId":"${keyId}","timestamp":5}`;
  const change = (version: number) => `{"eventType":"patch","timestamp":${version}}`;
  expect(subscription.answer(answer('u2'))).toBe('an answer is for somebody else');
  expect([subscription.answer(answer('u1')), subscription.request()]).toEqual([
    undefined,
    { timestamp: 5, user: { keyId: 'u1' } },
  ]);
  expect([5, 7, 6, 7, 8].map((version) => subscription.change(change(version)))).toEqual([
    undefined,
    7,
    undefined,
    undefined,
    8,
  ]);
});

test('a token decodes to its key and time, wherever the time is put', () => {
  const secret = 'XviLBZo6zUK4vGmweK6TNg-JtrIvNK-k-bARYicOTNQA';
  for (const random of [0, 0.5, 0.999])
    expect(decodeToken(makeToken(`${secret}==`, 1_700_000_000_123, random))).toMatchObject({
      secret,
      timestamp: 1_700_000_000_123,
    });
});
