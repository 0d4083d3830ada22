import { globSync } from 'node:fs';
import { cpus } from 'node:os';
import { join } from 'node:path';
import type { PartialStrykerOptions } from '@stryker-mutator/api/core';

/** The folders whose score is kept, smallest first. */
export const FOLDERS = [
  'shared/delivery',
  'shared/protocol',
  'shared/flags',
  'shared/evaluation',
  'functions/push',
  'functions/host',
  'shared/store',
] as const;

/** Below this score, in percent, the command fails. */
export const LEAST_SCORE = 90;

/** Where Stryker keeps its copies of the project, and what it knows of each folder from before; git ignores it. */
const WORK = '.flagwire/mutation';

/**
 * Variables of the environment: at most so many runs a property, and the same ones each time, so that a score can be had
 * again. What a mutant keeps from coming is not waited for until the test is over, which would take the process with it.
 */
export const ENVIRONMENT = { FC_MAX_RUNS: '25', FC_SEED: '1', PATIENCE_MS: '7000' };

/**
 * Tests that live through whole worlds or compare two evaluators case by case: too long to be done again for every
 * mutant. What they would notice, a smaller test must.
 */
const TOO_LONG = /\/(nodeSdk|delivery|userChange|snapshotCache|environmentFeed)[.]property[.]test[.]ts$/;

/**
 * Stryker's settings for one folder: its sources are mutated, and the tests beside them must notice.
 *
 * @param isFresh whether to test every mutant again instead of those that changed, or whose tests changed
 */
export function settingsOf(folder: string, isFresh: boolean): PartialStrykerOptions {
  return {
    // What runs on Bun alone is tested there (npm test -- bun), and a process's entry by starting it (conformance).
    mutate: ['**/*.ts', '!**/*.{test,suite}.ts', '!**/testing/**', '!bun*.ts', '!main.ts'].map((glob) =>
      glob.replace(/^!?/, `$&${folder}/`),
    ),
    ignorePatterns: ['**', '!package.json', '!tsconfig.json', '!shared/**', '!functions/**', '!dev/emulator/**'],
    loadOnce: globSync(`${folder}/**/*.{test,suite}.ts`)
      .filter((file) => !TOO_LONG.test(file))
      .sort(),
    plugins: ['runner/plugin.ts', 'logTexts.ts', 'survivors.ts'].map((file) => join(import.meta.dirname, file)),
    ignorers: ['log-texts'],
    testRunner: 'load-once',
    coverageAnalysis: 'perTest',
    // What a mutant keeps from happening is waited for, which takes no processor.
    concurrency: 2 * cpus().length,
    // Mutants leave open what their tests could not close.
    maxTestRunnerReuse: 100,
    // Of the time that a mutant's tests took in both of the runs without one.
    timeoutFactor: 1,
    timeoutMS: 15_000,
    dryRunTimeoutMinutes: 30,
    incremental: true,
    incrementalFile: `${WORK}/${folder.replaceAll('/', '-')}.json`,
    force: isFresh,
    tempDirName: `${WORK}/copies`,
    reporters: ['survivors', 'clear-text', 'progress-append-only'],
    clearTextReporter: { reportTests: false, reportMutants: false, reportScoreTable: true, skipFull: true },
  };
}
