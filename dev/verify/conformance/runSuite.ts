import { repositoryRoot } from '../../../infra/repository.ts';
import { RunningProcess } from '../../support/runningProcess.ts';
import { jestCommand } from '../../support/tools/jest.ts';

/** The result of a suite. */
export interface SuiteResult {
  readonly passed: number;
  /** Failed tests with their full name and the first line of the reason. */
  readonly failed: readonly { readonly name: string; readonly reason: string }[];
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
 * Runs a suite with jest in its own process. Jest's progress goes to standard error.
 *
 * @param file its path from the repository's root
 * @param variables additional environment variables
 */
export async function runSuite(file: string, variables: NodeJS.ProcessEnv): Promise<SuiteResult> {
  const jest = new RunningProcess([process.execPath, ...jestCommand, '--testMatch', `**/${file}`, '--json'], {
    cwd: repositoryRoot,
    environment: { ...process.env, ...variables },
    stderr: 'inherit',
  });
  await jest.ended;
  const { numPassedTests: passed, testResults }: JestReport = JSON.parse(jest.output);
  const failed = testResults.flatMap(({ assertionResults, message }) =>
    assertionResults.length === 0
      ? [{ name: 'the suite did not run', reason: firstLine(message) }]
      : assertionResults
          .filter(({ status }) => status === 'failed')
          .map(({ fullName, failureMessages }) => ({ name: fullName, reason: firstLine(failureMessages[0]) })),
  );
  return { passed, failed };
}

function firstLine(text = ''): string {
  const [line = ''] = text.trim().split('\n');
  return line.trim();
}
