import { DEFAULT_QUALIFIER } from '../config/settingsSchema.ts';
import { allow, type BootstrappedAccount, type Policy } from './policy.ts';

/** Roles of `cdk bootstrap` that a deployment assumes. */
const CDK_ROLES = ['deploy', 'file-publishing', 'lookup'];

/** The facts that `npm run deploy` reads from the account (infra/preflight). The roles of `cdk bootstrap` do the rest. */
const READS = [
  'acm:DescribeCertificate',
  'apigateway:GET',
  'cloudfront:ListDistributions',
  'cloudformation:GetTemplateSummary',
  'ec2:DescribeAvailabilityZones',
  'ec2:DescribeInstanceTypeOfferings',
  'iam:GetRole',
  'lambda:GetAccountSettings',
  'secretsmanager:DescribeSecret',
  'servicequotas:GetAWSDefaultServiceQuota',
  'servicequotas:GetServiceQuota',
  'sns:ListSubscriptionsByTopic',
];

/** The deployer's IAM policy. */
export function deployerPolicy({
  account = '*',
  bootstrapQualifier: qualifier = DEFAULT_QUALIFIER,
}: BootstrappedAccount = {}): Policy {
  const roles = CDK_ROLES.map((name) => `arn:aws:iam::${account}:role/cdk-${qualifier}-${name}-role-${account}-*`);
  const bootstrap = `arn:aws:ssm:*:${account}:parameter/cdk-bootstrap/*`;
  return {
    Version: '2012-10-17',
    Statement: [allow(['sts:AssumeRole'], roles), allow(['ssm:GetParameter'], [bootstrap]), allow(READS, ['*'])],
  };
}
