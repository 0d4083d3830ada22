import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { keptDirectory } from '../../../infra/cacheDirectory.ts';

const run = promisify(execFile);

const pom = join(import.meta.dirname, 'pom.xml');

/**
 * The directory that holds DynamoDB Local: fetched from Maven Central on first use and kept in `node_modules/.cache` for as
 * long as pom.xml stays what it is.
 *
 * @throws Error saying what to do, when there is no Maven or it cannot fetch the jars
 */
export function dynamoDbLocalJars(report: (line: string) => void): Promise<string> {
  return keptDirectory('dynamodb-local', pom, async (directory) => {
    report('fetching DynamoDB Local from Maven Central (once, 51 MB)');
    const goal = ['dependency:copy-dependencies', `-DoutputDirectory=${directory}`, '-DincludeScope=runtime'];
    try {
      await run('mvn', ['--quiet', '--batch-mode', '--file', pom, ...goal], { maxBuffer: 16 * 1024 * 1024 });
    } catch (error) {
      const { code, stdout = '', message } = error as { code?: unknown; stdout?: string; message: string };
      throw new Error(
        code === 'ENOENT'
          ? 'there is no mvn on the path: install Maven (on Debian and Ubuntu the package maven) and run again'
          : `Maven could not fetch DynamoDB Local; check that it reaches Maven Central. It said: ${stdout.trim() || message}`,
      );
    }
  });
}
