import { DynamoDBClient, type DynamoDBClientConfig } from '@aws-sdk/client-dynamodb';
import type { Effects } from '../../runtime/effects.ts';
import { throughProxy } from '../../runtime/throughProxy.ts';
import type { SignedBy } from './author.ts';

/** An opened table: its client and name, and its user's clock, randomness and timers. */
export interface Table {
  readonly client: DynamoDBClient;
  readonly name: string;
  readonly effects: Effects;
  /** Who writes to an environment, called for each write. If absent, the author is unknown. */
  readonly author?: (envId: string) => Promise<SignedBy>;
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
> = {}): DynamoDBClient {
  const client = new DynamoDBClient({
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
