import { setTimeout as sleep } from 'node:timers/promises';
import type { S3Client } from '@aws-sdk/client-s3';
import {
  CancelCommandCommand,
  DescribeInstanceInformationCommand,
  GetCommandInvocationCommand,
  InvocationDoesNotExist,
  SendCommandCommand,
  type SSMClient,
} from '@aws-sdk/client-ssm';
import type { Control } from '../../runner/progress.ts';

/** The load generator of the Host stack, and the clients to reach it. */
export interface GeneratorAccess {
  readonly instanceId: string;
  readonly bucket: string;
  readonly ssm: SSMClient;
  readonly s3: S3Client;
  /** Time between two polls of a run. */
  readonly pollMs: number;
}

/** Polls without an answer after which a run counts as lost, or a machine as unreachable: five minutes. */
const LOST_POLLS = 60;

/** Time after the end of a plan: to download, to install artillery, to upload the measurements. */
const GRACE_S = 600;

/** Waits until Systems Manager reaches the machine. @throws Error after {@link LOST_POLLS} */
export async function awaitAgent({ ssm, instanceId, pollMs }: GeneratorAccess, signal: AbortSignal): Promise<void> {
  const asked = new DescribeInstanceInformationCommand({ Filters: [{ Key: 'InstanceIds', Values: [instanceId] }] });
  for (let polls = 0; polls < LOST_POLLS; polls++) {
    // If the status cannot be read, the next command reports the error.
    const status = await ssm.send(asked).then(
      ({ InstanceInformationList: [found] = [] }) => found?.PingStatus,
      () => 'unknown',
    );
    if (status === 'Online' || status === 'unknown') return;
    await sleep(pollMs, undefined, { signal });
  }
  const minutes = Math.round((LOST_POLLS * pollMs) / 60_000);
  throw new Error(
    `Systems Manager does not reach the load generator ${instanceId} within ${minutes} minutes. Look at its system log.`,
  );
}

/** Runs a script on the machine, and cancels it after an error. @throws Error with the end of its output, if it failed */
export async function runOnMachine(
  { ssm, instanceId, pollMs }: GeneratorAccess,
  commands: readonly string[],
  durationS: number,
  { progress, signal }: Control,
): Promise<void> {
  const timeout = Math.ceil(durationS + GRACE_S);
  const { Command } = await ssm.send(
    new SendCommandCommand({
      DocumentName: 'AWS-RunShellScript',
      InstanceIds: [instanceId],
      TimeoutSeconds: 120,
      Parameters: { commands: [...commands], executionTimeout: [String(timeout)] },
    }),
  );
  const CommandId = Command?.CommandId;
  const look = () => ssm.send(new GetCommandInvocationCommand({ CommandId, InstanceId: instanceId }));
  const began = Date.now();
  try {
    for (let unanswered = 0; ; ) {
      await sleep(pollMs, undefined, { signal });
      const found = await look().catch((error: Error & { $metadata?: { httpStatusCode?: number } }) => {
        // The invocation appears with a delay, and the network can fail temporarily.
        const isPassing = error instanceof InvocationDoesNotExist || error.$metadata?.httpStatusCode === undefined;
        if (!isPassing || ++unanswered > LOST_POLLS) throw error;
        return undefined;
      });
      if (found) unanswered = 0;
      const { Status = 'Pending', StandardErrorContent = '' } = found ?? {};
      if (Status === 'Success') return;
      if (!['Pending', 'InProgress', 'Delayed'].includes(Status))
        throw new Error(`the load generator ended with ${Status}: ${StandardErrorContent.trim().slice(-1_000)}`);
      const elapsed = Math.round((Date.now() - began) / 1_000);
      if (elapsed > timeout) throw new Error(`the load generator did not end within ${timeout} s.`);
      progress.say(`  the load generator: ${Status}, ${elapsed} of about ${Math.round(durationS)} s`);
    }
  } catch (error) {
    await ssm.send(new CancelCommandCommand({ CommandId })).catch(() => {});
    throw error;
  }
}
