import { type AwsProfile, awsProfiles } from '../emulator/awsProfiles.ts';
import type { RateLimit } from '../emulator/throttling/tokenBucket.ts';

/** Names of the AWS accounts that can be played. */
export type AccountName = keyof typeof awsProfiles;

/**
 * Times of AWS in milliseconds, where the emulator only has those of this machine: a call's part of a whole virtual processor, as
 * measured of a data-sync (docs/results/functions.json), and the start of an instance, as the cost model expects it.
 */
const AWS_TIMES = { callVcpuMs: 3, coldStartMs: 500 };

/** How an account is played. */
interface Played {
  /** The part of its quotas that it has: one machine cannot reach all of them. */
  readonly quotas: number;
  /** Whether functions take as long as on AWS. */
  readonly awsTimes?: boolean;
}

/** The account of a name, as it is played. */
export function playedAccount(name: AccountName, { quotas, awsTimes = false }: Played): AwsProfile {
  const account: AwsProfile = awsProfiles[name];
  const part = (limit: RateLimit) => ({ perSecond: limit.perSecond * quotas, burst: limit.burst * quotas });
  return {
    ...account,
    ...(quotas === 1 ? {} : { name: `${name}, ${quotas} of its quotas` }),
    concurrentExecutions: Math.max(1, Math.round(account.concurrentExecutions * quotas)),
    requests: part(account.requests),
    newConnections: part(account.newConnections),
    ...(awsTimes ? AWS_TIMES : {}),
  };
}

/** What an account lets pass, in a line. */
export function describeAccount({ concurrentExecutions, requests, newConnections }: AwsProfile): string {
  const [executions, perSecond, connections] = [concurrentExecutions, requests.perSecond, newConnections.perSecond].map(
    (count) => count.toLocaleString('en'),
  );
  return `${executions} Lambda executions at once, ${perSecond} requests and ${connections} new connections a second`;
}

/** The accounts, for the help. */
export function accountsHelp(): string {
  const lines = Object.values(awsProfiles).map((profile) => `  ${profile.name.padEnd(13)}${describeAccount(profile)}`);
  return ['Accounts of --aws, beyond which it refuses as AWS does:', ...lines].join('\n');
}
