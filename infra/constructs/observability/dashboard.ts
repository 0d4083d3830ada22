import { type IMetric, type IWidget, MathExpression } from 'aws-cdk-lib/aws-cloudwatch';
import type { Construct } from 'constructs';
import { deploymentName } from '../../config/deploymentName.ts';
import { addDashboard, graph } from '../namedDashboard.ts';
import {
  functionsOf,
  httpMetric,
  type ObservedDeployment,
  ownMetric,
  period,
  streamingMetric,
  tableThrottles,
} from '../observed.ts';

const quantiles = ['p50', 'p99'];

/**
 * Adds the dashboard: first the values that SDKs notice (connections, syncs, pushes), then their causes. A dashboard of up to 50 metrics is
 * free.
 *
 * Source: https://aws.amazon.com/cloudwatch/pricing/
 *
 * @returns its URL
 */
export function addServiceDashboard(scope: Construct, observed: ObservedDeployment): string {
  const widgets = [connections, syncs, pushes, trouble].map((row) => row(observed));
  return addDashboard(scope, 'Observability', deploymentName(observed.config), 3, widgets);
}

function connections(observed: ObservedDeployment): IWidget[] {
  const own = (name: string, statistic = 'Sum') => ownMetric(observed, name, statistic);
  const opened = own('websocket.connections.total');
  const calls = observed.streaming.functions.connect.handler.metricInvocations({ statistic: 'Sum', period });
  const ended = own('websocket.connections.duration', 'SampleCount');
  const math = (label: string, expression: string, usingMetrics: Record<string, IMetric>) =>
    new MathExpression({ label, expression, usingMetrics, period });
  return [
    graph('Connections', [
      opened,
      own('websocket.connections.errors').with({ label: 'errors, with those of data-syncs' }),
      math('refused or failed', 'FILL(calls, 0) - FILL(opened, 0)', { calls, opened }),
    ]),
    graph('Open connections (change since the left edge)', [
      math('opened and not ended', 'RUNNING_SUM(FILL(opened, 0) - FILL(ended, 0))', { opened, ended }),
    ]),
    graph('How long connections last (ms)', percentiles(observed, 'websocket.connections.duration')),
  ];
}

function syncs(observed: ObservedDeployment): IWidget[] {
  const { sync, defaultRoute } = observed.streaming.functions;
  return [
    graph('Messages', [
      ownMetric(observed, 'sync.latency', 'SampleCount').with({ label: 'syncs' }),
      defaultRoute.handler.metricInvocations({ statistic: 'Sum', period, label: 'others that reached a function' }),
      ownMetric(observed, 'websocket.messages.invalid', 'Sum'),
      streamingMetric(observed, 'MessageCount').with({ label: 'all, with pings and replies' }),
      ownMetric(observed, 'healed.waiting', 'Maximum').with({ label: 'not answered yet, healed.waiting' }),
    ]),
    graph('Sync latency (ms)', percentiles(observed, 'sync.latency')),
    graph(
      'Time in functions (ms)',
      Object.entries({ sync, defaultRoute }).flatMap(([name, { handler }]) =>
        ['p50', 'p99'].map((statistic) => handler.metricDuration({ statistic, period, label: `${name} ${statistic}` })),
      ),
    ),
  ];
}

function pushes(observed: ObservedDeployment): IWidget[] {
  const { push } = observed;
  return [
    graph(
      'Pushes',
      ['push.sent', 'push.failed', 'push.unreadable'].map((name) => ownMetric(observed, name, 'Sum')),
    ),
    graph('Push latency (ms)', percentiles(observed, 'push.latency')),
    graph(
      'Waiting changes',
      [
        push.publish.handler.metric('IteratorAge', { statistic: 'Maximum', period, label: 'stream, oldest (ms)' }),
        push.queue.metricApproximateAgeOfOldestMessage({ period, label: 'queue, oldest (s)' }),
      ],
      Object.entries(push.deadLetters).map(([label, queue]) =>
        queue.metricApproximateNumberOfMessagesVisible({ statistic: 'Maximum', period, label }),
      ),
    ),
  ];
}

function trouble(observed: ObservedDeployment): IWidget[] {
  const functions = Object.entries(functionsOf(observed));
  const sum = { statistic: 'Sum', period };
  return [
    graph(
      'Errors',
      functions.map(([name, { handler }]) =>
        handler.metricErrors({ ...sum, label: name === 'connect' ? 'connect, with refused tokens' : name }),
      ),
      [
        httpMetric(observed, '5xx').with({ label: 'HTTP 5xx' }),
        streamingMetric(observed, 'IntegrationError'),
        streamingMetric(observed, 'ExecutionError'),
      ],
    ),
    graph(
      'Throttles',
      // No client waits for these two. With them, the dashboard would have more metrics than are free.
      functions
        .filter(([name]) => !['defaultRoute', 'disconnect'].includes(name))
        .map(([label, { handler }]) => handler.metricThrottles({ ...sum, label })),
      [
        streamingMetric(observed, 'ClientError').with({ label: 'WebSocket 4xx, with throttled ones' }),
        httpMetric(observed, '4xx').with({ label: 'HTTP 4xx, with throttled ones' }),
      ],
    ),
    graph(
      'DynamoDB throttles',
      Object.entries(observed.tables).flatMap(([name, table]) =>
        (['Read', 'Write'] as const).map((kind) =>
          tableThrottles(table, kind).with({ label: `${name} table, ${kind.toLowerCase()}s` }),
        ),
      ),
    ),
  ];
}

function percentiles(observed: ObservedDeployment, name: string): IMetric[] {
  return quantiles.map((quantile) => ownMetric(observed, name, quantile).with({ label: `${name} ${quantile}` }));
}
