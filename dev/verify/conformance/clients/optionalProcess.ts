import type { Report } from '../../../support/tools/python.ts';

/**
 * Starts what needs a language that a machine may lack.
 *
 * @param Missing the error that says what to install
 * @param start installs what it needs on first use
 * @returns undefined when that failed; standard error then has the message of {@link Missing}
 * @throws {Missing} where CI is set: there every language is required
 */
export async function startOptional<T>(
  Missing: new (message: string) => Error,
  start: (report: Report) => Promise<T>,
): Promise<T | undefined> {
  const report = (line: string) => process.stderr.write(`conformance: ${line}\n`);
  try {
    return await start(report);
  } catch (error) {
    if (!(error instanceof Missing) || process.env['CI']) throw error;
    report(`${error.message} The suite continues without it; where CI is set, it is required.`);
    return undefined;
  }
}
