import { Metric } from 'aws-cdk-lib/aws-cloudwatch';
import type { ITableV2 } from 'aws-cdk-lib/aws-dynamodb';
import { Duration } from 'aws-cdk-lib/core';
import type { Config } from '../config/config.ts';
import { deploymentName } from '../config/deploymentName.ts';
import type { FlagsHttpApi } from './http/flagsHttpApi.ts';
import type { PushPipeline } from './push/pushPipeline.ts';
import type { ServiceFunction } from './serviceFunction.ts';
import { type StreamingApi, stageName } from './streaming/streamingApi.ts';

/** The parts of a deployment that dashboards and alarms observe. */
export interface ObservedDeployment {
  readonly config: Config;
  readonly streaming: StreamingApi;
  readonly http: FlagsHttpApi;
  readonly push: PushPipeline;
  readonly heal: ServiceFunction;
  readonly tables: Readonly<Record<'flags' | 'connections', ITableV2>>;
  /** Name of the delivery stream for insight events. */
  readonly insightStream: string;
}

/** Period of all values, in dashboards and alarms. */
export const period = Duration.minutes(5);

/** The functions, by their names in graphs and alarms. */
export function functionsOf({ streaming, push, heal, http }: ObservedDeployment): Record<string, ServiceFunction> {
  const { connect, sync, defaultRoute, disconnect } = streaming.functions;
  const { publish, deliver } = push;
  return { connect, sync, defaultRoute, disconnect, publish, deliver, heal, http: http.function };
}

/**
 * A metric that the functions record.
 *
 * @param name one of functions/telemetry/metrics.ts, which a test checks
 * @param statistic CloudWatch's: `Sum`, `SampleCount`, `p50` …
 */
export function ownMetric({ config }: Pick<ObservedDeployment, 'config'>, name: string, statistic: string): Metric {
  const dimensionsMap = { Stage: deploymentName(config) };
  return new Metric({ namespace: 'Flagwire', metricName: name, dimensionsMap, statistic, period });
}

/** A metric of the WebSocket API. Source: AWS's guide to API Gateway, "Monitor WebSocket APIs". */
export function streamingMetric(
  { streaming }: ObservedDeployment,
  name: 'ConnectCount' | 'MessageCount' | 'ClientError' | 'IntegrationError' | 'ExecutionError',
): Metric {
  return apiMetric(streaming.apiId, stageName, name);
}

/** A metric of the HTTP API. Source: AWS's guide to API Gateway, "Monitor CloudWatch metrics for HTTP APIs". */
export function httpMetric({ http }: ObservedDeployment, name: 'Count' | '4xx' | '5xx'): Metric {
  return apiMetric(http.apiId, '$default', name);
}

function apiMetric(ApiId: string, Stage: string, metricName: string): Metric {
  const dimensionsMap = { ApiId, Stage };
  return new Metric({ namespace: 'AWS/ApiGateway', metricName, dimensionsMap, statistic: 'Sum', period });
}

/** Throttled requests of a table. */
export function tableThrottles(table: ITableV2, kind: 'Read' | 'Write'): Metric {
  return table.metric(`${kind}ThrottleEvents`, { statistic: 'Sum', period });
}
