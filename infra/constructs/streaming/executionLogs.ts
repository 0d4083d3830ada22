import type { CfnStage, WebSocketStage } from 'aws-cdk-lib/aws-apigatewayv2';
import { LogGroup } from 'aws-cdk-lib/aws-logs';
import type { Construct } from 'constructs';
import type { Config } from '../../config/config.ts';
import { retentionOf } from '../retention.ts';
import { ROUTE_SHARES } from './routeShares.ts';

/**
 * Has API Gateway log what fails in a stage before or after the functions: an authorizer or an integration that cannot be called,
 * a template that cannot be filled. At level ERROR and without data tracing, so that no message is logged.
 *
 * API Gateway chooses the group's name. It would make the group itself, and nothing would ever delete it or let its entries
 * expire; so the stack makes it first.
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
  // A route with settings of its own has none of the stage's: https://github.com/terraform-aws-modules/terraform-aws-apigateway-v2/issues/78.
  for (const settings of ['DefaultRouteSettings', ...Object.keys(ROUTE_SHARES).map((key) => `RouteSettings.${key}`)]) {
    resource.addPropertyOverride(`${settings}.LoggingLevel`, 'ERROR');
    resource.addPropertyOverride(`${settings}.DataTraceEnabled`, false);
  }
  stage.node.addDependency(logGroup);
}
