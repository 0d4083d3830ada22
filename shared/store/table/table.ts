import {
  DynamoDBClient,
  type DynamoDBClientConfig,
  GetItemCommand,
  QueryCommand,
  UpdateItemCommand,
} from '@aws-sdk/client-dynamodb';
import { throughProxy } from '../../runtime/throughProxy.ts';
import type { RecordedAuthor } from './author.ts';
import type { ReadTable, TableRequests } from './tableRequests.ts';

/** The AWS SDK's client, with the requests that also go without it. */
export class SdkClient extends DynamoDBClient implements TableRequests {
  getItem(input: Parameters<TableRequests['getItem']>[0]) {
    return this.send(new GetItemCommand(input));
  }

  query(input: Parameters<TableRequests['query']>[0]) {
    return this.send(new QueryCommand(input));
  }

  updateItem(input: Parameters<TableRequests['updateItem']>[0], abortSignal: AbortSignal) {
    return this.send(new UpdateItemCommand(input), { abortSignal });
  }
}

/** An opened table: its client and name, and its user's clock, randomness and timers. */
export interface Table extends ReadTable {
  readonly client: SdkClient;
  /** Who writes to an environment, called for each write. If absent, the author is unknown. */
  readonly author?: (envId: string) => Promise<RecordedAuthor>;
}

/**
 * A DynamoDB client for short requests. It gives up on a silent connection within seconds. It retries throttling and
 * outages a few times, with growing, random pauses. Region, credentials and endpoint come from the environment.
 *
 * @param options.maxAttempts attempts of each request; 1 for requests that must not have an effect twice
 * @param options.silenceMs how long a connection may be idle during a request; a slow upload is not idle
 * @param options.access endpoint, region and credentials that replace those of the environment
 */
export function createDynamoDb({
  silenceMs = 3_000,
  maxAttempts = 4,
  ...access
}: { silenceMs?: number; maxAttempts?: number } & Pick<
  DynamoDBClientConfig,
  'endpoint' | 'region' | 'credentials'
> = {}): SdkClient {
  const client = new SdkClient({
    ...access,
    maxAttempts,
    // Middleware is added only before the first request. Rebuilding the chain would take longer than a request.
    cacheMiddleware: true,
    // `requestTimeout` only warns, and includes an upload's time.
    requestHandler: throughProxy({ connectionTimeout: 1_000, socketTimeout: silenceMs }),
  });
  // It copies every request and response for a logger that discards them.
  client.middlewareStack.remove('loggerMiddleware');
  return client;
}
