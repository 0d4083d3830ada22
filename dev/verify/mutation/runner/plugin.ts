import { join, relative } from 'node:path';
import { INSTRUMENTER_CONSTANTS, type InstrumenterContext, type StrykerOptions } from '@stryker-mutator/api/core';
import { commonTokens, declareClassPlugin, PluginKind, tokens } from '@stryker-mutator/api/plugin';
import {
  type DryRunResult,
  DryRunStatus,
  determineHitLimitReached,
  type FailedTestResult,
  type MutantRunOptions,
  type MutantRunResult,
  MutantRunStatus,
  type TestResult,
  type TestRunner,
  TestStatus,
  toMutantRunResult,
} from '@stryker-mutator/api/test-runner';
import { coverageOfTests } from './coverage.ts';
import { LoadedTests, TIMEOUT } from './loadedTests.ts';
import { keepTimes, readTimes, testsWorthRunning } from './testTimes.ts';

/** What holds for every test file. */
const SETUP = join(import.meta.dirname, '../../../support/jest/everyFile.ts');

/** What the mutated sources look at and count in. */
const stryker: InstrumenterContext = {};
Object.assign(globalThis, { [INSTRUMENTER_CONSTANTS.NAMESPACE]: stryker });

/**
 * Stryker's test runner that loads the test files named by `loadOnce` once a process and runs them for mutant after mutant.
 *
 * What a mutant breaks may outlive it in the process. So a failed test counts only if it passes right after without the
 * mutant. Otherwise, and after a test that did not end, Stryker is told to try again in a new process.
 */
export class LoadOnceRunner implements TestRunner {
  static readonly inject = tokens(commonTokens.options);
  readonly #files: readonly string[];
  #tests: LoadedTests | undefined;
  #isSpoilt = false;

  constructor(options: StrykerOptions) {
    this.#files = options['loadOnce'] as readonly string[];
  }

  /** Mutants of what runs while files are loaded get a new process each. */
  capabilities() {
    return { reloadEnvironment: false };
  }

  /** Runs all tests twice, since they will be run again and again. */
  async dryRun(): Promise<DryRunResult> {
    const tests = await this.#load();
    const onStart = (id: string) => {
      stryker.currentTestId = id;
    };
    const results = await tests.run({ onStart });
    const again = await tests.run({ onStart });
    const { mutantCoverage = { static: {}, perTest: {} } } = stryker;
    const known = results.map((first, index) => both(first, again[index] as TestResult));
    keepTimes(again);
    return {
      status: DryRunStatus.Complete,
      tests: known,
      mutantCoverage: coverageOfTests(mutantCoverage, tests.testsOf),
    };
  }

  /** @throws when the process is not fit for it any more, or was not when the mutant was tried */
  async mutantRun(options: MutantRunOptions): Promise<MutantRunResult> {
    if (this.#isSpoilt) throw new Error('A test of the last mutant may still be running');
    const isStatic = options.mutantActivation === 'static';
    if (isStatic) activate(options);
    let tests: LoadedTests;
    try {
      tests = await this.#load();
    } catch (error) {
      if (!isStatic) throw error;
      return { status: MutantRunStatus.Killed, killedBy: [], failureMessage: String(error), nrOfTests: 0 };
    }
    const first = relative(process.cwd(), options.sandboxFileName).replace(/[.]ts$/, '.test.ts');
    const times = readTimes();
    const ids = options.testFilter ?? tests.ids;
    const only = testsWorthRunning(ids, times, (id) => id.startsWith(`${first} `));
    activate(options);
    const results = await tests.run({ only, first, times, isUntilFailure: !options.disableBail });
    const endless = determineHitLimitReached(stryker.hitCount, stryker.hitLimit);
    Object.assign(stryker, { activeMutant: undefined, hitCount: undefined, hitLimit: undefined });
    const failed = results.filter(hasFailed);
    this.#isSpoilt = endless !== undefined || failed.some(({ failureMessage }) => failureMessage.includes(TIMEOUT));
    if (this.#isSpoilt) return { status: MutantRunStatus.Timeout };
    if (!isStatic && failed.length > 0) {
      const after = await tests.run({ only: new Set(failed.map(({ id }) => id)), times });
      if (after.some(hasFailed)) throw new Error(`Fails after the mutant too: ${failed[0]?.id}`);
    }
    return toMutantRunResult({ status: DryRunStatus.Complete, tests: results }, options.disableBail);
  }

  async #load(): Promise<LoadedTests> {
    this.#tests ??= await LoadedTests.load(SETUP, this.#files);
    return this.#tests;
  }
}

function activate({ activeMutant, hitLimit }: MutantRunOptions): void {
  const hitCount = hitLimit === undefined ? undefined : 0;
  Object.assign(stryker, { activeMutant: activeMutant.id, hitCount, hitLimit });
}

/** What is known of a test that ran twice. Stryker takes all other time of the two runs for that of loading. */
function both(first: TestResult, second: TestResult): TestResult {
  return { ...(hasFailed(first) ? first : second), timeSpentMs: first.timeSpentMs + second.timeSpentMs };
}

function hasFailed(result: TestResult): result is FailedTestResult {
  return result.status === TestStatus.Failed;
}

/** Stryker's plugin, by the name that the settings give it. */
export const strykerPlugins = [declareClassPlugin(PluginKind.TestRunner, 'load-once', LoadOnceRunner)];

/** The settings that Stryker does not know itself. */
export const strykerValidationSchema = {
  properties: { loadOnce: { type: 'array', items: { type: 'string' } } },
};
