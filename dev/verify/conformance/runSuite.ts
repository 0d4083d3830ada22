import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { repositoryRoot } from '../../../infra/repository.ts';
import { RunningProcess } from '../../support/runningProcess.ts';
import { jestCommand } from '../../support/tools/jest.ts';

/** The result of a suite. */
export interface SuiteResult {
  readonly passed: number;
  /** Failed tests with their full name and the first line of the reason. */
  readonly failed: readonly { readonly name: string; readonly reason: string }[];
}

/** Options of a suite. */
interface SuiteOptions {
  /** Additional environment variables. */
  readonly environment: Readonly<Record<string, string>>;
  /** A regular expression of the full names of the cases to run; all of them unless given. */
  readonly only?: string;
  /** True if jest's progress goes to standard error. */
  readonly showProgress: boolean;
}

/** The fields of jest's JSON report that are used. */
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

/**
 * Runs a suite with jest in its own process.
 *
 * @param file its path from the repository's root
 */
export async function runSuite(file: string, options: SuiteOptions): Promise<SuiteResult> {
  const { environment, only, showProgress } = options;
  const directory = mkdtempSync(join(tmpdir(), 'flagwire-suite-'));
  const outputFile = join(directory, 'result.json');
  const report = ['--testMatch', `**/${file}`, '--json', '--outputFile', outputFile];
  const names = only === undefined ? [] : ['--testNamePattern', only];
  try {
    const jest = new RunningProcess([process.execPath, ...jestCommand, ...report, ...names], {
      cwd: repositoryRoot,
      environment: { ...process.env, ...environment },
      stdout: 'ignore',
      stderr: showProgress ? 'inherit' : 'ignore',
    });
    await jest.ended;
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
  const [line = ''] = text.trim().split('\n');
  return line.trim();
}
