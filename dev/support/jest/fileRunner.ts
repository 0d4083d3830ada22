import { createRequire } from 'node:module';
import { testPackages } from '../installed.ts';
import { whyMissing } from '../requirement.ts';
import { noteSkipped } from '../testRun.ts';
import { keepPackages, lendPackages, type Runtime } from './warmPackages.ts';

const { default: runFile } = createRequire(import.meta.url)('jest-circus/runner') as {
  default: (...args: unknown[]) => Promise<object>;
};

/** jest's result of a file of which one test is skipped. */
const SKIPPED = {
  leaks: false,
  numFailingTests: 0,
  numPassingTests: 0,
  numPendingTests: 1,
  numTodoTests: 0,
  openHandles: [],
  snapshot: { added: 0, fileDeleted: false, matched: 0, unchecked: 0, uncheckedKeys: [], unmatched: 0, updated: 0 },
  testResults: [
    { ancestorTitles: [], failureMessages: [], fullName: 'all tests', status: 'pending', title: 'all tests' },
  ],
};

/** jest's runner of a test file. A file that imports a package which cannot be installed here is skipped. */
// biome-ignore lint/style/noDefaultExport: jest asks for it.
export default async function runOrSkip(...args: unknown[]): Promise<object> {
  const runtime = args[3] as Runtime;
  lendPackages(runtime);
  try {
    return await runFile(...args);
  } catch (error) {
    const isUnresolved = (error as NodeJS.ErrnoException).code === 'MODULE_NOT_FOUND';
    const reason = isUnresolved ? await whyMissing(testPackages) : undefined;
    if (reason === undefined) throw error;
    noteSkipped('test file', reason);
    return { ...SKIPPED };
  } finally {
    keepPackages(runtime);
  }
}
