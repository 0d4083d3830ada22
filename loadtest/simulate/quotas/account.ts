import { type AwsProfile, awsProfiles } from '../../../dev/emulator/awsProfiles.ts';
import type { RateLimit } from '../../../dev/emulator/throttling/tokenBucket.ts';
import type { LambdaLimits } from './lambdaAccount.ts';

/** Units a second of a table. */
export interface TableLimits {
  readonly reads: number;
  readonly writes: number;
  /** Of one partition, and so of one partition key at most. */
  readonly partitionReads: number;
  readonly partitionWrites: number;
}

/** What bounds the service in an account and region. */
export interface Account {
  readonly name: string;
  /** API Gateway: everything that is asked of it, those to `@connections` included. */
  readonly requests: RateLimit;
  readonly newConnections: RateLimit;
  readonly lambda: LambdaLimits;
  readonly table: TableLimits;
}

const LAMBDA_SCALING = 'https://docs.aws.amazon.com/lambda/latest/dg/scaling-behavior.html';
const LAMBDA_LIMITS = 'https://docs.aws.amazon.com/lambda/latest/dg/lambda-concurrency.html';
const TABLE_LIMITS = 'https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/ServiceQuotas.html';
const API_LIMITS = 'https://docs.aws.amazon.com/apigateway/latest/developerguide/limits.html';
const SOCKET_LIMITS =
  'https://docs.aws.amazon.com/apigateway/latest/developerguide/apigateway-execution-service-websocket-limits-table.html';

/** Where the quotas of an account are documented. */
export const QUOTA_SOURCES: Readonly<Record<string, string>> = {
  'requests a second and at once': API_LIMITS,
  'new connections a second': SOCKET_LIMITS,
  'concurrent executions, ten calls a second for each': LAMBDA_LIMITS,
  '1,000 new instances of a function each ten seconds': LAMBDA_SCALING,
  'read and write units a second of a new table and of a partition': TABLE_LIMITS,
};

/** What no request to AWS changes: how fast functions grow, and what one partition serves. */
const FIXED = {
  lambda: { scaling: { perSecond: 100, burst: 1_000 }, callsPerExecution: 10 },
  partition: { partitionReads: 3_000, partitionWrites: 1_000 },
} as const;

/** What a table that is new takes; more by warm throughput, up to 40,000 of each without a request to AWS. */
const NEW_TABLE = { reads: 12_000, writes: 4_000 };

/** An account as the emulator plays it, with what the emulator does not bound. */
export function accountOf(profile: AwsProfile, table: Pick<TableLimits, 'reads' | 'writes'> = NEW_TABLE): Account {
  const { name, requests, newConnections, concurrentExecutions } = profile;
  return {
    name,
    requests,
    newConnections,
    lambda: { concurrentExecutions, ...FIXED.lambda },
    table: { ...table, ...FIXED.partition },
  };
}

/** The accounts by name: those that `npm start -- --aws` plays. */
export const ACCOUNTS = {
  'new-account': accountOf(awsProfiles['new-account']),
  default: accountOf(awsProfiles.default),
  raised: accountOf(awsProfiles.raised, { reads: 40_000, writes: 40_000 }),
} as const;

/** Quotas that are asked for, in place of an account's own. */
export interface Raised {
  readonly requests?: number;
  readonly newConnections?: number;
  readonly concurrency?: number;
  readonly tableWrites?: number;
}

/** An account with other quotas. The bursts are AWS's to choose: in the same proportion as before. */
export function raisedTo(account: Account, { requests, newConnections, concurrency, tableWrites }: Raised): Account {
  const scaled = ({ perSecond, burst }: RateLimit, to = perSecond): RateLimit => ({
    perSecond: to,
    burst: (burst / perSecond) * to,
  });
  return {
    ...account,
    requests: scaled(account.requests, requests),
    newConnections: scaled(account.newConnections, newConnections),
    lambda: { ...account.lambda, concurrentExecutions: concurrency ?? account.lambda.concurrentExecutions },
    table: { ...account.table, writes: tableWrites ?? account.table.writes },
  };
}
