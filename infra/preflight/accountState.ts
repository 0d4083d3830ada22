import { omitUndefined } from '../../shared/runtime/omitUndefined.ts';
import type { Config } from '../config/config.ts';
import { type Finding, type Unread, unreadCollector } from './finding.ts';
import { machineTypesOf } from './machineFindings.ts';
import { type MachineTypes, readMachineTypes } from './machineTypes.ts';
import { sendSigned, unlessMissing } from './signedRequest.ts';

/** The state of the account. Facts that are not needed or cannot be read are left out. */
export interface AccountState {
  /** API Gateway's log role in the region; empty if none is set. */
  readonly logRole?: string;
  /** Whether ECS has its service-linked role. */
  readonly hasEcsRole?: boolean;
  readonly distributions?: number;
  /** The needed instance types. */
  readonly machineTypes?: MachineTypes;
}

/**
 * Reads the facts of the account's state that a deployment depends on.
 *
 * Sources: the API references of API Gateway (GetAccount), IAM (GetRole) and CloudFront (ListDistributions).
 */
export async function readAccountState(
  region: string,
  { streamingAccessLogs, domain, frontDoor, host, fargate }: Config,
): Promise<{ readonly state: AccountState; readonly unread: readonly Unread[] }> {
  const { read: readFact, unread } = unreadCollector();
  const read = async <T>(isWanted: boolean, what: string, action: string, request: () => Promise<T>) =>
    isWanted ? readFact(what, action, request()) : undefined;
  const hasLogs = streamingAccessLogs !== 'off';
  const hasDistribution = domain !== undefined || frontDoor !== undefined || host?.tls !== undefined;
  const types = machineTypesOf(host);
  const [logRole, hasEcsRole, distributions, machineTypes] = await Promise.all([
    read(hasLogs, "API Gateway's log role", 'apigateway:GET on /account', () => readLogRole(region)),
    read(
      fargate !== undefined,
      "ECS's service-linked role",
      'iam:GetRole on role/aws-service-role/ecs.amazonaws.com/*',
      readEcsRole,
    ),
    read(hasDistribution, "CloudFront's distributions", 'cloudfront:ListDistributions', countDistributions),
    read(types.length > 0, 'the instance types of the region', 'ec2:DescribeInstanceTypeOfferings', () =>
      readMachineTypes(region, types),
    ),
  ]);
  return { state: omitUndefined({ logRole, hasEcsRole, distributions, machineTypes }), unread };
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
  const path = '/2020-05-31/distribution';
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
