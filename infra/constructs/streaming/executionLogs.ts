import type { CfnStage, WebSocketStage } from 'aws-cdk-lib/aws-apigatewayv2';
import { LogGroup } from 'aws-cdk-lib/aws-logs';
import type { Construct } from 'constructs';
import type { Config } from '../../config/config.ts';
import { retentionOf } from '../retention.ts';
import { ROUTE_SHARES } from './routeShares.ts';

/**
 * Makes API Gateway log failures in a stage before or after the functions, such as an authorizer or an integration that cannot be called,
 * or an invalid template. The level is ERROR without data tracing, so that no message is logged.
 *
 * API Gateway chooses the group's name. It would create the group itself, and nothing would delete it or let its entries expire. Therefore
 * the stack creates it first.
 *
 * Source: https://docs.aws.amazon.com/apigateway/latest/developerguide/websocket-api-logging.html
 */
export function logExecution(scope: Construct, config: Config, stage: WebSocketStage): void {
  const logGroup = new LogGroup(scope, 'ExecutionLogs', {
    logGroupName: `/aws/apigateway/${stage.api.apiId}/${stage.stageName}`,
    retention: config.logRetentionDays,
    removalPolicy: retentionOf(config),
  });
  const resource = stage.node.defaultChild as CfnStage;
  // A route with its own settings inherits none of the stage: https://github.com/terraform-aws-modules/terraform-aws-apigateway-v2/issues/78.
  for (const settings of ['DefaultRouteSettings', ...Object.keys(ROUTE_SHARES).map((key) => `RouteSettings.${key}`)]) {
    resource.addPropertyOverride(`${settings}.LoggingLevel`, 'ERROR');
    resource.addPropertyOverride(`${settings}.DataTraceEnabled`, false);
  }
  stage.node.addDependency(logGroup);
}
