import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { cacheDirectory } from '../tools/cacheDirectory.ts';

const run = promisify(execFile);

const pom = join(import.meta.dirname, 'pom.xml');

/**
 * The directory that holds DynamoDB Local: fetched from Maven Central on first use and kept in `node_modules/.cache` for as
 * long as pom.xml stays what it is.
 *
 * @throws Error saying what to do, when there is no Maven or the jars cannot be fetched
 */
export async function dynamoDbLocalJars(report: (line: string) => void): Promise<string> {
  const digest = createHash('sha256').update(readFileSync(pom)).digest('hex').slice(0, 12);
  const directory = join(cacheDirectory, `dynamodb-local-${digest}`);
  const finished = join(directory, 'finished');
  if (existsSync(finished)) return directory;

  report('fetching DynamoDB Local from Maven Central (once, 51 MB)');
  rmSync(directory, { recursive: true, force: true });
  const goal = ['dependency:copy-dependencies', `-DoutputDirectory=${directory}`, '-DincludeScope=runtime'];
  try {
    await run('mvn', ['--quiet', '--batch-mode', '--file', pom, ...goal], { maxBuffer: 16 * 1024 * 1024 });
  } catch (error) {
    const { code, stdout = '', message } = error as { code?: unknown; stdout?: string; message: string };
    throw new Error(
      code === 'ENOENT'
        ? 'there is no mvn on the path: install Maven (on Debian and Ubuntu the package maven) and run again'
        : `Maven could not fetch DynamoDB Local: is Maven Central in reach? ${stdout.trim() || message}`,
    );
  }
  writeFileSync(finished, '');
  return directory;
}
