import type { ITableV2 } from 'aws-cdk-lib/aws-dynamodb';
import { ManagedPolicy, PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { CfnOutput, Stack } from 'aws-cdk-lib/core';
import { Construct } from 'constructs';
import type { OperatorSettings } from '../../config/config.ts';
import { acknowledgeAll, acknowledgePattern } from '../acknowledge.ts';
import { onItems, READING } from '../onItems.ts';
import { changingEnvironment } from './environmentGrants.ts';

/** The resources that operators use. */
export interface PolicyScope {
  readonly flags: ITableV2;
  readonly connections: ITableV2;
  /** Absent if nothing is counted. */
  readonly usage: ITableV2 | undefined;
  /** ARN patterns of the stacks whose outputs name everything. Empty for those who need no names. */
  readonly stacks: readonly string[];
}

/** Attributes of connections for counting, and of the reports of hosts, by partition key. */
const COUNTED = {
  // Version 0.2.0 of the console and of the command line reads `unanswerable`.
  'CONN#*':
    'pk sk type behind unanswerable firstRequestedAt leaseUntil sentTo version servedTo rounds delivering servedId begunId'.split(
      ' ',
    ),
  'HOST#*': ['pk', 'sk', 'leaseUntil', 'servedTo', 'newest', 'open', 'served', 'behind', 'rounds', 'expiresAt'],
};

/** Partition keys of the flags table that the console and the command line read, except secrets and relays. */
const READABLE = ['SERVICE', 'TIER', 'HOSTS', 'ENVIRONMENTS', 'ENV#*', 'VERSION#*', 'JOURNAL#*', 'HISTORY#*', 'PLAN#*'];
const ALL = [...READABLE, 'DUE', 'GUARD#*', 'HOOK#*', 'SNAPSHOT#*', 'SECRET#*', 'RELAYS'];

/**
 * Adds managed policies for users of the console or the command line: a viewer, an editor of each named environment, and an administrator.
 * They are attached to no one. Outputs name them.
 *
 * A user who may change flags may add to the history, but not delete from it. IAM cannot distinguish a new item from one that replaces
 * another, so an editor could overwrite an entry (docs/console.md).
 */
export function addOperatorPolicies(
  parent: Construct,
  { flags, connections, usage }: Pick<PolicyScope, 'flags' | 'connections' | 'usage'>,
  { stackNames, editorEnvironments }: OperatorSettings & { readonly stackNames: readonly string[] },
): void {
  const scope = new Construct(parent, 'Operators');
  // The name ends before the slash, so that stacks of another stage do not match.
  const stacks = stackNames.map((stack) =>
    Stack.of(scope).formatArn({ service: 'cloudformation', resource: 'stack', resourceName: `${stack}/*` }),
  );
  const workplace = { flags, connections, usage, stacks };
  const add = (name: string, right: string, statements: PolicyStatement[]) => {
    // Fixed: CloudFormation replaces a policy whose description changes.
    const description = `Flagwire: whoever has this ${right}`;
    const policy = new ManagedPolicy(scope, name, { description, statements });
    acknowledgeAll(
      policy,
      'CloudWatch has no narrower resource for reading metrics. GetMetricData and DescribeAlarms change nothing.',
    );
    for (const stack of stacks) acknowledgePattern(policy, stack, 'CloudFormation adds an id to the name of a stack.');
    new CfnOutput(scope, `${name}Arn`, { value: policy.managedPolicyArn, description });
  };
  add('Viewer', 'sees all environments, and changes nothing', viewing(workplace));
  for (const envId of editorEnvironments) {
    const may = `changes flags and segments of environment ${envId}, and sees all`;
    add(editorName(envId), may, editing(workplace, envId));
  }
  add('Administrator', 'does everything: environments, secrets and relays too', administering(workplace));
}

/** The name of an environment's editor in ids of resources. */
export function editorName(envId: string): string {
  return `Editor${envId.replaceAll('-', '')}`;
}

/** What a viewer may do: see all environments. */
export function viewing(scope: PolicyScope): PolicyStatement[] {
  return reading(scope, READABLE);
}

/** What an editor of one environment may do: see all, and change its flags and segments. */
export function editing(scope: PolicyScope, envId: string): PolicyStatement[] {
  return [...reading(scope, [...READABLE, `HOOK#${envId}`]), changingEnvironment(scope.flags, envId)];
}

/** What an administrator may do: everything, also environments, secrets and relays. */
export function administering(scope: PolicyScope): PolicyStatement[] {
  return [
    ...reading(scope, ALL),
    onItems(scope.flags, ['dynamodb:PutItem', 'dynamodb:DeleteItem'], ALL),
    // To delete hosts that have ended.
    onItems(scope.connections, ['dynamodb:DeleteItem'], ['HOST#*']),
  ];
}

/**
 * Permission to count connections by type and by missing changes, without their users, who may be persons.
 */
function reading({ flags, connections, usage, stacks }: PolicyScope, families: string[]): PolicyStatement[] {
  return [
    onItems(flags, READING, families),
    ...Object.entries(COUNTED).map(([family, attributes]) => {
      const statement = onItems(connections, ['dynamodb:Query'], [family]);
      statement.addCondition('ForAllValues:StringEquals', { 'dynamodb:Attributes': attributes });
      statement.addCondition('StringEquals', { 'dynamodb:Select': 'SPECIFIC_ATTRIBUTES' });
      return statement;
    }),
    new PolicyStatement({ actions: ['cloudwatch:DescribeAlarms', 'cloudwatch:GetMetricData'], resources: ['*'] }),
    ...(stacks.length > 0
      ? [new PolicyStatement({ actions: ['cloudformation:DescribeStacks'], resources: [...stacks] })]
      : []),
    ...(usage ? [onItems(usage, READING, ['USAGE#*'])] : []),
  ];
}
