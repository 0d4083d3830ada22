import { hostRuntime, programOf } from '../../infra/hostRuntime.ts';
import type { LocalStack } from '../emulator/emulator.ts';
import { cleanEnvironment, ofRepository, RunningProcess } from './runningProcess.ts';

/** The tables of an emulator. */
export type TableOfStack = Pick<LocalStack, 'dynamoDbEndpoint'> & {
  readonly tables: Pick<LocalStack['tables'], 'flags'> & Partial<LocalStack['tables']> & { readonly usage?: string };
};

/** A host process. */
export class HostProcess extends RunningProcess {
  port = Number.NaN;

  /**
   * Starts it on the table of an emulator, by the runtime that `HOST_RUNTIME` names, and waits until it listens.
   *
   * @param settings its environment variables besides those that lead to the table
   */
  static start(stack: TableOfStack, settings: Readonly<Record<string, string>>): Promise<HostProcess> {
    const environment = {
      AWS_REGION: process.env['AWS_REGION'],
      AWS_ACCESS_KEY_ID: process.env['AWS_ACCESS_KEY_ID'],
      AWS_SECRET_ACCESS_KEY: process.env['AWS_SECRET_ACCESS_KEY'],
      AWS_ENDPOINT_URL_DYNAMODB: stack.dynamoDbEndpoint,
      FLAGS_TABLE: stack.tables.flags,
      CONNECTIONS_TABLE: stack.tables.connections,
      USAGE_TABLE: stack.tables.usage,
      HOST: '127.0.0.1',
      ...settings,
    };
    return HostProcess.#start([], environment, hostRuntime());
  }

  /**
   * Starts it on the table that `npm start` announces in a folder.
   *
   * @param settings its environment variables
   * @param runtime its program and version, from `HOST_RUNTIME` by default
   */
  static startLocal(
    dataDir: string,
    settings: Readonly<Record<string, string>>,
    runtime = hostRuntime(),
  ): Promise<HostProcess> {
    return HostProcess.#start(['--data', dataDir], settings, runtime);
  }

  static async #start(args: readonly string[], settings: NodeJS.ProcessEnv, runtime: ReturnType<typeof hostRuntime>) {
    const command = ofRepository('functions/host/main.ts', args, programOf(runtime));
    const running = new HostProcess(command, { environment: cleanEnvironment(settings) });
    running.port = (await running.listening()).port;
    return running;
  }
}
