import { AsyncLocalStorage } from 'node:async_hooks';
import { registerHooks } from 'node:module';
import { join, resolve } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { jestExpect } from '@jest/expect';
import { type TestResult, TestStatus } from '@stryker-mutator/api/test-runner';
import { addEventHandler, type Event, getState, removeEventHandler, resetState, run, type State } from 'jest-circus';
import { jest } from './jestGlobals.ts';
import type { TestTimes } from './testTimes.ts';

type Block = State['rootDescribeBlock'];
type Test = Extract<Block['children'][number], { type: 'test' }>;
type Result = Awaited<ReturnType<typeof run>>['testResults'][number];

/** Which tests to run, and how. */
interface Selection {
  /** The ids of the tests; without it, all. */
  readonly only?: ReadonlySet<string>;
  /** The file whose tests go first. */
  readonly first?: string;
  /** Whether to leave out what follows a failed test. */
  readonly isUntilFailure?: boolean;
  /** How long tests take, so that one that hangs is ended early. */
  readonly times?: TestTimes;
  /** Told the id of each test that starts, and that of the block whose `beforeAll` or `afterAll` does. */
  readonly onStart?: (id: string) => void;
}

/** A test may take this long under a mutant, or so many times what it takes without. */
const LIMIT_MS = 10_000;
const LIMIT_TIMES = 4;
/** Where nothing is known yet: a slow machine is no failure. */
const UNLIMITED_MS = 120_000;

/** What the failure of a test says that took longer. */
export const TIMEOUT = 'Exceeded timeout of';

/** The run that a callback belongs to: what one mutant left behind is no failure under the next. */
const runs = new AsyncLocalStorage<State>();
const rejections = new Map<Promise<unknown>, unknown>();

/** Test files that were loaded once, by the parts of jest, and can be run as often as asked. */
export class LoadedTests {
  readonly #root: Block;
  readonly #tests: ReadonlyMap<Test, string>;
  /** The ids of all tests. */
  readonly ids: readonly string[];
  /** The ids of each block's tests, by the id of the block. */
  readonly testsOf: ReadonlyMap<string, readonly string[]>;

  private constructor(root: Block) {
    this.#root = root;
    this.#tests = new Map(testsIn(root).map((test) => [test, idOf(test)]));
    this.ids = [...this.#tests.values()];
    this.testsOf = new Map(blocksIn(root).map((block) => [idOf(block), testsIn(block).map(idOf)]));
  }

  /**
   * Loads test files, each with what holds for every file before it.
   *
   * @throws whatever a file throws
   */
  static async load(setup: string, files: readonly string[]): Promise<LoadedTests> {
    const blocks: Block[] = [];
    for (const [index, file] of files.entries()) {
      resetState();
      // A module is loaded once for each address.
      await import(`${pathToFileURL(resolve(setup)).href}?file=${index}`);
      await import(pathToFileURL(resolve(file)).href);
      const { rootDescribeBlock } = getState();
      blocks.push(Object.assign(rootDescribeBlock, { name: file }));
    }
    resetState();
    const { rootDescribeBlock: root } = getState();
    for (const block of blocks) block.parent = root;
    root.children.push(...blocks);
    return new LoadedTests(root);
  }

  /** Runs tests, and says of each what became of it; those left out are skipped. */
  async run({ only, first, isUntilFailure = false, times, onStart }: Selection = {}): Promise<TestResult[]> {
    resetState();
    const state = Object.assign(getState(), {
      rootDescribeBlock: this.#root,
      currentDescribeBlock: this.#root,
      testTimeout: times ? LIMIT_MS : UNLIMITED_MS,
      includeTestLocationInResult: true,
    });
    const rank = ({ name }: { readonly name: string }) => (name === first ? '' : name);
    this.#root.children.sort((a, b) => (rank(a) < rank(b) ? -1 : 1));
    for (const [test, id] of this.#tests) {
      const timeout = Math.max(state.testTimeout, LIMIT_TIMES * (times?.[id] ?? 0));
      Object.assign(test, untried(only === undefined || only.has(id)), { timeout });
    }
    const onEvent = async (event: Event) => {
      if (event.name === 'hook_start' && event.hook.type.endsWith('All')) onStart?.(idOf(event.hook.parent));
      if (event.name === 'test_start') onStart?.(idOf(event.test));
      if (event.name === 'test_done') {
        await addErrors(event.test);
        if (isUntilFailure && event.test.errors.length > 0) this.#skipRest();
      }
      if (event.name === 'run_describe_finish' && event.describeBlock.parent === this.#root) {
        jest.restoreAllMocks();
        jest.useRealTimers();
      }
    };
    addEventHandler(onEvent);
    try {
      const { testResults, unhandledErrors } = await runs.run(state, run);
      return withErrors(testResults.map(resultOf), unhandledErrors);
    } finally {
      removeEventHandler(onEvent);
    }
  }

  #skipRest(): void {
    for (const test of this.#tests.keys()) {
      if (test.status === null) test.mode = 'skip';
    }
  }
}

registerHooks({
  resolve: (specifier, context, next) =>
    specifier === '@jest/globals'
      ? { url: pathToFileURL(join(import.meta.dirname, 'jestGlobals.ts')).href, shortCircuit: true }
      : next(specifier, context),
});
process.on('uncaughtException', (error) => {
  if (isOfThisRun()) (getState().currentlyRunningTest?.errors ?? getState().unhandledErrors).push(error);
});
process.on('unhandledRejection', (error, promise) => {
  if (isOfThisRun()) rejections.set(promise, error);
});
process.on('rejectionHandled', (promise) => rejections.delete(promise));

function isOfThisRun(): boolean {
  return (runs.getStore() ?? getState()) === getState();
}

/** Adds to a test's errors what jest itself finds out about a test that has ended. */
async function addErrors(test: Test): Promise<void> {
  // Rejections are told of when all that is due has run.
  await nextTurn();
  const unexpected = jestExpect.extractExpectedAssertionsErrors().map(({ error }) => error);
  test.errors.push(...jestExpect.getState().suppressedErrors, ...unexpected, ...rejections.values());
  jestExpect.setState({ suppressedErrors: [] });
  rejections.clear();
}

/** The names of a test or block behind those of the blocks around it, the file's first. */
function idOf({ name, parent }: Test | Block): string {
  return parent?.parent === undefined ? name : `${idOf(parent)} ${name}`;
}

function blocksIn(block: Block): Block[] {
  return block.children.flatMap((child) => (child.type === 'describeBlock' ? [child, ...blocksIn(child)] : []));
}

function testsIn(block: Block): Test[] {
  return block.children.flatMap((child) => (child.type === 'describeBlock' ? testsIn(child) : [child]));
}

/** What is known of a test before it runs. */
function untried(isSelected: boolean): Partial<Test> {
  return {
    mode: isSelected ? undefined : 'skip',
    status: null,
    errors: [],
    startedAt: null,
    duration: null,
    invocations: 0,
    retryReasons: [],
    unhandledRejectionErrorByPromise: new Map(),
  };
}

function resultOf({ testPath: [, ...names], status, errors, duration, location }: Result): TestResult {
  const id = names.join(' ');
  const result = {
    id,
    name: id,
    timeSpentMs: duration ?? 0,
    fileName: resolve(names[0] as string),
    ...(location && { startPosition: { line: location.line - 1, column: location.column } }),
  };
  if (status === 'skip') return { ...result, status: TestStatus.Skipped };
  if (errors.length === 0) return { ...result, status: TestStatus.Success };
  return { ...result, status: TestStatus.Failed, failureMessage: errors.join('\n') };
}

/** Counts errors that belong to no test, such as those of an `afterAll`, for the last test that ran. */
function withErrors(results: TestResult[], errors: readonly string[]): TestResult[] {
  const last = results.findLastIndex(({ status }) => status !== TestStatus.Skipped);
  const result = results[last];
  if (errors.length === 0 || result === undefined) return results;
  return results.with(last, { ...result, status: TestStatus.Failed, failureMessage: errors.join('\n') });
}
