import { DEFAULT_QUALIFIER } from '../config/settingsSchema.ts';
import type { Template } from '../inProcess.ts';
import { GRANTS } from './executionGrants.ts';
import { allow, type Deployment, type Policy, type Statement } from './policy.ts';

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
  { account = '*', bootstrapQualifier: qualifier = DEFAULT_QUALIFIER, name: app = '*', stage = '*' }: Deployment = {},
): Policy[] {
  const [stack = ''] = Object.keys(templates);
  const name = stack.slice(0, stack.lastIndexOf('-') + 1).slice(0, KEPT_CHARACTERS);
  const values = { account, qualifier, name, lowercase: name.toLowerCase(), app: app.toLowerCase(), stage };
  const statements = [...grantsFor(templates), ...onReferences(templates)];
  const filled = JSON.stringify(statements).replaceAll(
    /<(account|qualifier|name|lowercase|app|stage)>/g,
    (_, key: keyof typeof values) => values[key],
  );
  const policies: Policy[] = [];
  for (const statement of JSON.parse(filled) as Statement[]) {
    const { Statement: before = [] } = policies.pop() ?? {};
    const policy = (Statement: readonly Statement[]): Policy => ({ Version: '2012-10-17', Statement });
    const longer = policy([...before, statement]);
    if (JSON.stringify(longer).length <= MOST_CHARACTERS) policies.push(longer);
    else policies.push(policy(before), policy([statement]));
  }
  return policies;
}

function grantsFor(templates: Readonly<Record<string, Template>>): Statement[] {
  const types = resourcesIn(templates).flatMap(({ Type }) => [
    Type.split('::').slice(0, -1).join('::'),
    ...(GRANTS[Type] ? [Type] : []),
  ]);
  return [...new Set(types)].sort().flatMap((type) => {
    const grant = GRANTS[type];
    if (grant) return grant;
    throw new Error(`No permission is known for resources of ${type}: add it in infra/access/executionGrants.ts.`);
  });
}

function resourcesIn(templates: Readonly<Record<string, Template>>) {
  return Object.values(templates).flatMap(({ Resources }) => Object.values(Resources));
}

/**
 * What templates refer to: hosted zones of their records, customer managed keys, secrets (whose ARNs end with six random characters),
 * parameters, and with Fn::GetStackOutput other stacks of the deployment. DynamoDB and Firehose create grants on keys.
 *
 * Sources: the schema of AWS::DynamoDB::GlobalTable, and
 * https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/encryption.usagenotes.html
 */
function onReferences(templates: Readonly<Record<string, Template>>): Statement[] {
  const text = JSON.stringify(templates);
  const unique = (arns: Iterable<string>) => [...new Set(arns)];
  const records = resourcesIn(templates).filter(({ Type }) => Type === 'AWS::Route53::RecordSet');
  const zones = unique(records.map(({ Properties }) => `arn:aws:route53:::hostedzone/${Properties?.['HostedZoneId']}`));
  const keys = unique(text.match(/arn:aws[\w-]*:kms:[\w-]+:\d{12}:key\/[\w-]+/g) ?? []);
  const secrets = unique(
    [...text.matchAll(/{{resolve:secretsmanager:([^:}]+)/g)].map(
      ([, name]) => `arn:aws:secretsmanager:*:<account>:secret:${name}-??????`,
    ),
  );
  const all = [
    allow('route53', 'ChangeResourceRecordSets GetHostedZone ListResourceRecordSets', zones),
    allow('kms', 'CreateGrant Decrypt DescribeKey Encrypt GenerateDataKey* ReEncrypt* RevokeGrant', keys),
    allow('kms', 'ListAliases', keys.length > 0 ? ['*'] : []),
    allow('secretsmanager', 'GetSecretValue', secrets),
    allow('ssm', 'GetParameter*', [
      'arn:aws:ssm:*:*:parameter/cdk-bootstrap/*',
      'arn:aws:ssm:*::parameter/aws/service/*',
    ]),
    allow('cloudformation', 'DescribeStacks', ['arn:aws:cloudformation:*:*:stack/<name>*']),
  ];
  return all.filter(({ Resource }) => Resource.length > 0);
}
