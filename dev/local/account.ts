import { type AwsProfile, awsProfiles } from '../emulator/awsProfiles.ts';

/** Names of the AWS accounts that can be played. */
export type AccountName = keyof typeof awsProfiles;

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
