import { deployerPolicy } from '../../../infra/access/deployerPolicy.ts';
import { allow, type BootstrappedAccount, type Policy } from '../../../infra/access/policy.ts';

/** The calls of a comparison in AWS, in addition to the calls of the deployment. */
const CALLS = {
  // Reads stacks with their outputs, deletes them, and lists resources that they retain.
  cloudformation: ['DescribeStacks', 'DeleteStack', 'DescribeStackEvents'],
  // Creates the environment under load, and changes its flags.
  dynamodb: ['GetItem', 'Query', 'PutItem', 'ConditionCheckItem', 'UpdateItem'],
  // Exchanges runs and measurements with the load generator.
  s3: ['PutObject', 'GetObject', 'DeleteObject'],
  ssm: ['SendCommand'],
} as const;

/** Calls that support no narrower resource: metrics of the host, and commands on the load generator. */
const UNNAMED = [
  'cloudwatch:GetMetricData',
  ...['DescribeInstanceInformation', 'GetCommandInvocation', 'CancelCommand'].map((call) => `ssm:${call}`),
];

/**
 * The policy for a comparison in AWS: the policy of a deployment, and the calls of the comparison.
 *
 * @param deployment `Flagwire-compare`
 * @param stage the tag of its machines
 */
export function comparisonPolicy(deployment: string, stage: string, of: BootstrappedAccount = {}): Policy {
  const { Version, Statement } = deployerPolicy(of);
  const { account = '*' } = of;
  const on = (service: keyof typeof CALLS, resource: string) =>
    allow(
      CALLS[service].map((call) => `${service}:${call}`),
      [resource],
    );
  return {
    Version,
    Statement: [
      ...Statement,
      on('cloudformation', `arn:aws:cloudformation:*:${account}:stack/${deployment}-*`),
      on('dynamodb', `arn:aws:dynamodb:*:${account}:table/${deployment}-*`),
      on('s3', `arn:aws:s3:::${deployment.toLowerCase()}-*`),
      on('ssm', 'arn:aws:ssm:*::document/AWS-RunShellScript'),
      {
        ...on('ssm', `arn:aws:ec2:*:${account}:instance/*`),
        Condition: { StringEquals: { 'ssm:resourceTag/stage': stage } },
      },
      allow(UNNAMED, ['*']),
    ],
  };
}
