import type { AccountState, WantedState } from './accountState.ts';
import type { Finding } from './finding.ts';

/** Problems of the account that prevent a deployment, each with the command or setting that fixes it. */
export function accountFindings({ instanceTypes }: Pick<WantedState, 'instanceTypes'>, state: AccountState): Finding[] {
  const { hasEcsRole, distributions, plan, machineTypes = {} } = state;
  const findings: Finding[] = [];
  if (hasEcsRole === false) {
    // https://github.com/aws-cloudformation/cloudformation-coverage-roadmap/issues/818
    findings.push({
      isRefused: true,
      text: 'ECS will refuse the cluster: the account has no service-linked role for ECS. Create it: aws iam create-service-linked-role --aws-service-name ecs.amazonaws.com',
    });
  }
  if (distributions === 0) {
    // No API says whether an account is verified: https://github.com/aws-samples/aws-cdk-examples/issues/279.
    findings.push({
      isRefused: false,
      text: 'CloudFront may refuse the distribution: the account has no distribution yet, and AWS verifies some accounts first. If the deployment fails with “Your account must be verified”, open a support case at https://console.aws.amazon.com/support/home and deploy again',
    });
  }
  const refused = plan === 'FREE' ? instanceTypes.filter((type) => machineTypes[type]?.isFree === false) : [];
  if (refused.length > 0) {
    findings.push({
      isRefused: true,
      text: `EC2 will refuse ${refused.join(' and ')}: the account is on the free plan, which does not include it. List the included types: aws ec2 describe-instance-types --filters Name=free-tier-eligible,Values=true --query InstanceTypes[].InstanceType; or upgrade the plan: aws freetier upgrade-account-plan --account-plan-type PAID`,
    });
  }
  return findings;
}
