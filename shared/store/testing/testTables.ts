import { randomUUID } from 'node:crypto';
import { CreateTableCommand, type DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { startDynamoDb } from '../../../dev/emulator/dynamodb/server.ts';
import { inProcess } from '../../../dev/emulator/dynamodb/testing/inProcess.ts';
import { type Document, documentId } from '../../flags/document.ts';
import { type Effects, systemEffects } from '../../runtime/effects.ts';
import type { ConnectionsTable } from '../connections/connections.ts';
import { commit } from '../documents/commit.ts';
import type { StoredDocument } from '../documents/item.ts';
import type { FlagsTable } from '../reader.ts';
import { openStore, type Store } from '../store.ts';
import { SdkClient } from '../table/table.ts';

/** A request of a client: its name without `Command`, and its input. */
export interface Call {
  readonly name: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into inputs of every kind of command.
  readonly input: any;
}

/** Intercepts a call: may delay it, fail before or after it, or replace its response. */
export type Intercept = (call: Call, send: () => Promise<unknown>) => Promise<unknown>;

/** A store and its tables. */
export interface TestStore extends Store {
  readonly tables: FlagsTable & ConnectionsTable & { readonly usage: string };
}

/** A DynamoDB with the tables. */
export interface TestTables {
  /** The tables with a separate client. */
  open(effects: Effects, intercept?: Intercept): TestStore;
  close(): Promise<void>;
}

/** The environment variable with the endpoint of a running DynamoDB. Without it, each test file starts one. */
export const TEST_DYNAMODB = 'FLAGWIRE_TEST_DYNAMODB';

/** Amazon's DynamoDB Local accepts any credentials. */
const ANY_ACCESS_KEY = { accessKeyId: 'local', secretAccessKey: 'local' };

/** Creates the stack's tables: in memory in an embedded DynamoDB, or in the configured one. */
export async function startTestTables(): Promise<TestTables> {
  const running = process.env[TEST_DYNAMODB];
  const embedded = running ? undefined : await startDynamoDb();
  const config = embedded ? inProcess(embedded) : { endpoint: running ?? '', credentials: ANY_ACCESS_KEY };
  const suffix = running ? `-${randomUUID()}` : '';
  const clients: DynamoDBClient[] = [];
  const open = (effects: Effects, intercept?: Intercept): TestStore => {
    const client = new SdkClient({ ...config, region: 'us-east-1', cacheMiddleware: true });
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
    const tables = { client, flags: `Flags${suffix}`, connections: `Connections${suffix}`, usage: `Usage${suffix}` };
    return { ...openStore(tables, effects), tables };
  };
  const { client, ...names } = open(systemEffects).tables;
  for (const name of Object.values(names)) await createTable(client, name);
  return {
    open,
    close: async () => {
      for (const each of clients) each.destroy();
      await embedded?.close();
    },
  };
}

/** The environment variables for AWS clients of a test client's DynamoDB. */
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

/** Writes a document as versions without today's checks did. */
export async function writeUnchecked(
  { tables, effects, documents }: TestStore,
  envId: string,
  document: Document,
): Promise<StoredDocument[]> {
  const replaces = (await documents.find(envId, document.kind, documentId(document)))?.updatedAt ?? 0;
  const written = [{ ...document, replaces }];
  return commit({ client: tables.client, name: tables.flags, effects }, envId, async () => ({ documents: written }));
}

/** This machine's effects without the wait of writers before they acknowledge, so that tests do not wait. */
export const testSystemEffects: Effects = { ...systemEffects, elapse: async () => {} };

/** Effects with a manual clock, so that no request times out. Pauses are real. */
export function testEffects(start = Date.UTC(2024, 0)): Effects & { readonly clock: { now: number } } {
  const clock = { now: start };
  const timeout = () => new AbortController().signal;
  const onSilence = () => () => {};
  return { ...testSystemEffects, clock, now: () => clock.now, monotonic: () => clock.now, timeout, onSilence };
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
