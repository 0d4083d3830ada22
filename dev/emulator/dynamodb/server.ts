import type { PartitionUnits } from '../awsProfiles.ts';
import { type Clock, systemClock } from '../clock.ts';
import { type AwsJsonService, type AwsOperation, serveServices } from '../endpoint/awsJson.ts';
import { type AccessKey, Identities, newAccessKey } from '../iam/identities.ts';
import { listen, listenAgain } from '../listen.ts';
import { type Log, logToStderr } from '../log.ts';
import { dynamoDbRequests } from './accessRequests.ts';
import type { ChangeFeed } from './changeFeed.ts';
import { openDatabase } from './database.ts';
import { startHousekeeping } from './housekeeping.ts';
import { allOperations } from './operations.ts';
import { throttlePartitions } from './partitionThrottle.ts';
import { throttleTables } from './tableThrottle.ts';

/** The embedded DynamoDB's settings. */
interface DynamoDbOptions {
  /** The data directory, made if need be; without it everything is in memory. */
  path?: string | undefined;
  /** The time between two sweeps for expired items, in ms; a minute by default. */
  ttlSweepMs?: number;
  /** File that keeps the port for the next start. If that port is taken, it uses a free one. */
  portFile?: string | undefined;
  /** Access key of the administrator. The default is a new one. */
  accessKey?: AccessKey;
  /** Signers of requests, in place of `accessKey`. */
  identities?: Identities;
  /** Clock for `partitionUnits`. The default is the clock of this machine. */
  clock?: Clock;
  /** Capacity units of each partition key. Unlimited by default. */
  partitionUnits?: PartitionUnits;
  /** Gets errors of the emulator. The default is standard error. */
  log?: Log;
}

/** A running embedded DynamoDB. */
export type LocalDynamoDb = Awaited<ReturnType<typeof startDynamoDb>>;

/** Grace period of silent clients on closing. */
const graceMs = 1_000;

/**
 * Starts dynalite with what it lacks: transactions, a change feed, TTL, conditions that return the item. The region and account
 * of its ARNs are those of AWS_REGION and AWS_ACCOUNT_ID. Listens on 127.0.0.1 only.
 * @throws Error when the directory is in use.
 */
export async function startDynamoDb(options: DynamoDbOptions = {}) {
  const database = await openDatabase(options.path);
  const { portFile, accessKey = newAccessKey(), identities = new Identities(accessKey), log = logToStderr } = options;
  const { clock = systemClock, partitionUnits } = options;
  const listening = await (portFile === undefined ? listen(0) : listenAgain(portFile));
  // Requests run one at a time: what one has read still holds when it commits.
  const exclusive = ([name, operation]: [string, AwsOperation]): [string, AwsOperation] => [
    name,
    (...request) => database.exclusively(async () => operation(...request)),
  ];
  const accessRequests = (operation: string, input: Record<string, unknown>) =>
    dynamoDbRequests(operation, input, database.store);
  const throttle = partitionUnits && throttlePartitions(partitionUnits, clock, accessRequests, log);
  const throttleTable = throttleTables(database.store, clock, log);
  const all = Object.entries(allOperations(database)).map(([name, operation]): [string, AwsOperation] => [
    name,
    throttleTable(name, throttle ? throttle(name, operation) : operation),
  ]);
  const operations = Object.fromEntries(all.map(exclusive));
  const service: AwsJsonService = {
    target: 'DynamoDB_20120810',
    contentType: 'application/x-amz-json-1.0',
    operations,
    accessRequests,
  };
  listening.open((server) => serveServices(server, [service], identities, log));

  const housekeeping = startHousekeeping(database, options.ttlSweepMs ?? 60_000);
  return {
    /** The URL for an SDK's `endpoint`. */
    endpoint: `http://127.0.0.1:${listening.port}`,
    /** The `credentials` for an SDK. Requests with other signatures are refused, as on AWS. */
    accessKey: identities.administrator,
    /** Answers requests of this process, by the name of the operation. Nothing checks their signatures. */
    operations,
    feed: database.feed as ChangeFeed,
    sweepNow: housekeeping.sweepNow,
    /** Lets the requests that are being answered end, then closes the server and the database. */
    close: async () => {
      await housekeeping.stop();
      await listening.stop(graceMs);
      // A request whose client was cut off may still have its turn to come.
      await database.exclusively(async () => undefined);
      await database.close();
    },
  };
}
