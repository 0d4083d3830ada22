import { DynamoDBClient } from '@aws-sdk/client-dynamodb';

/** The two tables and the way to reach them. */
export interface Tables {
  readonly client: DynamoDBClient;
  readonly flags: string;
  readonly connections: string;
}

/** What a store must not take from its surroundings by itself. */
export interface Ambient {
  /** Unix milliseconds; may be wrong, and be set forth and back. */
  readonly now: () => number;
  /** Milliseconds since some moment, never set; `performance.now` unless given. */
  readonly monotonic?: () => number;
  /** In [0,1). */
  readonly random: () => number;
  readonly uuid: () => string;
  /** Waits; by the real clock unless given. */
  readonly pause?: (ms: number) => Promise<void>;
}

/** Milliseconds since some moment of this process, by a clock that nobody sets. */
export function monotonic(ambient: Ambient): number {
  return ambient.monotonic ? ambient.monotonic() : performance.now();
}

/** Waits before something is tried again. */
export function pauseFor(ambient: Ambient, ms: number): Promise<void> {
  return ambient.pause ? ambient.pause(ms) : new Promise((resolve) => setTimeout(resolve, ms));
}

/**
 * A DynamoDB client for short requests: it gives up on a silent connection within seconds and retries throttling and
 * outages a few times with growing, jittered pauses. Region, credentials and endpoint come from the environment.
 *
 * @param silenceMs how long a connection may stay idle during a request; a slow upload is not idle
 */
export function createDynamoDb(silenceMs = 3_000): DynamoDBClient {
  return new DynamoDBClient({
    maxAttempts: 4,
    // Not requestTimeout, which only warns, and counts an upload's time too.
    requestHandler: { connectionTimeout: 1_000, socketTimeout: silenceMs },
  });
}
