import { join } from 'node:path';
import { keptDirectory } from '../../../infra/cacheDirectory.ts';
import { RunningProcess } from '../../support/runningProcess.ts';
import { runTool } from '../../support/tools/runTool.ts';

const pom = join(import.meta.dirname, 'pom.xml');

const START_DEADLINE_MS = 30_000;

/**
 * The directory that holds DynamoDB Local: fetched from Maven Central on first use and kept in `node_modules/.cache` for as
 * long as pom.xml stays what it is.
 *
 * @throws Error saying what to do, when there is no Maven or it cannot fetch the jars
 */
function dynamoDbLocalJars(report: (line: string) => void): Promise<string> {
  return keptDirectory('dynamodb-local', pom, async (directory) => {
    report('fetching DynamoDB Local from Maven Central (once, 51 MB)');
    const goal = ['dependency:copy-dependencies', `-DoutputDirectory=${directory}`, '-DincludeScope=runtime'];
    await runTool('mvn', ['--quiet', '--batch-mode', '--file', pom, ...goal], {
      missing: 'there is no mvn on the path: install Maven (on Debian and Ubuntu the package maven) and run again',
      failed: 'Maven could not fetch DynamoDB Local; check that it reaches Maven Central.',
    });
  });
}

/**
 * Starts DynamoDB Local, which keeps everything in memory. It listens on every address of the machine, as it has no option for that; it holds test data
 * only.
 *
 * @throws Error saying what to do, when there is no Java or it does not start
 */
export async function startDynamoDbLocal(
  report: (line: string) => void,
  port: number,
): Promise<{ readonly endpoint: string; stop(): Promise<unknown> }> {
  const jars = await dynamoDbLocalJars(report);
  const main = 'com.amazonaws.services.dynamodbv2.local.main.ServerRunner';
  const options = ['-inMemory', '-sharedDb', '-disableTelemetry', '-port', String(port)];
  const java = new RunningProcess(['java', `-Djava.library.path=${jars}`, '-cp', `${jars}/*`, main, ...options]);
  const endpoint = `http://127.0.0.1:${port}`;
  try {
    // Any answer will do: an unsigned request is answered with an error.
    await java.ready(() => fetch(endpoint), START_DEADLINE_MS);
  } catch (error) {
    await java.stop();
    if ((error as NodeJS.ErrnoException).code === 'ENOENT')
      throw new Error('there is no java on the path: install Java 17 or newer and run again');
    throw new Error(`DynamoDB Local did not start: ${java.output.trim().split('\n').at(-1)}`);
  }
  return { endpoint, stop: () => java.stop() };
}
