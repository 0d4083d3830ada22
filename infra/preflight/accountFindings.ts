import type { AccountState, WantedState } from './accountState.ts';
import type { Finding } from './finding.ts';

/** What the account has that stands against a deployment, with the command or setting that mends it. */
export function accountFindings({ instanceTypes }: Pick<WantedState, 'instanceTypes'>, state: AccountState): Finding[] {
  const { hasEcsRole, distributions, plan, freeTypes = [] } = state;
  const findings: Finding[] = [];
  if (hasEcsRole === false) {
    // https://github.com/aws-cloudformation/cloudformation-coverage-roadmap/issues/818
    findings.push({
      isRefused: true,
      text: 'ECS will refuse the first cluster of the account, which has no service-linked role for it: aws iam create-service-linked-role --aws-service-name ecs.amazonaws.com',
    });
  }
  if (distributions === 0) {
    // No API tells whether an account is verified: https://github.com/aws-samples/aws-cdk-examples/issues/279.
    findings.push({
      isRefused: false,
      text: 'CloudFront may refuse the distribution of the domain: the account has none so far, and AWS verifies some accounts first. If the deployment fails with “Your account must be verified”, open a case for it at https://console.aws.amazon.com/support/home, and deploy again',
    });
  }
  const refused = plan === 'FREE' ? instanceTypes.filter((type) => !freeTypes.includes(type)) : [];
  if (refused.length > 0) {
    findings.push({
      isRefused: true,
      text: `EC2 will refuse ${refused.join(' and ')}: the account is on the free plan, which has other types: aws ec2 describe-instance-types --filters Name=free-tier-eligible,Values=true --query InstanceTypes[].InstanceType; or leave the plan: aws freetier upgrade-account-plan --account-plan-type PAID`,
    });
  }
  return findings;
}
