import { MathExpression } from 'aws-cdk-lib/aws-cloudwatch';
import type { Construct } from 'constructs';
import { priceLines, standing, standingLines } from '../../../cost/prices/bill.ts';
import { type Dimensions, SERVERLESS_METERS } from '../../../cost/prices/meters.ts';
import { FUNCTION_GB, type FunctionName, OWN_METRICS, standingAlarms } from '../../../cost/prices/serviceFacts.ts';
import type { FreeTier } from '../../../cost/prices/tiers.ts';
import { deploymentName } from '../../config/deploymentName.ts';
import { functionsOf, type ObservedDeployment, ownMetric, period } from '../observed.ts';
import type { ServiceFunction } from '../serviceFunction.ts';
import { accessLogGroupOf } from '../streaming/accessLogs.ts';
import { stageName } from '../streaming/streamingApi.ts';
import type { Design } from './costDashboard.ts';
import { hourlyCost } from './costMath.ts';
import { sheetFor } from './sheetFor.ts';

/** Metrics of the cost alarm. CloudWatch bills each. */
const ALARM_METERS = SERVERLESS_METERS.filter(({ namespace }) =>
  ['AWS/ApiGateway', 'Flagwire', 'AWS/DynamoDB'].includes(namespace),
);

/** The cost of the serverless stack, with the cost dashboard. */
export function serverlessDesign(scope: Construct, observed: ObservedDeployment): Design {
  const standing = serverlessStanding(scope, observed);
  const dimensions = dimensionsOf(observed);
  return {
    id: 'a',
    hourly: hourlyCost('a', SERVERLESS_METERS, sheetFor(scope), dimensions, 'serverless', standing),
    // Milliseconds of ended connections. No metric counts open connections.
    connections: new MathExpression({
      expression: 'aended / 1000 / PERIOD(aended)',
      usingMetrics: { aended: ownMetric(observed, 'websocket.connections.duration', 'Sum') },
      period,
    }),
    syncs: ownMetric(observed, 'sync.latency', 'SampleCount'),
  };
}

/**
 * The part of the cost that depends on usage, for alarms. Their expressions may use ten metrics:
 * https://docs.aws.amazon.com/AmazonCloudWatch/latest/monitoring/alarm-limits.html
 */
export function serverlessCostForAlarm(scope: Construct, observed: ObservedDeployment): MathExpression {
  return hourlyCost('a', ALARM_METERS, sheetFor(scope), dimensionsOf(observed), 'messages and tables');
}

/** US dollars a month that do not depend on usage. The functions' own metrics are charged after their first use. */
export function serverlessStanding(
  scope: Construct,
  { config }: ObservedDeployment,
  freeTier: FreeTier = 'none',
): number {
  const { lean, monthlyBudget, eventBus } = config;
  const own = standingAlarms(lean, eventBus !== 'off');
  const alarms = config.alarms ? own + (monthlyBudget === undefined ? 0 : ALARM_METERS.length) : 0;
  const lines = [...standingLines(alarms, lean), standing('customMetric', 'metrics of the functions', OWN_METRICS)];
  return priceLines(lines, sheetFor(scope), freeTier).total;
}

/** The access log of an API, if it has one. */
function logOf(name: 'streaming log' | 'polling log', api: Construct): Dimensions {
  const group = accessLogGroupOf(api);
  return group ? { [name]: { LogGroupName: group.logGroupName } } : {};
}

/** The dimensions of the observed parts, by the names that meters use. */
function dimensionsOf(observed: ObservedDeployment): Dimensions {
  const { config, streaming, http, push, tables, insightStream } = observed;
  const all = functionsOf(observed);
  const functions: Partial<Record<string, ServiceFunction>> = {
    ...all,
    default: all['defaultRoute'] as ServiceFunction,
  };
  const names = Object.keys(FUNCTION_GB) as FunctionName[];
  return {
    streaming: { ApiId: streaming.apiId, Stage: stageName },
    polling: { ApiId: http.apiId, Stage: '$default' },
    stage: { Stage: deploymentName(config) },
    flags: { TableName: tables.flags.tableName },
    connections: { TableName: tables.connections.tableName },
    queue: { QueueName: push.queue.queueName },
    insights: { DeliveryStreamName: insightStream },
    ...logOf('streaming log', streaming),
    ...logOf('polling log', http),
    ...Object.fromEntries(names.map((name) => [name, { FunctionName: functions[name]?.handler.functionName ?? '' }])),
    ...Object.fromEntries(
      names.map((name) => [`${name} log`, { LogGroupName: functions[name]?.logGroup.logGroupName ?? '' }]),
    ),
  };
}
