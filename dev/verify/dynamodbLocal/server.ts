import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';

/** A running DynamoDB Local, which keeps everything in memory. */
interface DynamoDbLocal {
  readonly endpoint: string;
  stop(): Promise<void>;
}

/** How long it may take to answer for the first time. */
const START_TIMEOUT_MS = 30_000;

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
  const child = spawn('java', [`-Djava.library.path=${jars}`, '-cp', `${jars}/*`, main, ...options], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let errors = '';
  child.stderr.on('data', (text) => (errors += text));
  let failure: Error | undefined;
  child.on('error', (error) => (failure = error));
  const endpoint = `http://127.0.0.1:${port}`;
  for (const end = Date.now() + START_TIMEOUT_MS; ; await sleep(100)) {
    if ((failure as NodeJS.ErrnoException | undefined)?.code === 'ENOENT') {
      throw new Error('there is no java on the path: install Java 17 or newer and run again');
    }
    if (failure || child.exitCode !== null || Date.now() > end) {
      child.kill('SIGKILL');
      throw new Error(`DynamoDB Local did not start: ${failure?.message ?? errors.trim().split('\n').at(-1) ?? ''}`);
    }
    if (await answers(endpoint)) break;
  }
  return {
    endpoint,
    async stop() {
      if (child.exitCode !== null) return;
      const exit = once(child, 'exit');
      child.kill('SIGKILL');
      await exit;
    },
  };
}

/** Any answer will do: an unsigned request is answered with an error. */
async function answers(endpoint: string): Promise<boolean> {
  try {
    await fetch(endpoint);
    return true;
  } catch {
    return false;
  }
}
