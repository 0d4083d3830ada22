import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { openStore } from '../../../shared/store/store.ts';
import { createDynamoDb } from '../../../shared/store/table/table.ts';
import { cleanEnvironment, ofRepository, RunningProcess } from '../../support/runningProcess.ts';
import { type Target, urlsAt } from './target.ts';

/** `npm start -- --benchmark` in its own process, which can be killed. */
export class LocalProcess extends RunningProcess {
  readonly #dataDir: string;
  readonly #port: number;

  private constructor(dataDir: string, port: number, aws: string, more: readonly string[]) {
    const args = ['--port', String(port), '--data', dataDir, '--aws', aws, '--benchmark', ...more];
    super(ofRepository('dev/local/main.ts', args), { environment: cleanEnvironment() });
    this.#dataDir = dataDir;
    this.#port = port;
  }

  /** Starts it as an AWS account of that name, and waits until it has printed its banner. @param more further options */
  static async start(dataDir: string, port: number, aws = 'default', ...more: string[]): Promise<LocalProcess> {
    const running = new LocalProcess(dataDir, port, aws, more);
    await running.printed('Flip the flag');
    return running;
  }

  /** A target for its environments; the tables have another access key after each start. */
  target(): Target {
    const { dynamoDbEndpoint, flagsTable, environment } = JSON.parse(
      readFileSync(join(this.#dataDir, 'local.json'), 'utf8'),
    );
    // The command line finds it in the same way.
    Object.assign(process.env, environment, { AWS_ENDPOINT_URL_DYNAMODB: dynamoDbEndpoint });
    const tables = { flags: flagsTable };
    return { ...urlsAt(this.#port), tables, store: openStore({ client: createDynamoDb(), ...tables }) };
  }
}
