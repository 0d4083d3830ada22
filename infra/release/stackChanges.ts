import { styleText } from 'node:util';
import {
  type Change,
  type CloudFormationClient,
  CreateChangeSetCommand,
  type CreateChangeSetCommandInput,
  DeleteChangeSetCommand,
  DescribeChangeSetCommand,
  DescribeStacksCommand,
  paginateDescribeChangeSet,
  paginateDescribeStackEvents,
  type Stack,
  type StackEvent,
} from '@aws-sdk/client-cloudformation';

/** CloudFormation, and the time between two requests for its state. */
export interface CloudFormationDeps {
  readonly cloudFormation: CloudFormationClient;
  readonly pause: () => Promise<unknown>;
}

/** @returns undefined if there is no such stack */
export async function readStack({ cloudFormation }: CloudFormationDeps, name: string): Promise<Stack | undefined> {
  const missing = (error: Error) => {
    if (/does not exist/.test(error.message)) return { Stacks: [] };
    throw error;
  };
  return (await cloudFormation.send(new DescribeStacksCommand({ StackName: name })).catch(missing)).Stacks?.[0];
}

/**
 * Creates a change set, and waits for it.
 *
 * @returns its changes. Without changes, the change set is deleted
 * @throws Error with the reason of CloudFormation
 */
export async function createChangeSet(
  { cloudFormation: client, pause }: CloudFormationDeps,
  input: CreateChangeSetCommandInput & { readonly StackName: string; readonly ChangeSetName: string },
): Promise<readonly Change[]> {
  const { StackName, ChangeSetName } = input;
  await client.send(new CreateChangeSetCommand(input));
  for (;;) {
    const { Status, StatusReason = '' } = await client.send(new DescribeChangeSetCommand({ StackName, ChangeSetName }));
    if (Status === 'CREATE_COMPLETE') break;
    if (Status === 'FAILED') {
      await client.send(new DeleteChangeSetCommand({ StackName, ChangeSetName }));
      if (/didn't contain changes|No updates are to be performed/.test(StatusReason)) return [];
      throw new Error(`CloudFormation refuses the template: ${StatusReason}`);
    }
    await pause();
  }
  const changes: Change[] = [];
  for await (const page of paginateDescribeChangeSet({ client }, { StackName, ChangeSetName }))
    changes.push(...(page.Changes ?? []));
  return changes;
}

const VERBS = ['replace', 'may replace', 'remove', 'change', 'add'];

function verbOf({ Action, Replacement }: NonNullable<Change['ResourceChange']>): string {
  if (Action === 'Add') return 'add';
  if (Action === 'Remove') return 'remove';
  return { True: 'replace', Conditional: 'may replace' }[String(Replacement)] ?? 'change';
}

/** Changes by verb and type, one line each. A replaced or removed table or bucket is red. */
export function describeChanges(changes: readonly Change[]): string[] {
  const all = changes.flatMap(({ ResourceChange: change }) => (change ? { ...change, verb: verbOf(change) } : []));
  const groups = Map.groupBy(all, ({ verb, ResourceType }) => `${VERBS.indexOf(verb)} ${ResourceType}`);
  return [...groups].sort().map(([, group]) => {
    const [{ verb = '', ResourceType: type = '' } = {}] = group;
    const line = `  ${verb.padEnd(11)} ${String(group.length).padStart(3)} ${type}`;
    if (verb === 'add' || verb === 'change') return line;
    const named = `${line} (${group.map(({ LogicalResourceId }) => LogicalResourceId).join(', ')})`;
    if (!/^AWS::(DynamoDB::(Global)?Table|S3::Bucket)$/.test(type)) return named;
    return styleText('red', `${named}: the service would not use its data any more`, { stream: process.stderr });
  });
}

/** Events of a stack that are not known, oldest first. The known ones are older. @param known their ids */
async function readEvents(
  { cloudFormation: client }: CloudFormationDeps,
  StackName: string,
  known: ReadonlySet<string>,
): Promise<StackEvent[]> {
  const events: StackEvent[] = [];
  for await (const { StackEvents = [] } of paginateDescribeStackEvents({ client }, { StackName })) {
    const fresh = StackEvents.filter(({ EventId = '' }) => !known.has(EventId));
    events.unshift(...fresh.toReversed());
    if (fresh.length < StackEvents.length) break;
  }
  return events;
}

/**
 * Reports events of a stack until its deployment ends, then the first reasons of a failure.
 *
 * @param known ids of earlier events
 * @param changed logical ids of the resources that change
 */
export async function followStack(
  deps: CloudFormationDeps & { readonly say: (line: string) => void },
  name: string,
  known: ReadonlySet<string>,
  changed: ReadonlySet<string>,
): Promise<Stack | undefined> {
  const seen = new Set(known);
  const finished = new Set<string>();
  const reasons: string[] = [];
  for (let hasEnded = false; ; await deps.pause()) {
    for (const event of await readEvents(deps, name, seen)) {
      const { EventId = '', LogicalResourceId: id = '', ResourceType: type, ResourceStatus: status = '' } = event;
      const { ResourceStatusReason: reason = '' } = event;
      seen.add(EventId);
      // A stack that is not updated yet has the status of the deployment before. Its events are of this one.
      if (type === 'AWS::CloudFormation::Stack') hasEnded = !status.endsWith('_IN_PROGRESS');
      else if (status.endsWith('_FAILED') && !/cancelled/i.test(reason)) reasons.push(`  ${type} ${id}: ${reason}`);
      else if (status.endsWith('_COMPLETE') && changed.has(id)) {
        finished.add(id);
        deps.say(`  ${String(finished.size).padStart(3)} of ${changed.size}  ${status}  ${type} ${id}`);
      }
    }
    const stack = hasEnded ? await readStack(deps, name) : undefined;
    if (!hasEnded || stack?.StackStatus?.endsWith('_IN_PROGRESS')) continue;
    for (const line of reasons.slice(0, 3)) deps.say(line);
    return stack;
  }
}
