import { DEFAULT_QUALIFIER } from '../config/settingsSchema.ts';
import type { Template } from '../inProcess.ts';
import { GRANTS, isFirst } from './executionGrants.ts';
import { allow, type Policy, type Statement, type TaggedDeployment } from './policy.ts';

/**
 * Minimum number of characters of a stack's name in a generated name. CloudFormation cuts the names of stack and resource to about half of
 * the rest each if both do not fit with the suffix: 25 and 24 characters of 64 in https://github.com/convox/rack/issues/2297.
 */
const KEPT_CHARACTERS = 24;

/** Limit of a managed policy, without white space: https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_iam-quotas.html */
export const MOST_CHARACTERS = 6_144;

/**
 * The policies with which CloudFormation can create, change and delete the resources of templates, and no others. For `cdk bootstrap
 * --cloudformation-execution-policies`. Each has at most {@link MOST_CHARACTERS}.
 *
 * @param templates by stack name, `<prefix>-<stack>`
 * @throws Error for a resource type without an entry
 */
export function executionPolicies(
  templates: Readonly<Record<string, Template>>,
  { account = '*', bootstrapQualifier: qualifier = DEFAULT_QUALIFIER, name = '*', stage = '*' }: TaggedDeployment = {},
): Policy[] {
  const [first = ''] = Object.keys(templates);
  const prefix = first.slice(0, first.lastIndexOf('-') + 1);
  const prefixes = [prefix, prefix.toLowerCase()].filter(isFirst);
  const names = {
    account,
    qualifier,
    prefixes,
    cut: prefixes.map((each) => each.slice(0, KEPT_CHARACTERS)),
    tags: { app: name.toLowerCase(), stage },
    zones: zonesIn(templates),
  };
  const services = Object.values(templates)
    .flatMap(({ Resources }) => Object.values(Resources).map(({ Type }) => Type))
    .flatMap((type) => [type.split('::').slice(0, -1).join('::'), ...(GRANTS[type] ? [type] : [])])
    .filter(isFirst)
    .sort();
  const granted = services.flatMap((service) => {
    const grant = GRANTS[service];
    if (!grant)
      throw new Error(`No permission is known for resources of ${service}: add it in infra/access/executionGrants.ts.`);
    return grant(names);
  });
  // Several types need the same actions.
  const statements = [...new Map(granted.map((statement) => [JSON.stringify(statement), statement])).values()];
  // Templates read parameters, and with Fn::GetStackOutput other stacks of the deployment.
  const reads = allow(
    ['ssm:GetParameter*', 'cloudformation:DescribeStacks'],
    [
      'arn:aws:ssm:*:*:parameter/cdk-bootstrap/*',
      'arn:aws:ssm:*::parameter/aws/service/*',
      `arn:aws:cloudformation:*:*:stack/${prefix}*`,
    ],
  );
  const policies: Policy[] = [];
  for (const statement of [...statements, ...onKeys(templates), ...onSecrets(templates, account), reads]) {
    const { Statement: before = [] } = policies.pop() ?? {};
    const policy = (Statement: readonly Statement[]): Policy => ({ Version: '2012-10-17', Statement });
    const longer = policy([...before, statement]);
    if (JSON.stringify(longer).length <= MOST_CHARACTERS) policies.push(longer);
    else policies.push(policy(before), policy([statement]));
  }
  return policies;
}

/** The hosted zones in which templates have records. */
function zonesIn(templates: Readonly<Record<string, Template>>): string[] {
  return Object.values(templates)
    .flatMap(({ Resources }) => Object.values(Resources))
    .flatMap(({ Type, Properties }) => (Type === 'AWS::Route53::RecordSet' ? String(Properties?.['HostedZoneId']) : []))
    .filter(isFirst);
}

/**
 * Services require these permissions of a role that creates resources with a customer managed key. DynamoDB and Firehose create grants.
 *
 * Sources: the schema of AWS::DynamoDB::GlobalTable, and
 * https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/encryption.usagenotes.html
 */
function onKeys(templates: Readonly<Record<string, Template>>): Statement[] {
  const keys = JSON.stringify(templates).match(/arn:aws[\w-]*:kms:[\w-]+:\d{12}:key\/[\w-]+/g) ?? [];
  if (keys.length === 0) return [];
  const actions = ['CreateGrant', 'Decrypt', 'DescribeKey', 'Encrypt', 'GenerateDataKey*', 'ReEncrypt*', 'RevokeGrant'];
  return [
    allow(
      actions.map((action) => `kms:${action}`),
      keys.filter(isFirst),
    ),
    allow(['kms:ListAliases'], ['*']),
  ];
}

/** CloudFormation reads the secrets that templates name, whose ARNs end with six random characters. */
function onSecrets(templates: Readonly<Record<string, Template>>, account: string): Statement[] {
  const named = [...JSON.stringify(templates).matchAll(/{{resolve:secretsmanager:([^:}]+)/g)];
  const arns = named.map(([, name]) => `arn:aws:secretsmanager:*:${account}:secret:${name}-??????`).filter(isFirst);
  return arns.length === 0 ? [] : [allow(['secretsmanager:GetSecretValue'], arns)];
}
