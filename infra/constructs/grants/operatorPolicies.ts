import type { ITableV2 } from 'aws-cdk-lib/aws-dynamodb';
import { ManagedPolicy, PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { CfnOutput, Stack } from 'aws-cdk-lib/core';
import { Construct } from 'constructs';
import type { OperatorSettings } from '../../config/config.ts';
import { acknowledgeAll, acknowledgePattern } from '../acknowledge.ts';
import { changingEnvironment, onItems } from './environmentGrants.ts';

/** The resources that operators use. */
interface PolicyScope {
  readonly flags: ITableV2;
  readonly connections: ITableV2;
  /** Absent if nothing is counted. */
  readonly usage: ITableV2 | undefined;
  /** ARN patterns of the stacks whose outputs name everything. */
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
 * Managed policies for users of the console or the command line: a viewer, an editor of each named environment, and an administrator. They
 * are attached to no one. Outputs name them.
 *
 * A user who may change flags may add to the history, but not delete from it. IAM cannot distinguish a new item from one that replaces
 * another, so an editor could overwrite an entry (docs/console.md).
 */
export class OperatorPolicies extends Construct {
  constructor(
    scope: Construct,
    id: string,
    tables: Pick<PolicyScope, 'flags' | 'connections' | 'usage'>,
    { stackNames, editorEnvironments }: OperatorSettings & { readonly stackNames: readonly string[] },
  ) {
    super(scope, id);
    const { flags, connections, usage } = tables;
    const workplace = {
      flags,
      connections,
      usage,
      // The name ends before the slash, so that stacks of another stage do not match.
      stacks: stackNames.map((stack) =>
        Stack.of(this).formatArn({ service: 'cloudformation', resource: 'stack', resourceName: `${stack}/*` }),
      ),
    };
    this.#policy('Viewer', 'sees all environments, and changes nothing', workplace, [...reading(workplace, READABLE)]);
    for (const envId of editorEnvironments) {
      const name = `Editor${envId.replaceAll('-', '')}`;
      this.#policy(name, `changes flags and segments of environment ${envId}, and sees all`, workplace, [
        ...reading(workplace, [...READABLE, `HOOK#${envId}`]),
        changingEnvironment(workplace.flags, envId),
      ]);
    }
    this.#policy('Administrator', 'does everything: environments, secrets and relays too', workplace, [
      ...reading(workplace, ALL),
      onItems(workplace.flags, ['dynamodb:PutItem', 'dynamodb:DeleteItem'], ALL),
      // To delete hosts that have ended.
      onItems(workplace.connections, ['dynamodb:DeleteItem'], ['HOST#*']),
    ]);
  }

  #policy(name: string, whoever: string, { stacks }: PolicyScope, statements: PolicyStatement[]): void {
    const description = `Flagwire: whoever has this ${whoever}`;
    const policy = new ManagedPolicy(this, name, { description, statements });
    acknowledgeAll(
      policy,
      'CloudWatch has no narrower resource for reading metrics. GetMetricData and DescribeAlarms change nothing.',
    );
    for (const stack of stacks) acknowledgePattern(policy, stack, 'CloudFormation adds an id to the name of a stack.');
    new CfnOutput(this, `${name}Arn`, { value: policy.managedPolicyArn, description });
  }
}

/**
 * Permission to count connections by type and by missing changes, without their users, who may be persons.
 */
function reading({ flags, connections, usage, stacks }: PolicyScope, families: string[]): PolicyStatement[] {
  return [
    onItems(flags, ['dynamodb:GetItem', 'dynamodb:Query'], families),
    ...Object.entries(COUNTED).map(([family, attributes]) => {
      const statement = onItems(connections, ['dynamodb:Query'], [family]);
      statement.addCondition('ForAllValues:StringEquals', { 'dynamodb:Attributes': attributes });
      statement.addCondition('StringEquals', { 'dynamodb:Select': 'SPECIFIC_ATTRIBUTES' });
      return statement;
    }),
    new PolicyStatement({ actions: ['cloudwatch:DescribeAlarms', 'cloudwatch:GetMetricData'], resources: ['*'] }),
    new PolicyStatement({ actions: ['cloudformation:DescribeStacks'], resources: [...stacks] }),
    ...(usage ? [onItems(usage, ['dynamodb:GetItem', 'dynamodb:Query'], ['USAGE#*'])] : []),
  ];
}
