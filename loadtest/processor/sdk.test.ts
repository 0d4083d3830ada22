import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import type { Slice } from '../measure/slice.ts';
import { SDKS, type SdkName } from '../scenarios/sdks.ts';
import { benchmarkEnvironment } from '../testing/benchmarkEnvironment.ts';
import { FakeServer } from '../testing/fakeServer.ts';
import { checkAgainst } from './expectation.ts';
import { Recorder } from './recorder.ts';
import { liveAs } from './sdk.ts';
import { ClientSubscription } from './subscription.ts';

beforeEach(() => {
  jest.useFakeTimers();
  jest.spyOn(Math, 'random').mockReturnValue(0.5);
});
afterEach(() => {
  jest.restoreAllMocks();
  jest.useRealTimers();
});

const user = (keyId: string) => ({ keyId, name: keyId, attributes: new Map<string, string>() });

/** One SDK for a minute; a server that closes it at times, with 1001 unless told, and refuses so many attempts after the first of them. */
async function live(name: SdkName, { closesAt = [], code = 1001, refuses = 0, other = false }: Partial<Story> = {}) {
  const slices: Slice[] = [];
  const recorder = new Recorder((slice) => slices.push(slice));
  const server = new FakeServer({});
  const beganAt = performance.now();
  const attemptsAt: number[] = [];
  let left = refuses;
  const open = async () => {
    attemptsAt.push(performance.now() - beganAt);
    if (left-- > 0) throw new Error('refused');
    return server.connect();
  };
  for (const at of closesAt) setTimeout(() => server.sockets.at(-1)?.close(code), at);
  const subscription = new ClientSubscription(user('u1'), checkAgainst(benchmarkEnvironment));
  const first = { socket: server.connect(), beganAt, endsAt: beganAt + 60_000, report: recorder };
  const messages = { ping: SDKS[name].pingSeconds };
  const life = liveAs(SDKS[name], subscription, first, open, messages, other ? user('u2') : undefined);
  await jest.advanceTimersByTimeAsync(80_000);
  await life;
  recorder.flush();
  const counts: Record<string, number> = {};
  for (const [key, count] of slices.flatMap(({ counters }) => Object.entries(counters)))
    counts[key] = (counts[key] ?? 0) + count;
  const times = new Set(slices.flatMap((slice) => Object.keys(slice.times)));
  return { counts, times, open: recorder.open, attemptsAt: attemptsAt.map((at) => Math.round(at / 1_000)) };
}

interface Story {
  readonly closesAt: readonly number[];
  readonly code: number;
  readonly refuses: number;
  readonly other: boolean;
}

test('a closed client comes back after the pauses of its SDK, is answered, and goes on', async () => {
  const { counts, times, attemptsAt, open } = await live('js-client', { closesAt: [10_000], refuses: 2 });
  expect(attemptsAt).toEqual([11, 14, 19]);
  expect(counts).toMatchObject({ 'came back': 1, 'attempts refused': 2, 'syncs answered': 2, left: 1 });
  expect([counts['errors'], open]).toEqual([undefined, 0]);
  expect(times).toContain('lost to answered');
});

test.each<[SdkName, readonly number[]]>([
  ['js-client', [4003]],
  ['node', [4003]],
  ['dotnet', [1000, 4003]],
  ['go', [1000, 4003]],
  ['python', []],
  ['java', []],
])('%s stops for ever at %j, which is an error, and comes back from every other', async (name, fatal) => {
  for (const code of [1000, 1001, 1006, 1011, 4003]) {
    const { counts, attemptsAt } = await live(name, { closesAt: [10_000], code });
    const isFatal = fatal.includes(code);
    expect([code, attemptsAt.length, counts['errors']]).toEqual([code, isFatal ? 0 : 1, isFatal ? 1 : undefined]);
    expect(counts[`error: closed by the server with ${code}`]).toBe(isFatal ? 1 : undefined);
  }
});

test('keeps growing pauses of Node for its process, and restarts those of others', async () => {
  const closesAt = [10_000, 20_000, 30_000];
  expect((await live('js-client', { closesAt })).attemptsAt).toEqual([11, 21, 31]);
  expect((await live('node', { closesAt })).attemptsAt).toEqual([11, 23, 35]);
});

test('a client that is not back at the end is an error', async () => {
  const { counts } = await live('js-client', { closesAt: [50_000], refuses: 9 });
  expect(counts).toMatchObject({ errors: 1, 'error: not back when the run ended': 1 });
});

test('leaves the new connection after a return, and the first one otherwise', async () => {
  const { counts } = await live('js-client', { closesAt: [10_000, 20_000] });
  expect(counts).toMatchObject({ 'closed with 1001': 2, 'closed with 1005': 1 });
  expect((await live('js-client')).counts['closed with 1005']).toBeUndefined();
});

test('a user who identifies gets the flags of the other one, on the same connection', async () => {
  const { counts, times } = await live('js-client', { other: true });
  expect(counts).toMatchObject({ opened: 1, 'syncs sent': 2, 'syncs answered': 2, left: 1 });
  expect(counts['errors']).toBeUndefined();
  expect(times).toContain('identify');
});

test('each pings as often as its SDK', async () => {
  expect((await live('js-client')).counts['messages answered']).toBe(3);
  expect((await live('go')).counts['messages answered']).toBe(5);
});
