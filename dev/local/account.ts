import { type AwsProfile, awsProfiles } from '../emulator/awsProfiles.ts';
import type { RateLimit } from '../emulator/throttling/tokenBucket.ts';

/** Names of the AWS accounts that can be emulated. */
export type AccountName = keyof typeof awsProfiles;

/**
 * Times of AWS in milliseconds, where the emulator only has those of this machine: a call's part of a whole virtual processor, which is
 * the 1.7 ms of a data-sync (docs/results/functions.json) with the cost model's worst factor of 2, and the start of an instance, as the
 * model expects it.
 */
const AWS_TIMES = { callVcpuMs: 3.4, coldStartMs: 500 };

/** Options of an emulated account. */
interface EmulationOptions {
  /** The fraction of its quotas: one machine cannot reach all of them. */
  readonly quotas: number;
  /** True if functions take as long as on AWS. */
  readonly awsTimes?: boolean;
}

/** The emulated account of a name. */
export function emulatedAccount(name: AccountName, { quotas, awsTimes = false }: EmulationOptions): AwsProfile {
  const account: AwsProfile = awsProfiles[name];
  const part = (quota: number) => Math.max(1, Math.round(quota * quotas));
  const partOf = ({ perSecond, burst }: RateLimit) => ({ perSecond: part(perSecond), burst: part(burst) });
  return {
    ...account,
    ...(quotas === 1 ? {} : { name: `${name}, ${quotas} of its quotas` }),
    concurrentExecutions: part(account.concurrentExecutions),
    requests: partOf(account.requests),
    newConnections: partOf(account.newConnections),
    ...(awsTimes ? AWS_TIMES : {}),
  };
}

/** The limits of an account, in a line. */
export function describeAccount({ concurrentExecutions, requests, newConnections }: AwsProfile): string {
  const [executions, perSecond, connections] = [concurrentExecutions, requests.perSecond, newConnections.perSecond].map(
    (count) => count.toLocaleString('en'),
  );
  return `${executions} concurrent Lambda executions, ${perSecond} requests/s, ${connections} new connections/s`;
}

/** The accounts, for the help. */
export function accountsHelp(): string {
  const lines = Object.values(awsProfiles).map((profile) => `  ${profile.name.padEnd(13)}${describeAccount(profile)}`);
  return ['Limits of each --aws account. Requests above a limit are refused, as on AWS:', ...lines].join('\n');
}
