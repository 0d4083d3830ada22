import { randomUUID } from 'node:crypto';
import { CreateTableCommand, DynamoDBClient, type StreamViewType } from '@aws-sdk/client-dynamodb';
import type { ChangeFeed } from '../../../infra/local/dynamodb/changeFeed.ts';
import { startDynamoDb } from '../../../infra/local/dynamodb/server.ts';
import type { Ambient, Tables } from '../table.ts';

/** One request of a client: its name without `Command`, and its input. */
export interface Call {
  readonly name: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into inputs of every kind of command.
  readonly input: any;
}

/** Stands between a client and the table: may delay a call, fail before or after it, or answer in its place. */
export type Intercept = (call: Call, send: () => Promise<unknown>) => Promise<unknown>;

/** An embedded DynamoDB with the two tables. */
export interface TestTables {
  /** The tables through a client of their own. */
  open(intercept?: Intercept): Tables;
  /** The changes of the flags table. */
  readonly feed: ChangeFeed;
  readonly streamArn: string;
  close(): Promise<void>;
}

/** Starts an embedded DynamoDB in memory and creates the tables as the stack has them. */
export async function startTestTables(): Promise<TestTables> {
  const database = await startDynamoDb({ port: 0 });
  const clients: DynamoDBClient[] = [];
  const open = (intercept?: Intercept): Tables => {
    const client = new DynamoDBClient({
      endpoint: database.endpoint,
      region: 'us-east-1',
      credentials: { accessKeyId: 'local', secretAccessKey: 'local' },
    });
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
    return { client, flags: 'Flags', connections: 'Connections' };
  };
  const { client, flags, connections } = open();
  const streamArn = await createTable(client, flags, 'NEW_AND_OLD_IMAGES');
  await createTable(client, connections);
  return {
    open,
    feed: database.feed,
    streamArn,
    close: async () => {
      for (const each of clients) each.destroy();
      await database.close();
    },
  };
}

/** An ambient whose clock stands still until it is moved. */
export function testAmbient(start = Date.UTC(2024, 0)): Ambient & { readonly clock: { now: number } } {
  const clock = { now: start };
  return { clock, now: () => clock.now, random: Math.random, uuid: randomUUID };
}

async function createTable(client: DynamoDBClient, name: string, view?: StreamViewType): Promise<string> {
  const { TableDescription } = await client.send(
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
      ...(view && { StreamSpecification: { StreamEnabled: true, StreamViewType: view } }),
    }),
  );
  return TableDescription?.LatestStreamArn ?? '';
}
