import { hostRuntime, programOf } from '../../infra/hostRuntime.ts';
import type { LocalStack } from '../emulator/emulator.ts';
import { ofRepository, RunningProcess } from './runningProcess.ts';

/** What it needs of an emulator. */
export type TableOfStack = Pick<LocalStack, 'dynamoDbEndpoint'> & {
  readonly tables: Pick<LocalStack['tables'], 'flags'>;
};

const LISTENING = '"message":"listening"';

/** The host as a process of its own, by the runtime that tests are told, which can be killed, on the table of an emulator. */
export class HostProcess extends RunningProcess {
  /**
   * Starts it, and waits until it listens.
   *
   * @param settings its environment variables besides those that lead to the table
   */
  static async start(stack: TableOfStack, settings: Readonly<Record<string, string>>): Promise<HostProcess> {
    const environment = {
      AWS_REGION: process.env['AWS_REGION'],
      AWS_ACCESS_KEY_ID: process.env['AWS_ACCESS_KEY_ID'],
      AWS_SECRET_ACCESS_KEY: process.env['AWS_SECRET_ACCESS_KEY'],
      AWS_ENDPOINT_URL_DYNAMODB: stack.dynamoDbEndpoint,
      FLAGS_TABLE: stack.tables.flags,
      HOST: '127.0.0.1',
      ...settings,
    };
    const running = new HostProcess(ofRepository('functions/host/main.ts', [], programOf(hostRuntime())), environment);
    await running.printed(LISTENING);
    return running;
  }

  /**
   * Starts it on the table that `npm start` announces in a folder.
   *
   * @param settings its environment variables
   * @param runtime what it runs on; what tests are told unless given
   */
  static async startLocal(
    dataDir: string,
    settings: Readonly<Record<string, string>>,
    runtime = hostRuntime(),
  ): Promise<HostProcess> {
    const command = ofRepository('functions/host/main.ts', ['--data', dataDir], programOf(runtime));
    const running = new HostProcess(command, settings);
    await running.printed(LISTENING);
    return running;
  }

  /** The port that it says it listens on. */
  get port(): number {
    return this.logLine(LISTENING)['port'] as number;
  }
}
