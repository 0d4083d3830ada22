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
 * What both kinds of API can tell of a request, but for its time, which CloudWatch has of every line. Never the query string: a
 * connection's token travels in it. Lines are paid by the byte, and most are of pings: what says nothing is left out.
 */
const common = {
  requestId: '$context.requestId',
  sourceIp: '$context.identity.sourceIp',
  status: '$context.status',
};

/**
 * Of a connection, a message or a disconnection, which `routeKey` tells. `error` has API Gateway's message, that of the integration, and
 * why a handshake was refused in the authorizer's words, each `-` where there is none.
 */
export const streamingLogFields = {
  ...common,
  routeKey: '$context.routeKey',
  connectionId: '$context.connectionId',
  envId: '$context.authorizer.envId',
  error: '$context.error.message $context.integrationErrorMessage $context.authorizer.error',
};

/** Of an HTTP request. */
export const httpLogFields = {
  ...common,
  error: '$context.error.message $context.integrationErrorMessage',
  method: '$context.httpMethod',
  path: '$context.path',
  latencyMs: '$context.responseLatency',
  responseBytes: '$context.responseLength',
};

/**
 * Has an API's stage write one JSON object a request to a log group of its own, kept as long as configured.
 *
 * The group is under `/aws/vendedlogs/`, to all of which one statement lets API Gateway write; elsewhere each group adds
 * one to the account's policy, which has room for some. The API's id in its name is new with each API, so that a
 * group that was kept does not stand in the way of a new stack.
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

/** Where an API's access logs go; undefined where it has none. @param api the construct that {@link accessLogs} was called with */
export function accessLogGroupOf(api: Construct): LogGroup | undefined {
  return api.node.tryFindChild(LOG_GROUP_ID) as LogGroup | undefined;
}

/**
 * The role by which API Gateway writes the logs of WebSocket and REST APIs: one for all of them in an account and region,
 * so this takes the place of another that may be set: it is made where the operator says so, or where none is set. Both resources stay when the stack goes, since other APIs may
 * have come to rely on them.
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
