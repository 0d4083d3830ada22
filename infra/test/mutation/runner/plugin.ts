import { relative } from 'node:path';
import { INSTRUMENTER_CONSTANTS, type InstrumenterContext, type StrykerOptions } from '@stryker-mutator/api/core';
import { commonTokens, declareClassPlugin, PluginKind, tokens } from '@stryker-mutator/api/plugin';
import {
  type DryRunResult,
  DryRunStatus,
  determineHitLimitReached,
  type MutantRunOptions,
  type MutantRunResult,
  MutantRunStatus,
  type TestResult,
  type TestRunner,
  TestStatus,
  toMutantRunResult,
} from '@stryker-mutator/api/test-runner';
import { coverageOfTests } from './coverage.ts';
import { LoadedTests } from './loadedTests.ts';

/** What holds for every test file. */
const SETUP = 'infra/test/jest/everyFile.ts';

/** What the mutated sources look at and count in. */
const stryker: InstrumenterContext = {};
Object.assign(globalThis, { [INSTRUMENTER_CONSTANTS.NAMESPACE]: stryker });

/**
 * Stryker's test runner that loads the test files named by `loadOnce` once a process and runs them for mutant after mutant.
 *
 * What a mutant breaks may outlive it in the process. So a failed test counts only if the same tests pass right after
 * it without the mutant; otherwise Stryker is told to try again in a new process, where they must pass first.
 */
export class LoadOnceRunner implements TestRunner {
  static readonly inject = tokens(commonTokens.options);
  readonly #files: readonly string[];
  #tests: LoadedTests | undefined;

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
    return {
      status: DryRunStatus.Complete,
      tests: results.map((first, index) => both(first, again[index] as TestResult)),
      mutantCoverage: coverageOfTests(mutantCoverage, tests.testsOf),
    };
  }

  /** @throws if tests fail without the mutant too, because of what came before it in this process */
  async mutantRun(options: MutantRunOptions): Promise<MutantRunResult> {
    const isStatic = options.mutantActivation === 'static';
    const isFresh = this.#tests === undefined;
    const selection = {
      first: relative(process.cwd(), options.sandboxFileName).replace(/[.]ts$/, '.test.ts'),
      isUntilFailure: !options.disableBail,
    };
    const only = options.testFilter && { only: new Set(options.testFilter) };
    if (isStatic) activate(options);
    let tests: LoadedTests;
    try {
      tests = await this.#load();
    } catch (error) {
      if (!isStatic) throw error;
      return { status: MutantRunStatus.Killed, killedBy: [], failureMessage: String(error), nrOfTests: 0 };
    }
    if (isFresh && !isStatic) {
      const failed = (await tests.run({ ...selection, ...only })).find(hasFailed);
      if (failed) return { status: MutantRunStatus.Error, errorMessage: `Fails without the mutant too: ${failed.id}` };
    }
    activate(options);
    const results = await tests.run({ ...selection, ...only });
    const endless = determineHitLimitReached(stryker.hitCount, stryker.hitLimit);
    Object.assign(stryker, { activeMutant: undefined, hitCount: undefined, hitLimit: undefined });
    if (!isFresh && results.some(hasFailed)) {
      const tried = results.filter(({ status }) => status !== TestStatus.Skipped).map(({ id }) => id);
      const failed = (await tests.run({ ...selection, only: new Set(tried) })).find(hasFailed);
      if (failed) throw new Error(`Fails after the mutant too: ${failed.id}`);
    }
    return toMutantRunResult(endless ?? { status: DryRunStatus.Complete, tests: results }, options.disableBail);
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

function hasFailed({ status }: TestResult): boolean {
  return status === TestStatus.Failed;
}

/** Stryker's plugin, by the name that the settings give it. */
export const strykerPlugins = [declareClassPlugin(PluginKind.TestRunner, 'load-once', LoadOnceRunner)];

/** The settings that Stryker does not know itself. */
export const strykerValidationSchema = {
  properties: { loadOnce: { type: 'array', items: { type: 'string' } } },
};
