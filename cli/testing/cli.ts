import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { recordServiceTables } from '../../shared/store/table/serviceTables.ts';
import {
  environmentOf,
  startTestTables,
  type TestStore,
  type TestTables,
  testSystemEffects,
} from '../../shared/store/testing/testTables.ts';
import { run } from '../program.ts';

/** The directory of FeatBit's benchmark, with 5 flags and 2 segments. */
export const REFERENCE_DATA = join(import.meta.dirname, '..', '..', 'shared', 'reference-data');

/** The result of a command line. */
interface Outcome {
  readonly code: number;
  readonly out: string;
  readonly err: string;
  /** The result of a command with `--json`. */
  // biome-ignore lint/suspicious/noExplicitAny: tests look into results of every command.
  readonly json: any;
}

/** What sends the requests of AWS clients. */
type Handler = Pick<DynamoDBClient['config']['requestHandler'], 'handle'>;
const overHttp: Handler = Object.getPrototypeOf(new DynamoDBClient({}).config.requestHandler);
const { handle } = overHttp;

/** The CLI with its own embedded DynamoDB and folder. In the project's folder, `npm start` may be running. */
export class TestCli {
  readonly #database: TestTables;
  /** A directory for files. */
  readonly directory = mkdtempSync(join(tmpdir(), 'flagwire-cli-'));
  /** The operator's input when asked. Undefined without a terminal. */
  typed: string | undefined;
  /** The questions to the operator. */
  readonly questions: string[] = [];
  readonly #before = process.cwd();

  private constructor(database: TestTables) {
    this.#database = database;
    process.chdir(this.directory);
  }

  static async start(): Promise<TestCli> {
    const database = await startTestTables();
    const { client, flags } = database.open(testSystemEffects).tables;
    const environment = await environmentOf(client);
    Object.assign(process.env, environment, { FLAGS_TABLE: flags });
    const { requestHandler } = client.config;
    const isOwn = ({ port }: { readonly port?: number }) =>
      environment['AWS_ENDPOINT_URL_DYNAMODB']?.endsWith(`:${port}`);
    // The embedded table answers requests in this process in a sixth of the processor time.
    if (Object.getPrototypeOf(requestHandler) !== overHttp)
      overHttp.handle = function (...args) {
        return isOwn(args[0]) ? requestHandler.handle(...args) : handle.apply(this, args);
      };
    return new TestCli(database);
  }

  /** Opens the tables that it works on, and records the connections table as a service does. */
  async openService(): Promise<TestStore> {
    const service = this.#database.open(testSystemEffects);
    const { client, flags, connections } = service.tables;
    await recordServiceTables({ client, name: flags, effects: testSystemEffects }, { connections });
    return service;
  }

  /** Runs one command line. */
  async run(...argv: string[]): Promise<Outcome> {
    const out: string[] = [];
    const err: string[] = [];
    const { typed } = this;
    const ask = async (question: string) => {
      this.questions.push(question);
      return typed ?? '';
    };
    const io = { out: (text: string) => out.push(text), err: (text: string) => err.push(text) };
    const code = await run(argv, { ...io, ...(typed === undefined ? {} : { ask }) }, testSystemEffects);
    const text = out.join('\n');
    return {
      code,
      out: text,
      err: err.join('\n'),
      json: argv.includes('--json') && text ? JSON.parse(text) : undefined,
    };
  }

  /** Creates an environment `bench` with the flags and segments of FeatBit's benchmark. */
  async importBenchmark(): Promise<Outcome> {
    await this.run('env', 'create', 'bench');
    const path = (name: string) => join(REFERENCE_DATA, name);
    return this.run('import', path('flags.json'), path('segments.json'), '--from', 'featbit', '--json');
  }

  async close(): Promise<void> {
    overHttp.handle = handle;
    process.chdir(this.#before);
    rmSync(this.directory, { recursive: true });
    await this.#database.close();
  }
}
