import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { repositoryRoot } from '../constructs/bundling.ts';

/** What came of the conformance suite. */
export interface SuiteResult {
  readonly passed: number;
  /** What failed, each by its full name with the first line of its reason. */
  readonly failed: readonly { readonly name: string; readonly reason: string }[];
}

/** Where {@link runSuite} leads the suite; read by remote.suite.ts. */
export interface RemoteTarget {
  readonly streamingUrl: string;
  readonly httpUrl: string;
  readonly flagsTable: string;
  /** What the names of the suite's environments begin with. */
  readonly environments: string;
}

/** The environment variable that carries a {@link RemoteTarget} to the suite, as JSON. */
export const REMOTE_TARGET = 'FLAGWIRE_REMOTE_TARGET';

/** jest's own JSON report, as far as it is read. */
interface JestReport {
  readonly numPassedTests: number;
  readonly testResults: readonly {
    readonly message: string;
    readonly assertionResults: readonly {
      readonly status: string;
      readonly fullName: string;
      readonly failureMessages: readonly string[];
    }[];
  }[];
}

/** Runs the conformance suite in a process of its own; its progress goes to standard error. */
export async function runSuite(target: RemoteTarget): Promise<SuiteResult> {
  const directory = mkdtempSync(join(tmpdir(), 'flagwire-verify-'));
  const outputFile = join(directory, 'result.json');
  const jest = join(repositoryRoot, 'node_modules', 'jest', 'bin', 'jest.js');
  const options = [
    '--testMatch',
    '**/infra/verify/remote.suite.ts',
    '--forceExit',
    '--json',
    '--outputFile',
    outputFile,
  ];
  const node = ['--experimental-vm-modules', '--disable-warning=ExperimentalWarning'];
  try {
    const child = spawn(process.execPath, [...node, jest, ...options], {
      cwd: repositoryRoot,
      env: { ...process.env, [REMOTE_TARGET]: JSON.stringify(target) },
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    await once(child, 'exit');
    return summarize(JSON.parse(readFileSync(outputFile, 'utf8')) as JestReport);
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

function summarize({ numPassedTests, testResults }: JestReport): SuiteResult {
  const failed = testResults.flatMap(({ assertionResults, message }) =>
    assertionResults.length === 0
      ? [{ name: 'the suite did not run', reason: firstLine(message) }]
      : assertionResults
          .filter(({ status }) => status === 'failed')
          .map(({ fullName, failureMessages }) => ({ name: fullName, reason: firstLine(failureMessages[0]) })),
  );
  return { passed: numPassedTests, failed };
}

function firstLine(text = ''): string {
  return (
    text
      .split('\n')
      .find((line) => line.trim() !== '')
      ?.trim() ?? ''
  );
}
