import { allow, type Policy } from './executionPolicy.ts';

/** Roles of `cdk bootstrap` that a deployment takes on, with its default qualifier. */
const CDK_ROLES = ['deploy', 'file-publishing', 'lookup'];

/** What `npm run deploy` reads of the account itself (infra/preflight); the rest is done by the roles of `cdk bootstrap`. */
const READS = [
  'apigateway:GET',
  'cloudfront:ListDistributions',
  'cloudformation:GetTemplateSummary',
  'ec2:DescribeInstanceTypes',
  'freetier:GetAccountPlanState',
  'iam:GetRole',
  'lambda:GetAccountSettings',
  'servicequotas:GetAWSDefaultServiceQuota',
  'servicequotas:GetServiceQuota',
];

/** The policy of whoever deploys. @param account 12 digits; any account where it is not known */
export function deployerPolicy(account = '*'): Policy {
  const roles = CDK_ROLES.map((name) => `arn:aws:iam::${account}:role/cdk-hnb659fds-${name}-role-${account}-*`);
  return { Version: '2012-10-17', Statement: [allow(['sts:AssumeRole'], roles), allow(READS, ['*'])] };
}
