import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import type { Change } from '../../shared/store/documents/change.ts';
import { type CapturedOutput, captureOutput } from '../testing/output.ts';
import { createSnapshotRewrites, type TableEvents } from './snapshotRewrites.ts';

const START = Date.UTC(2024, 0);
const MINUTE_MS = 60_000;

let output: CapturedOutput;
beforeAll(() => {
  output = captureOutput();
});
afterAll(() => output.release());

let clock = 0;
/** The snapshot that an instance finds when it starts, and the version that the environment is at. */
let stored = { version: 0, writtenAt: 0 };
let current = 0;
let rewritten: string[] = [];
let trouble: (envId: string) => void = () => {};
let rewrites: (events: TableEvents) => Promise<void>;

/** An instance of the function that starts. */
const anInstance = () =>
  createSnapshotRewrites({
    writer: {
      oldest: async () => stored,
      rewrite: async (envId) => {
        rewritten.push(envId);
        trouble(envId);
        return current;
      },
    },
    now: () => clock,
    monotonic: () => clock,
  });

beforeEach(() => {
  clock = START;
  current = START;
  stored = { version: START, writtenAt: START };
  rewritten = [];
  trouble = () => {};
  rewrites = anInstance();
});

/** Changes with the next versions. */
function changes(count: number, bytes = 10, envId = 'env'): Change[] {
  return Array.from({ length: count }, () => {
    const updatedAt = ++current;
    const body = { text: 'x'.repeat(bytes) };
    return { kind: 'flag', envId, id: 'f', updatedAt, previous: updatedAt - 1, writtenAt: clock, body };
  });
}

const tell = (...written: Change[]) => rewrites({ changes: written, expired: [] });
/** How many snapshots were written since the last time that it was asked. */
const taken = () => rewritten.splice(0).length;

test('an environment without a snapshot gets one with its first change', async () => {
  stored = { version: 0, writtenAt: 0 };
  await tell(...changes(1));
  expect(taken()).toBe(1);
  await tell(...changes(1));
  expect(taken()).toBe(0);
});

test('more than 64 changes, 256 KB or 30 minutes after it, a snapshot is written anew', async () => {
  for (let n = 0; n < 64; n++) await tell(...changes(1));
  expect(taken()).toBe(0);
  await tell(...changes(1));
  expect(taken()).toBe(1);
  await tell(...changes(8, 32 * 1024));
  expect(taken()).toBe(0);
  await tell(...changes(1));
  expect(taken()).toBe(1);
  clock += 30 * MINUTE_MS;
  await tell(...changes(1));
  expect(taken()).toBe(0);
  clock += 1;
  await tell(...changes(1));
  expect(taken()).toBe(1);
});

test('documents that are too large to travel count as large', async () => {
  const large = (written: Change[]) => written.map(({ body: _, ...change }) => change);
  await tell(...large(changes(5)));
  expect(taken()).toBe(0);
  await tell(...large(changes(1)));
  expect(taken()).toBe(1);
});

test('changes that the snapshot has, as when their records come late, do not count', async () => {
  const late = changes(100);
  stored = { version: current, writtenAt: clock };
  await tell(...late);
  expect(taken()).toBe(0);
});

test('a snapshot is written anew when the journal has lost an entry that is newer', async () => {
  await rewrites({ changes: [], expired: [{ envId: 'env', version: START }] });
  expect(taken()).toBe(0);
  current++;
  await rewrites({ changes: [], expired: [{ envId: 'env', version: current }] });
  expect(taken()).toBe(1);
});

test('a failure is logged, harms no other environment, and is retried a minute later', async () => {
  trouble = (envId) => {
    if (envId === 'env') throw new Error('the table is throttled');
  };
  clock += 31 * MINUTE_MS;
  await tell(...changes(1), ...changes(1, 10, 'other'));
  expect(rewritten.splice(0)).toEqual(['env', 'other']);
  expect(output.text()).toMatch(/snapshot not written.*env.*the table is throttled/s);
  clock += MINUTE_MS - 1;
  await tell(...changes(1));
  expect(taken()).toBe(0);
  clock += 1;
  await tell(...changes(1));
  expect(taken()).toBe(1);
});

test('a call begins no rewrite after three seconds, and the next change continues', async () => {
  trouble = () => {
    clock += 1_500;
  };
  stored = { version: 0, writtenAt: 0 };
  await tell(...['a', 'b', 'c'].flatMap((envId) => changes(1, 10, envId)));
  expect(rewritten.splice(0)).toEqual(['a', 'b']);
  await tell(...changes(1, 10, 'c'));
  expect(rewritten.splice(0)).toEqual(['c']);
});
