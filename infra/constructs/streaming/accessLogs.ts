import { AccessLogFormat, CfnAccount } from 'aws-cdk-lib/aws-apigateway';
import { type IAccessLogSettings, LogGroupLogDestination } from 'aws-cdk-lib/aws-apigatewayv2';
import { ManagedPolicy, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { LogGroup } from 'aws-cdk-lib/aws-logs';
import { RemovalPolicy } from 'aws-cdk-lib/core';
import { Construct } from 'constructs';
import type { Config } from '../../config/config.ts';
import { acknowledge } from '../acknowledge.ts';
import { retentionOf } from '../retention.ts';

/**
 * The fields of a request for both kinds of API. CloudWatch adds the time to each line. The query string is never logged, because it
 * contains a connection's token. Lines are billed by the byte, and most are pings, so fields without information are left out.
 */
const common = {
  requestId: '$context.requestId',
  sourceIp: '$context.identity.sourceIp',
  status: '$context.status',
};

/**
 * The fields of a connection, a message or a disconnection, which `routeKey` distinguishes. `error` has API Gateway's message, the
 * integration's message, and the authorizer's reason for a refused handshake, each `-` if there is none.
 */
export const streamingLogFields = {
  ...common,
  routeKey: '$context.routeKey',
  connectionId: '$context.connectionId',
  envId: '$context.authorizer.envId',
  error: '$context.error.message $context.integrationErrorMessage $context.authorizer.error',
};

/** The fields of an HTTP request. */
export const httpLogFields = {
  ...common,
  error: '$context.error.message $context.integrationErrorMessage',
  method: '$context.httpMethod',
  path: '$context.path',
  latencyMs: '$context.responseLatency',
  responseBytes: '$context.responseLength',
};

/**
 * Makes an API's stage write one JSON object per request to a log group of its own, kept for the configured time.
 *
 * The group is under `/aws/vendedlogs/`, for which one policy statement allows API Gateway to write. Elsewhere, each group adds a statement
 * to the account's policy, whose size is limited. The name contains the API's id, which is new with each API, so that a retained group does
 * not prevent a new stack.
 *
 * Source: https://docs.aws.amazon.com/AmazonCloudWatch/latest/logs/AWS-logs-and-resource-policy.html
 */
export function accessLogs(
  scope: Construct,
  config: Config,
  { apiId, fields }: { readonly apiId: string; readonly fields: Readonly<Record<string, string>> },
): IAccessLogSettings {
  const logGroup = new LogGroup(scope, LOG_GROUP_ID, {
    logGroupName: `/aws/vendedlogs/flagwire/${apiId}`,
    retention: config.accessLogRetentionDays,
    removalPolicy: retentionOf(config),
  });
  return {
    destination: new LogGroupLogDestination(logGroup),
    format: AccessLogFormat.custom(JSON.stringify(fields)),
  };
}

const LOG_GROUP_ID = 'VendedAccessLogs';

/** The log group of an API's access logs. Undefined if it has none. @param api the construct that {@link accessLogs} was called with */
export function accessLogGroupOf(api: Construct): LogGroup | undefined {
  return api.node.tryFindChild(LOG_GROUP_ID) as LogGroup | undefined;
}

/**
 * The role with which API Gateway writes the logs of WebSocket and REST APIs. An account has one in each region, so this replaces an
 * existing one. It is created on the operator's request, or if none is set. Both resources stay when the stack is deleted, because other
 * APIs may use them.
 *
 * Source: https://docs.aws.amazon.com/AWSCloudFormation/latest/UserGuide/aws-resource-apigateway-account.html
 */
export class AccessLogRole extends Construct {
  constructor(scope: Construct, id: string) {
    super(scope, id);
    const role = new Role(this, 'Role', {
      assumedBy: new ServicePrincipal('apigateway.amazonaws.com'),
      managedPolicies: [ManagedPolicy.fromAwsManagedPolicyName('service-role/AmazonAPIGatewayPushToCloudWatchLogs')],
    });
    acknowledge(
      role,
      'AwsSolutions-IAM4[Policy::arn:<AWS::Partition>:iam::aws:policy/service-role/AmazonAPIGatewayPushToCloudWatchLogs]',
      'API Gateway asks for these permissions on every log group of the account, and AWS keeps the list.',
    );
    role.applyRemovalPolicy(RemovalPolicy.RETAIN);
    const account = new CfnAccount(this, 'Account', { cloudWatchRoleArn: role.roleArn });
    account.applyRemovalPolicy(RemovalPolicy.RETAIN);
  }
}
