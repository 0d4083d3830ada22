import { randomUUID } from 'node:crypto';
import { CreateTableCommand, DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { startDynamoDb } from '../../../dev/emulator/dynamodb/server.ts';
import { type Effects, systemEffects } from '../../runtime/effects.ts';
import type { ConnectionsTable } from '../connections.ts';
import type { FlagsTable } from '../reader.ts';
import { openStore, type Store } from '../store.ts';

/** One request of a client: its name without `Command`, and its input. */
export interface Call {
  readonly name: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into inputs of every kind of command.
  readonly input: any;
}

/** Stands between a client and the table: may delay a call, fail before or after it, or answer in its place. */
export type Intercept = (call: Call, send: () => Promise<unknown>) => Promise<unknown>;

/** A store with the tables that are under it. */
export interface TestStore extends Store {
  readonly tables: FlagsTable & ConnectionsTable;
}

/** A DynamoDB with the two tables. */
export interface TestTables {
  /** The tables through a client of their own. */
  open(effects: Effects, intercept?: Intercept): TestStore;
  close(): Promise<void>;
}

/** The environment variable with the endpoint of a DynamoDB that runs already; without it each test file starts one. */
export const TEST_DYNAMODB = 'FLAGWIRE_TEST_DYNAMODB';

/** Amazon's DynamoDB Local takes any. */
const ANY_ACCESS_KEY = { accessKeyId: 'local', secretAccessKey: 'local' };

/** Creates the tables as the stack has them, in an embedded DynamoDB in memory unless there is another to test with. */
export async function startTestTables(): Promise<TestTables> {
  const running = process.env[TEST_DYNAMODB];
  const database = running
    ? { endpoint: running, accessKey: ANY_ACCESS_KEY, close: async () => {} }
    : await startDynamoDb();
  const suffix = running ? `-${randomUUID()}` : '';
  const clients: DynamoDBClient[] = [];
  const open = (effects: Effects, intercept?: Intercept): TestStore => {
    const client = new DynamoDBClient({
      endpoint: database.endpoint,
      region: 'us-east-1',
      credentials: database.accessKey,
      cacheMiddleware: true,
    });
    client.middlewareStack.remove('loggerMiddleware');
    if (intercept) {
      client.middlewareStack.add(
        (next, { commandName = '' }) =>
          (args) =>
            intercept({ name: commandName.replace('Command', ''), input: args.input }, () => next(args)) as ReturnType<
              typeof next
            >,
        { step: 'initialize', name: 'intercept' },
      );
    }
    clients.push(client);
    const tables = { client, flags: `Flags${suffix}`, connections: `Connections${suffix}` };
    return { ...openStore(tables, effects), tables };
  };
  const { client, flags, connections } = open(systemEffects).tables;
  await createTable(client, flags);
  await createTable(client, connections);
  return {
    open,
    close: async () => {
      for (const each of clients) each.destroy();
      await database.close();
    },
  };
}

/** The environment variables that lead AWS's clients to the DynamoDB that a client of the tests is for. */
export async function environmentOf({ config }: DynamoDBClient): Promise<Record<string, string>> {
  const { hostname, port } = (await config.endpoint?.()) ?? { hostname: '', port: 0 };
  const { accessKeyId, secretAccessKey } = await config.credentials();
  return {
    AWS_ENDPOINT_URL_DYNAMODB: `http://${hostname}:${port}`,
    AWS_REGION: 'us-east-1',
    AWS_ACCESS_KEY_ID: accessKeyId,
    AWS_SECRET_ACCESS_KEY: secretAccessKey,
  };
}

/** Effects whose clock stands still until it is moved, so that no request times out; pauses are those of this machine. */
export function testEffects(start = Date.UTC(2024, 0)): Effects & { readonly clock: { now: number } } {
  const clock = { now: start };
  const timeout = () => new AbortController().signal;
  return { ...systemEffects, clock, now: () => clock.now, monotonic: () => clock.now, timeout };
}

async function createTable(client: DynamoDBClient, name: string): Promise<void> {
  await client.send(
    new CreateTableCommand({
      TableName: name,
      BillingMode: 'PAY_PER_REQUEST',
      AttributeDefinitions: [
        { AttributeName: 'pk', AttributeType: 'S' },
        { AttributeName: 'sk', AttributeType: 'S' },
      ],
      KeySchema: [
        { AttributeName: 'pk', KeyType: 'HASH' },
        { AttributeName: 'sk', KeyType: 'RANGE' },
      ],
    }),
  );
}
