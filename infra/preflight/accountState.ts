import { omitUndefined } from '../../shared/runtime/omitUndefined.ts';
import type { Config } from '../config/config.ts';
import { type Finding, type Unread, unreadCollector } from './finding.ts';
import { machineTypesOf } from './machineFindings.ts';
import { type MachineType, readMachineTypes } from './machineTypes.ts';
import { sendSigned, unlessMissing } from './signedRequest.ts';

/** The facts of the account that a deployment depends on. */
export interface WantedState {
  /** API Gateway writes logs of WebSocket APIs. */
  readonly logRole: boolean;
  /** Tasks run on ECS. */
  readonly ecs: boolean;
  /** A CloudFront distribution is created. */
  readonly cloudFront: boolean;
  /** EC2 instances of these types are created. */
  readonly instanceTypes: readonly string[];
}

/** The needs of a configuration. */
export function wantedState({ streamingAccessLogs, domain, frontDoor, host, fargate }: Config): WantedState {
  return {
    logRole: streamingAccessLogs !== 'off',
    ecs: fargate !== undefined,
    cloudFront: domain !== undefined || frontDoor !== undefined || host?.tls !== undefined,
    instanceTypes: machineTypesOf(host),
  };
}

/** The state of the account. Facts that are not needed or cannot be read are left out. */
export interface AccountState {
  /** API Gateway's log role in the region; empty if none is set. */
  readonly logRole?: string;
  /** Whether ECS has its service-linked role. */
  readonly hasEcsRole?: boolean;
  readonly distributions?: number;
  /** `FREE` or `PAID`. Accounts older than the plans have none. */
  readonly plan?: string;
  /** The needed instance types, and those that can replace them. */
  readonly machineTypes?: Readonly<Record<string, MachineType>>;
}

/**
 * Reads the account's state.
 *
 * Sources: the API references of API Gateway (GetAccount), IAM (GetRole), CloudFront (ListDistributions) and
 * AWS Free Tier (GetAccountPlanState).
 */
export async function readAccountState(
  region: string,
  { logRole, ecs, cloudFront, instanceTypes }: WantedState,
): Promise<{ readonly state: AccountState; readonly unread: readonly Unread[] }> {
  const { read: readFact, unread } = unreadCollector();
  const read = async <T>(isWanted: boolean, what: string, action: string, request: () => Promise<T>) =>
    isWanted ? readFact(what, action, request()) : undefined;
  const [role, hasEcsRole, distributions, plan, machineTypes] = await Promise.all([
    read(logRole, "API Gateway's log role", 'apigateway:GET on /account', () => readLogRole(region)),
    read(ecs, "ECS's service-linked role", 'iam:GetRole on role/aws-service-role/ecs.amazonaws.com/*', readEcsRole),
    read(cloudFront, "CloudFront's distributions", 'cloudfront:ListDistributions', countDistributions),
    read(instanceTypes.length > 0, "the account's plan", 'freetier:GetAccountPlanState', readPlan),
    read(
      instanceTypes.length > 0,
      'the instance types of the region',
      'ec2:DescribeInstanceTypes, ec2:DescribeInstanceTypeOfferings',
      () => readMachineTypes(region, instanceTypes),
    ),
  ]);
  const state = { logRole: role, hasEcsRole, distributions, plan: plan || undefined, machineTypes };
  return { state: omitUndefined(state), unread };
}

async function readLogRole(region: string): Promise<string> {
  const headers = { accept: 'application/json' };
  const service = { service: 'apigateway', endpointName: 'API_GATEWAY', region };
  const answer = await sendSigned({ ...service, path: '/account', headers });
  const { cloudwatchRoleArn = '' } = JSON.parse(answer) as { cloudwatchRoleArn?: string };
  return cloudwatchRoleArn;
}

async function readEcsRole(): Promise<boolean> {
  const body = 'Action=GetRole&RoleName=AWSServiceRoleForECS&Version=2010-05-08';
  const request = sendSigned({ service: 'iam', endpoint: 'https://iam.amazonaws.com', region: 'us-east-1', body });
  return (await unlessMissing(request, 'NoSuchEntity')) !== undefined;
}

async function countDistributions(): Promise<number> {
  const endpoint = 'https://cloudfront.amazonaws.com';
  const path = '/2020-05-31/distribution?MaxItems=1';
  const answer = await sendSigned({ service: 'cloudfront', endpoint, region: 'us-east-1', path });
  return Number(/<Quantity>(\d+)</.exec(answer)?.[1] ?? 0);
}

/** @returns empty for an account that is older than the plans */
async function readPlan(): Promise<string> {
  const headers = {
    'content-type': 'application/x-amz-json-1.0',
    'x-amz-target': 'AWSFreeTierService.GetAccountPlanState',
  };
  const endpoint = 'https://freetier.us-east-1.api.aws';
  const request = sendSigned({ service: 'freetier', endpoint, region: 'us-east-1', body: '{}', headers });
  const answer = (await unlessMissing(request, 'ResourceNotFoundException')) ?? '{}';
  return (JSON.parse(answer) as { accountPlanType?: string }).accountPlanType ?? '';
}

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
