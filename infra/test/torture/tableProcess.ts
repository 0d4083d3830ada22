import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { until } from '../../../shared/testing/until.ts';
import { clientEnvironment, onlySet } from '../../emulator/clients.ts';
import { RunningProcess } from '../conformance/runningProcess.ts';

/** The embedded DynamoDB as a process of its own, so that it outlives who works on it, and is not held up by who asks. */
export class TableProcess extends RunningProcess {
  /** Starts it, and waits until its tables are there. From then on AWS clients of this process lead to it. */
  static async start(): Promise<TableProcess> {
    const environment = onlySet(clientEnvironment({ dynamoDb: '', services: '' }));
    const child = spawn(process.execPath, [join(import.meta.dirname, 'table.ts')], {
      env: { PATH: process.env['PATH'], ...environment },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const running = new TableProcess(child);
    await until(
      () => running.output,
      (output) => output.includes('"listening"') || !running.isRunning,
    );
    if (!running.isRunning) throw new Error(`the table ended: ${running.output}`);
    Object.assign(process.env, environment, { AWS_ENDPOINT_URL_DYNAMODB: running.endpoint });
    return running;
  }

  get endpoint(): string {
    return this.#announcement().endpoint;
  }

  /** The name of its flags table. */
  get flags(): string {
    return this.#announcement().flags;
  }

  #announcement(): { readonly endpoint: string; readonly flags: string } {
    const line = this.output.split('\n').find((each) => each.includes('"listening"'));
    return JSON.parse(line ?? '{}');
  }
}
