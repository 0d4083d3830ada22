import { deployerPolicy } from '../../../infra/access/deployerPolicy.ts';
import { allow, type BootstrappedAccount, type Policy } from '../../../infra/access/policy.ts';

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
  return {
    Version,
    Statement: [
      ...Statement,
      // Reads stacks with their outputs, deletes them, and lists resources that they retain.
      allow(
        ['DescribeStacks', 'DeleteStack', 'DescribeStackEvents'].map((call) => `cloudformation:${call}`),
        [`arn:aws:cloudformation:*:${account}:stack/${deployment}-*`],
      ),
      // Creates the environment under load, and changes its flags.
      allow(
        ['GetItem', 'Query', 'PutItem', 'ConditionCheckItem', 'UpdateItem'].map((call) => `dynamodb:${call}`),
        [`arn:aws:dynamodb:*:${account}:table/${deployment}-*`],
      ),
      // Exchanges runs and measurements with the load generator.
      allow(['s3:PutObject', 's3:GetObject', 's3:DeleteObject'], [`arn:aws:s3:::${deployment.toLowerCase()}-*`]),
      allow(['ssm:SendCommand'], ['arn:aws:ssm:*::document/AWS-RunShellScript']),
      {
        ...allow(['ssm:SendCommand'], [`arn:aws:ec2:*:${account}:instance/*`]),
        Condition: { StringEquals: { 'ssm:resourceTag/stage': stage } },
      },
      allow(UNNAMED, ['*']),
    ],
  };
}
