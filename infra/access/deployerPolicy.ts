import { DEFAULT_QUALIFIER } from '../config/settingsSchema.ts';
import { allow, type Deployment, type Policy } from './policy.ts';

/** Roles of `cdk bootstrap` that a deployment assumes. They do the rest. */
const CDK_ROLES = ['deploy', 'file-publishing', 'lookup'];

/** The deployer's IAM policy: roles to assume, and the facts that `npm run deploy` reads from the account (infra/preflight). */
export function deployerPolicy({ account = '*', bootstrapQualifier = DEFAULT_QUALIFIER }: Deployment = {}): Policy {
  const role = (name: string) => `arn:aws:iam::${account}:role/cdk-${bootstrapQualifier}-${name}-role-${account}-*`;
  return {
    Version: '2012-10-17',
    Statement: [
      allow('sts', 'AssumeRole', CDK_ROLES.map(role)),
      allow('ssm', 'GetParameter', [`arn:aws:ssm:*:${account}:parameter/cdk-bootstrap/*`]),
      allow('acm', 'DescribeCertificate'),
      allow('apigateway', 'GET'),
      allow('cloudfront', 'ListDistributions'),
      allow('cloudformation', 'GetTemplateSummary'),
      allow('ec2', 'DescribeAvailabilityZones DescribeInstanceTypeOfferings'),
      allow('iam', 'GetRole'),
      allow('lambda', 'GetAccountSettings'),
      allow('servicequotas', 'GetAWSDefaultServiceQuota GetServiceQuota'),
    ],
  };
}
