import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { repositoryRoot } from '../constructs/bundling.ts';
import type { LocalStack } from '../local/standIn.ts';
import { until } from './clients/until.ts';

/** The host as a process of its own, which can be killed, on the table of a stand-in. */
export class HostProcess {
  /** Everything it has written so far. */
  output = '';
  readonly #child: ChildProcess;

  private constructor(child: ChildProcess) {
    this.#child = child;
    for (const stream of [child.stdout, child.stderr]) stream?.on('data', (text) => (this.output += text));
  }

  /**
   * Starts it, and waits until it listens.
   *
   * @param settings its environment variables besides those that lead to the table
   */
  static async start(stack: LocalStack, settings: Readonly<Record<string, string>>): Promise<HostProcess> {
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

  /** Sends it a signal and waits for its end. @returns its exit code, null when the signal itself ended it */
  async stop(signal: NodeJS.Signals): Promise<number | null> {
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return this.#child.exitCode;
    const exit = once(this.#child, 'exit');
    this.#child.kill(signal);
    const [code] = await exit;
    return code as number | null;
  }
}
