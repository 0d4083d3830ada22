import { RunningProcess } from '../../support/runningProcess.ts';

/** A running DynamoDB Local, which keeps everything in memory. */
interface DynamoDbLocal {
  readonly endpoint: string;
  stop(): Promise<unknown>;
}

const START_DEADLINE_MS = 30_000;

/**
 * Starts DynamoDB Local. It listens on every address of the machine, as it has no option for that; it holds test data
 * only.
 *
 * @param jars where its jars are
 * @throws Error saying what to do, when there is no Java or it does not start
 */
export async function startDynamoDbLocal(jars: string, port: number): Promise<DynamoDbLocal> {
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
