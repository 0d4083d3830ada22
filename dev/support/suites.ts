import suites from './suites.json' with { type: 'json' };
import { jestCommand } from './tools/jest.ts';

/** Tests that are run by a name: `npm test -- <name>`. */
interface Suite {
  readonly about: string;
  /** Requirements besides Node. */
  readonly needs?: string;
  /** Duration on two cores. */
  readonly minutes: number;
  /** Globs from the root of the files that jest runs; none where another program runs it. */
  readonly files?: readonly string[];
  /** How many processes of jest: one where a test wants the machine, more where tests mostly wait. */
  readonly workers?: number;
  /** The other program, in this Node if it is `node`. */
  readonly command?: readonly string[];
}

/** Every test file belongs to one of these; what is `*.test.ts` also to {@link usual}. */
export const SUITES: Readonly<Record<string, Suite>> = suites;

/** The command of a suite. */
export function commandOf({ command: [program = '', ...args] = [], files, workers = 1 }: Suite): readonly string[] {
  return files ? jest(files, workers) : [program === 'node' ? process.execPath : program, ...args];
}

/** jest on some files. */
function jest(files: readonly string[], workers: number, ...options: readonly string[]): readonly string[] {
  // jest knows <rootDir> at the beginning only.
  const globs = files.map((glob) => glob.replace(/^!?/, (not) => (not ? '!**/' : '<rootDir>/')));
  const processes = workers === 1 ? ['--runInBand'] : ['--maxWorkers', String(workers)];
  // Young objects live longer than V8 expects, which collects them again and again.
  const memory = '--max-semi-space-size=64';
  return [process.execPath, memory, ...jestCommand, '--testMatch', ...globs, ...processes, ...options];
}

const firstThose = ['--testSequencer', './dev/support/jest/conformanceFirst.ts'];

/** The tests that `npm test` runs after the checks. Conformance tests mostly wait while other tests use the processors. */
export const usual = jest(suites.unit.files.slice(0, 1), 4, ...firstThose);
