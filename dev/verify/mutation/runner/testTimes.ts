import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import type { TestResult } from '@stryker-mutator/api/test-runner';

/** How long each test took without a mutant, in milliseconds by its id. */
export type TestTimes = Readonly<Record<string, number>>;

/** In Stryker's copy of the project, for the processes that follow. */
const FILE = 'testTimes.json';

/** What tests may take for one mutant, besides those beside its source, in milliseconds. */
const OTHERS_MS = 10_000;

/** Keeps the times of tests for the processes that follow. */
export function keepTimes(results: readonly TestResult[]): void {
  writeFileSync(FILE, JSON.stringify(Object.fromEntries(results.map(({ id, timeSpentMs }) => [id, timeSpentMs]))));
}

/** The times that were kept; none before they were. */
export function readTimes(): TestTimes {
  return existsSync(FILE) ? JSON.parse(readFileSync(FILE, 'utf8')) : {};
}

/**
 * The tests to run for a mutant: all beside its source, and of the others the quickest.
 *
 * @param ids the tests that come to it
 * @param isBeside whether a test is beside its source
 */
export function testsWorthRunning(
  ids: readonly string[],
  times: TestTimes,
  isBeside: (id: string) => boolean,
): Set<string> {
  const others = ids.filter((id) => !isBeside(id)).sort((a, b) => (times[a] ?? 0) - (times[b] ?? 0));
  let spentMs = 0;
  const quickest = others.filter((id) => {
    spentMs += times[id] ?? 0;
    return spentMs <= OTHERS_MS;
  });
  return new Set([...ids.filter(isBeside), ...quickest]);
}
