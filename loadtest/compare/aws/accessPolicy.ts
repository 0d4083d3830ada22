import { deployerPolicy } from '../../../infra/access/deployerPolicy.ts';
import { allow, type BootstrappedAccount, type Policy } from '../../../infra/access/policy.ts';

/** The calls of a comparison in AWS, in addition to the calls of the deployment, with their purposes. */
const CALLS = {
  'cloudformation:DescribeStacks': 'which stacks there are, and their outputs',
  'cloudformation:DeleteStack': 'teardown',
  'cloudformation:DescribeStackEvents': 'resources that a deleted stack retained',
  'cloudwatch:GetMetricData': 'processor and memory of the host',
  'dynamodb:GetItem': 'the environment that load is put on',
  'dynamodb:Query': 'the environment that load is put on',
  'dynamodb:PutItem': 'the environment that load is put on, and changes to it',
  'dynamodb:ConditionCheckItem': 'changes to it',
  'dynamodb:UpdateItem': 'changes to it',
  'ssm:DescribeInstanceInformation': 'waits for the load generator',
  'ssm:SendCommand': 'starts a run on the load generator',
  'ssm:GetCommandInvocation': 'waits for it',
  'ssm:CancelCommand': 'ends it after Ctrl-C',
  's3:PutObject': 'the run for the load generator',
  's3:GetObject': 'its measurements',
  's3:DeleteObject': 'both, after the run',
} as const;

/** Calls that support no narrower resource. */
const UNNAMED = [
  'cloudwatch:GetMetricData',
  'ssm:DescribeInstanceInformation',
  'ssm:GetCommandInvocation',
  'ssm:CancelCommand',
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
  const calls = (service: string) =>
    Object.keys(CALLS).filter((call) => call.startsWith(`${service}:`) && !UNNAMED.includes(call));
  const resources: Readonly<Record<string, readonly string[]>> = {
    cloudformation: [`arn:aws:cloudformation:*:${account}:stack/${deployment}-*`],
    dynamodb: [`arn:aws:dynamodb:*:${account}:table/${deployment}-*`],
    s3: [`arn:aws:s3:::${deployment.toLowerCase()}-*`],
  };
  return {
    Version,
    Statement: [
      ...Statement,
      ...Object.entries(resources).map(([service, on]) => allow(calls(service), on)),
      allow(calls('ssm'), ['arn:aws:ssm:*::document/AWS-RunShellScript']),
      {
        ...allow(calls('ssm'), [`arn:aws:ec2:*:${account}:instance/*`]),
        Condition: { StringEquals: { 'ssm:resourceTag/stage': stage } },
      },
      allow(UNNAMED, ['*']),
    ],
  };
}
