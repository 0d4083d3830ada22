import { deployerPolicy } from '../../../infra/access/deployerPolicy.ts';
import { allow, type BootstrappedAccount, type Policy } from '../../../infra/access/policy.ts';

/** What a comparison in AWS calls itself, in addition to those of the deployment; each with what it is for. */
const CALLS = {
  'cloudformation:DescribeStacks': 'which stacks there are, and their outputs',
  'cloudformation:DeleteStack': 'teardown',
  'cloudformation:DescribeStackEvents': 'what a deleted stack kept',
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
  's3:PutObject': 'what the load generator is to run',
  's3:GetObject': 'what it measured',
  's3:DeleteObject': 'both, after the run',
} as const;

/** Calls that have no narrower resource. */
const UNNAMED = [
  'cloudwatch:GetMetricData',
  'ssm:DescribeInstanceInformation',
  'ssm:GetCommandInvocation',
  'ssm:CancelCommand',
];

/**
 * The policy to compare in AWS: that of a deployment, and each call that the comparison makes itself.
 *
 * @param deployment `Flagwire-compare`
 * @param stage by whose tag machines are known
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
