import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { until } from '../../../shared/testing/until.ts';
import { repositoryRoot } from '../../cdk/constructs/bundling.ts';
import type { LocalStack } from '../../emulator/emulator.ts';
import { RunningProcess } from './runningProcess.ts';

/** What it needs of an emulator. */
type TableOfStack = Pick<LocalStack, 'dynamoDbEndpoint'> & { readonly tables: Pick<LocalStack['tables'], 'flags'> };

/** The host as a process of its own, which can be killed, on the table of an emulator. */
export class HostProcess extends RunningProcess {
  /**
   * Starts it, and waits until it listens.
   *
   * @param settings its environment variables besides those that lead to the table
   */
  static async start(stack: TableOfStack, settings: Readonly<Record<string, string>>): Promise<HostProcess> {
    const child = spawn(process.execPath, [join(repositoryRoot, 'functions', 'host', 'main.ts')], {
      env: {
        PATH: process.env['PATH'],
        AWS_REGION: process.env['AWS_REGION'],
        AWS_ACCESS_KEY_ID: process.env['AWS_ACCESS_KEY_ID'],
        AWS_SECRET_ACCESS_KEY: process.env['AWS_SECRET_ACCESS_KEY'],
        AWS_ENDPOINT_URL_DYNAMODB: stack.dynamoDbEndpoint,
        FLAGS_TABLE: stack.tables.flags,
        HOST: '127.0.0.1',
        ...settings,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const running = new HostProcess(child);
    await until(
      () => ({ output: running.output, exitCode: child.exitCode }),
      ({ output, exitCode }) => output.includes('"message":"listening"') || exitCode !== null,
    );
    if (child.exitCode !== null) throw new Error(`the host ended with ${child.exitCode}: ${running.output}`);
    return running;
  }

  /** The port that it says it listens on. */
  get port(): number {
    const line = this.output.split('\n').find((each) => each.includes('"message":"listening"'));
    return JSON.parse(line ?? '{}').port;
  }
}
