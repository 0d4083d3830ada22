/** What an AWS account allows in a region: beyond it, the emulator refuses as AWS does. */
export interface AwsProfile {
  readonly name: string;
  /** Lambda: invocations that run at once, of all functions together. */
  readonly concurrentExecutions: number;
}

/** Accounts as they are found; each can be changed for a test (`{ ...awsProfiles.default, concurrentExecutions: 2 }`). */
export const awsProfiles = {
  /** Many accounts of recent years begin with so few executions; nothing of them can be reserved. */
  'new-account': { name: 'new-account', concurrentExecutions: 10 },
  /** AWS's default quotas. */
  default: { name: 'default', concurrentExecutions: 1_000 },
  /** After requests to AWS for more. */
  raised: { name: 'raised', concurrentExecutions: 10_000 },
} as const satisfies Record<string, AwsProfile>;
