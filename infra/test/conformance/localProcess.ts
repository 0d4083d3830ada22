import { type ChildProcess, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { openStore } from '../../../shared/store/store.ts';
import { createDynamoDb } from '../../../shared/store/table.ts';
import { until } from '../../../shared/testing/until.ts';
import { repositoryRoot } from '../../cdk/constructs/bundling.ts';
import { RunningProcess } from './runningProcess.ts';
import type { Target } from './target.ts';

/** `npm start` as a process of its own, which can be killed. */
export class LocalProcess extends RunningProcess {
  readonly #dataDir: string;
  readonly #port: number;

  private constructor(child: ChildProcess, dataDir: string, port: number) {
    super(child);
    this.#dataDir = dataDir;
    this.#port = port;
  }

  /** Starts it, and waits until it has said where it is. */
  static async start(dataDir: string, port: number): Promise<LocalProcess> {
    const main = join(repositoryRoot, 'infra', 'local', 'main.ts');
    const child = spawn(process.execPath, [main, '--port', String(port), '--data', dataDir], {
      env: { PATH: process.env['PATH'] },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const running = new LocalProcess(child, dataDir, port);
    await until(
      () => ({ output: running.output, exitCode: child.exitCode }),
      ({ output, exitCode }) => output.includes('Flip the flag') || exitCode !== null,
    );
    if (child.exitCode !== null) throw new Error(`it ended with ${child.exitCode}: ${running.output}`);
    return running;
  }

  /** A target for its environments; the tables' port is another after each start. */
  target(): Target {
    const { dynamoDbEndpoint, flagsTable, environment } = JSON.parse(
      readFileSync(join(this.#dataDir, 'local.json'), 'utf8'),
    );
    // As the command line finds it.
    Object.assign(process.env, environment, { AWS_ENDPOINT_URL_DYNAMODB: dynamoDbEndpoint });
    return {
      streamingUrl: `ws://127.0.0.1:${this.#port}`,
      httpUrl: `http://127.0.0.1:${this.#port}`,
      store: openStore({ client: createDynamoDb(), flags: flagsTable }),
    };
  }
}
