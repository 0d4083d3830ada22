import { setTimeout as sleep } from 'node:timers/promises';
import { ListCommandInvocationsCommand, SendCommandCommand, type SSMClient } from '@aws-sdk/client-ssm';

/** The machines of a stage. */
interface Machines {
  readonly name: string;
  readonly stage: string;
  readonly systemsManager: Pick<SSMClient, 'send'>;
  /** Time between two checks of a command. */
  readonly pollMs?: number;
}

/** Checks of a command: half a minute. A machine that is not connected by then does not run it later. */
const POLLS = 10;
const START_TIMEOUT_S = 30;

/** What a machine did with a command. */
export interface CommandResult {
  readonly instance: string;
  readonly isDone: boolean;
  readonly output: string;
}

/** Runs a shell script on the machines of a stage. @returns nothing if no machine has ended it after half a minute */
export async function runOnHosts(machines: Machines, script: string): Promise<readonly CommandResult[]> {
  const { systemsManager, name, stage, pollMs = 3_000 } = machines;
  const { Command } = await systemsManager.send(
    new SendCommandCommand({
      DocumentName: 'AWS-RunShellScript',
      Targets: Object.entries({ app: name.toLowerCase(), stage }).map(([tag, value]) => ({
        Key: `tag:${tag}`,
        Values: [value],
      })),
      Parameters: { commands: [script] },
      TimeoutSeconds: START_TIMEOUT_S,
    }),
  );
  for (let n = 0; n < POLLS; n++) {
    await sleep(pollMs);
    const { CommandInvocations = [] } = await systemsManager.send(
      new ListCommandInvocationsCommand({ CommandId: Command?.CommandId, Details: true }),
    );
    const isOver = CommandInvocations.every(
      ({ Status = '' }) => !['Pending', 'InProgress', 'Delayed'].includes(Status),
    );
    if (CommandInvocations.length === 0 || !isOver) continue;
    return CommandInvocations.map(({ InstanceId = '', Status = '', CommandPlugins: [plugin] = [] }) => {
      const isDone = Status === 'Success';
      return { instance: InstanceId, isDone, output: plugin?.Output?.trim() || (isDone ? '' : Status) };
    });
  }
  return [];
}
