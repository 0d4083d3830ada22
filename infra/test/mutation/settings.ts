import { cpus } from 'node:os';
import { join } from 'node:path';
import type { PartialStrykerOptions } from '@stryker-mutator/api/core';
import { jestNodeOptions } from '../tools/jest.ts';

/** The folders whose score is kept, smallest first. */
export const FOLDERS = [
  'shared/flags',
  'shared/protocol',
  'shared/evaluation',
  'shared/store',
  'functions/push',
] as const;

/** Below this score, in percent, the command fails. */
export const LEAST_SCORE = 90;

/** Where Stryker keeps its copies of the project, and what it knows of each folder from before; git ignores it. */
const WORK = '.flagwire/mutation';

/** Variables of the environment: at most so many runs a property, and the same ones each time, so that a score can be had again. */
export const PROPERTIES = { FC_MAX_RUNS: '25', FC_SEED: '1' };

/**
 * Tests that live through whole worlds or compare two evaluators case by case: too long to be done again for every
 * mutant. What they would notice, a smaller test must.
 */
const TOO_LONG = '/(nodeSdk|delivery)[.]property[.]test[.]ts$';

/**
 * Stryker's settings for one folder: its sources are mutated, and the tests beside them must notice.
 *
 * @param isFresh whether to test every mutant again instead of those that changed, or whose tests changed
 */
export function settingsOf(folder: string, isFresh: boolean): PartialStrykerOptions {
  return {
    mutate: [`${folder}/**/*.ts`, `!${folder}/**/*.test.ts`, `!${folder}/**/testing/**`],
    ignorePatterns: [
      '**',
      '!package.json',
      '!tsconfig.json',
      '!shared/**',
      '!functions/**',
      '!infra/{emulator,test/jest}/**',
    ],
    plugins: ['@stryker-mutator/jest-runner', join(import.meta.dirname, 'logTexts.ts')],
    ignorers: ['log-texts'],
    testRunner: 'jest',
    testRunnerNodeArgs: jestNodeOptions,
    jest: {
      config: {
        testMatch: [`<rootDir>/${folder}/**/*.test.ts`],
        testPathIgnorePatterns: [TOO_LONG],
        // On a busy machine a slow test is no failed one; what hangs is ended by the limit below.
        testTimeout: 60_000,
      },
    },
    coverageAnalysis: 'perTest',
    concurrency: Math.ceil(cpus().length / 2),
    // jest keeps the modules of every run in memory: some 30 MB.
    maxTestRunnerReuse: 50,
    timeoutMS: 15_000,
    incremental: true,
    incrementalFile: `${WORK}/${folder.replaceAll('/', '-')}.json`,
    force: isFresh,
    tempDirName: `${WORK}/copies`,
    reporters: ['clear-text', 'progress-append-only'],
    clearTextReporter: { reportTests: false, reportMutants: true, reportScoreTable: true, skipFull: true },
  };
}
