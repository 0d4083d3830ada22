import { omitUndefined } from '../../shared/runtime/omitUndefined.ts';
import type { Config } from '../config/config.ts';
import { type Finding, type Unread, unreadCollector } from './finding.ts';
import { machineTypesOf } from './machineFindings.ts';
import { type MachineTypes, readMachineTypes } from './machineTypes.ts';
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
  /** The needed instance types, and those that can replace them. */
  readonly machineTypes?: MachineTypes;
}

/**
 * Reads the account's state.
 *
 * Sources: the API references of API Gateway (GetAccount), IAM (GetRole) and CloudFront (ListDistributions).
 */
export async function readAccountState(
  region: string,
  { logRole, ecs, cloudFront, instanceTypes }: WantedState,
): Promise<{ readonly state: AccountState; readonly unread: readonly Unread[] }> {
  const { read: readFact, unread } = unreadCollector();
  const read = async <T>(isWanted: boolean, what: string, action: string, request: () => Promise<T>) =>
    isWanted ? readFact(what, action, request()) : undefined;
  const [role, hasEcsRole, distributions, machineTypes] = await Promise.all([
    read(logRole, "API Gateway's log role", 'apigateway:GET on /account', () => readLogRole(region)),
    read(ecs, "ECS's service-linked role", 'iam:GetRole on role/aws-service-role/ecs.amazonaws.com/*', readEcsRole),
    read(cloudFront, "CloudFront's distributions", 'cloudfront:ListDistributions', countDistributions),
    read(instanceTypes.length > 0, 'the instance types of the region', 'ec2:DescribeInstanceTypeOfferings', () =>
      readMachineTypes(region, instanceTypes),
    ),
  ]);
  return { state: omitUndefined({ logRole: role, hasEcsRole, distributions, machineTypes }), unread };
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

/** Problems of the account that prevent a deployment, each with the command or setting that fixes it. */
export function accountFindings({ hasEcsRole, distributions }: AccountState): Finding[] {
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
  return findings;
}
