import type { RateLimit } from './throttling/tokenBucket.ts';

/** Quotas and behavior of an AWS account in a region. The emulator refuses requests above a quota, as AWS does. */
export interface AwsProfile {
  readonly name: string;
  /** Lambda: invocations that run at once, of all functions together. */
  readonly concurrentExecutions: number;
  /** API Gateway: requests of all APIs together, those to `@connections` and messages of clients included. */
  readonly requests: RateLimit;
  /** API Gateway: WebSocket connections that are opened. */
  readonly newConnections: RateLimit;
  /** API Gateway: how long a request to `@connections` takes, in milliseconds. */
  readonly managementMs: number;
  /** The answer to a throttled message of a client. AWS does not document it. */
  readonly throttledMessage: 'nothing' | 'frame';
  /** Lambda: how long a new instance takes before its first call, in milliseconds; nothing unless a test says so. */
  readonly coldStartMs?: number;
  /**
   * Lambda: what a call takes of a whole virtual processor, in milliseconds; a function with less memory has less of one, and
   * takes longer. Nothing unless a test says so: then only this machine's own time counts.
   */
  readonly callVcpuMs?: number;
  /** DynamoDB: what a partition key serves, in units a second; without a bound unless a test says so. */
  readonly partitionUnits?: PartitionUnits;
}

/** Capacity units a second of one partition. AWS's own bound is 3,000 to read and 1,000 to write. */
export interface PartitionUnits {
  readonly read: number;
  readonly write: number;
}

/** AWS's default quotas, save in small regions, where a quarter of the requests pass. */
const defaults = {
  concurrentExecutions: 1_000,
  requests: { perSecond: 10_000, burst: 5_000 },
  newConnections: { perSecond: 500, burst: 500 },
  // Documented nowhere; users report 10 to 15.
  managementMs: 12,
  throttledMessage: 'nothing',
} as const;

/** Accounts as they are found; a test may change one: `{ ...awsProfiles.default, managementMs: 0 }`. */
export const awsProfiles = {
  /** Many accounts begin with so few executions; nothing of them can be reserved. */
  'new-account': { ...defaults, name: 'new-account', concurrentExecutions: 10 },
  default: { ...defaults, name: 'default' },
  /** After requests to AWS for ten times as much. The burst is AWS's to choose: half the rate, as of the default. */
  raised: {
    ...defaults,
    name: 'raised',
    concurrentExecutions: 10_000,
    requests: { perSecond: 100_000, burst: 50_000 },
    newConnections: { perSecond: 5_000, burst: 5_000 },
  },
} as const satisfies Record<string, AwsProfile>;
