import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import type { ChangeFeed } from './changeFeed.ts';
import { openDatabase } from './database.ts';
import { awsError } from './errors.ts';
import { startHousekeeping } from './housekeeping.ts';
import { closeGently, createHttpEndpoint } from './httpEndpoint.ts';
import { allOperations } from './operations.ts';

/** The embedded DynamoDB's settings. */
interface DynamoDbOptions {
  /** The data directory, made if need be; without it everything is in memory. */
  path?: string | undefined;
  /** The TCP port on 127.0.0.1; 0, the default, takes any free one. */
  port?: number;
  /** The time between two sweeps for expired items, in ms; a minute by default. */
  ttlSweepMs?: number;
}

/** A running embedded DynamoDB. */
export interface LocalDynamoDb {
  /** The URL for an SDK's `endpoint`. */
  endpoint: string;
  feed: ChangeFeed;
  /** Removes what has expired now: items with TTL, old idempotency tokens, change records that nobody waits for. */
  sweepNow(): Promise<void>;
  /** Lets the requests that are being answered end, then closes the server and the database. */
  close(): Promise<void>;
}

/**
 * Starts dynalite with what it lacks: transactions, a change feed, TTL, conditions that return the item. The region and account
 * of its ARNs are those of AWS_REGION and AWS_ACCOUNT_ID. Listens on 127.0.0.1 only.
 * @throws Error when the directory is in use or the port is taken.
 */
export async function startDynamoDb(options: DynamoDbOptions = {}): Promise<LocalDynamoDb> {
  const database = await openDatabase(options.path);
  const operations = allOperations(database);
  const server = createHttpEndpoint((name, body) => {
    const operation = operations.get(name);
    if (operation === undefined) {
      throw awsError('UnknownOperationException', `The embedded DynamoDB does not offer ${name}`);
    }
    return database.exclusively(() => operation(body));
  });
  server.listen(options.port ?? 0, '127.0.0.1');
  await once(server, 'listening').catch(async (error: unknown) => {
    await database.close();
    throw error;
  });

  const housekeeping = startHousekeeping(database, options.ttlSweepMs ?? 60_000);
  return {
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    feed: database.feed,
    sweepNow: housekeeping.sweepNow,
    close: async () => {
      await housekeeping.stop();
      await closeGently(server);
      // A request whose client was cut off may still have its turn to come.
      await database.exclusively(async () => undefined);
      await database.close();
    },
  };
}
