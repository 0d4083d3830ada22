import { expect, test } from '@jest/globals';
import { benchmarkEnvironment } from '../testing/benchmarkEnvironment.ts';
import { aLoadProfile } from '../testing/results.ts';
import { drainOnTime } from './drains.ts';
import { serverSide } from './serverSide.ts';
import { openRemote } from './target.ts';

const part = { weight: 1, pingS: 10, identifyPercent: 0 };
const plan = (...names: string[]) => aLoadProfile({ sdks: Object.fromEntries(names.map((name) => [name, part])) });
const target = (serverKey?: string) =>
  openRemote({ target: 'wss://example.org', clientKey: 'c', ...(serverKey !== undefined && { serverKey }) });

test('gives server-side SDKs the environment of the server key of a URL', async () => {
  const found = await serverSide(plan('js-client', 'go'), target('s'), benchmarkEnvironment);
  expect(found).toEqual({ key: 's', documents: 7 });
});

test('requires a server key and its flags only for server-side SDKs', async () => {
  // Otherwise nobody knew which part of an answer is its last, and what comes after that is timed as a change.
  await expect(serverSide(plan('go'), target('s'), undefined)).rejects.toThrow('take --http');
  await expect(serverSide(plan('go'), target(), undefined)).rejects.toThrow('take --server-key');
  expect(await serverSide(plan('js-client'), target(), undefined)).toBeUndefined();
});

test('counts the time of a drain from the first connection', async () => {
  let asked = 0;
  let isDrained = false;
  const drain = async () => {
    isDrained = true;
  };
  const at = aLoadProfile({ drain: { atS: 0, overS: 1 } });
  const hasBegun = () => ++asked > 2;
  await drainOnTime(at, { name: 'host', drain }, hasBegun, () => {}, new AbortController().signal);
  expect([asked, isDrained]).toEqual([3, true]);
});

test('does not drain if the run ends before its first connection', async () => {
  const ended = new AbortController();
  const hasBegun = () => {
    ended.abort();
    return false;
  };
  const at = aLoadProfile({ drain: { atS: 0, overS: 1 } });
  const drain = () => Promise.reject(new Error('it was drained'));
  expect(await drainOnTime(at, { name: 'host', drain }, hasBegun, () => {}, ended.signal)).toBeUndefined();
});

test('drains a target at its time, or asks the operator to drain it', async () => {
  const told: string[] = [];
  let drained = 0;
  const drain = async () => void drained++;
  const at = aLoadProfile({ drain: { atS: 0.001, overS: 1 } });
  const goOn = new AbortController().signal;
  const run = (plan: typeof at, of: Parameters<typeof drainOnTime>[1], signal = goOn) =>
    drainOnTime(
      plan,
      of,
      () => true,
      (line) => told.push(line),
      signal,
    );
  await run(at, { name: 'host', drain });
  await run(at, target());
  await run(aLoadProfile(), { name: 'host', drain });
  await run(at, { name: 'host', drain }, AbortSignal.abort());
  expect(drained).toBe(1);
  expect(told).toEqual([
    'draining host',
    'host is drained, and runs again',
    'example.org cannot be drained by this command: deploy or restart it now',
  ]);
});
