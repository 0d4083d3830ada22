import { DynamoDBClient, type DynamoDBClientConfig } from '@aws-sdk/client-dynamodb';
import type { Effects } from '../runtime/effects.ts';
import type { SignedBy } from './author.ts';

/** An opened table: the client that reaches it, its name, and the clock, randomness and waiting of its user. */
export interface Table {
  readonly client: DynamoDBClient;
  readonly name: string;
  readonly effects: Effects;
  /** Who writes to an environment; asked when something is written, and unknown where it is absent. */
  readonly author?: (envId: string) => Promise<SignedBy>;
}

/**
 * A DynamoDB client for short requests: it gives up on a silent connection within seconds and retries throttling and
 * outages a few times with growing, jittered pauses. Region, credentials and endpoint come from the environment.
 *
 * @param options.silenceMs how long a connection may stay idle during a request; a slow upload is not idle
 * @param options.access endpoint, region and credentials, each in place of the environment's
 */
export function createDynamoDb({
  silenceMs = 3_000,
  ...access
}: { silenceMs?: number } & Pick<DynamoDBClientConfig, 'endpoint' | 'region' | 'credentials'> = {}): DynamoDBClient {
  const client = new DynamoDBClient({
    ...access,
    maxAttempts: 4,
    // Middleware is added before the first request, never after it; building the chain again takes longer than a request does.
    cacheMiddleware: true,
    // Not requestTimeout, which only warns, and counts an upload's time too.
    requestHandler: { connectionTimeout: 1_000, socketTimeout: silenceMs },
  });
  // It copies every request and answer for a logger that discards them.
  client.middlewareStack.remove('loggerMiddleware');
  return client;
}
