import { Dashboard, GraphWidget, type IMetric, type IWidget, MathExpression } from 'aws-cdk-lib/aws-cloudwatch';
import { Duration, Stack } from 'aws-cdk-lib/core';
import { Construct } from 'constructs';
import { costRow } from '../cost/costWidgets.ts';
import { serverlessCost, serverlessStanding } from '../cost/serverlessCost.ts';
import { sheetFor } from '../cost/sheetFor.ts';
import {
  functionsOf,
  httpMetric,
  type Observed,
  ownMetric,
  period,
  streamingMetric,
  tableThrottles,
} from './observed.ts';

const quantiles = ['p50', 'p90', 'p99'];

/** The dashboard: from what SDKs notice (connections, syncs, pushes) down to what is behind it, and what it costs. */
export class ServiceDashboard extends Construct {
  /** Where to see it, once signed in. */
  readonly url: string;

  constructor(scope: Construct, id: string, observed: Observed) {
    super(scope, id);
    const { region } = Stack.of(this);
    // An account has one dashboard of a name, in all regions together.
    const dashboardName = `flagwire-${observed.config.stage}-${region}`;
    const cost = { id: 'a', hourly: serverlessCost(this, observed), standing: serverlessStanding(this, observed) };
    const widgets = [
      ...[connections, syncs, pushes, trouble].map((row) => row(observed)),
      costRow(sheetFor(this).name, cost),
    ];
    new Dashboard(this, 'Dashboard', { dashboardName, defaultInterval: Duration.hours(3), widgets });
    this.url = `https://${region}.console.aws.amazon.com/cloudwatch/home?region=${region}#dashboards:name=${dashboardName}`;
  }
}

function connections(observed: Observed): IWidget[] {
  const own = (name: string, statistic = 'Sum') => ownMetric(observed, name, statistic);
  return [
    graph('Connections', [
      own('websocket.connections.total'),
      own('websocket.connections.rejections'),
      own('websocket.connections.errors'),
    ]),
    graph('Open connections (change since the left edge)', [
      new MathExpression({
        expression: 'RUNNING_SUM(FILL(change, 0))',
        usingMetrics: { change: own('websocket.connections.active') },
        label: 'websocket.connections.active',
        period,
      }),
    ]),
    graph('How long connections last (ms)', percentiles(observed, 'websocket.connections.duration')),
  ];
}

function syncs(observed: Observed): IWidget[] {
  const own = (name: string, statistic = 'Sum') => ownMetric(observed, name, statistic);
  return [
    graph('Messages', [
      own('sync.latency', 'SampleCount').with({ label: 'syncs' }),
      own('websocket.messages.processed'),
      own('websocket.messages.invalid'),
      streamingMetric(observed, 'MessageCount').with({ label: 'all, with pings and replies' }),
      ...['healed.sent', 'healed.ended'].map((name) => own(name).with({ label: `not answered in time, ${name}` })),
      own('healed.waiting', 'Maximum').with({ label: 'not answered yet, healed.waiting' }),
    ]),
    graph('Sync latency (ms)', percentiles(observed, 'sync.latency')),
    graph(
      'Time in functions (ms) and size (bytes) of messages',
      percentiles(observed, 'websocket.messages.duration'),
      percentiles(observed, 'websocket.messages.size'),
    ),
  ];
}

function pushes(observed: Observed): IWidget[] {
  const { push } = observed;
  return [
    graph(
      'Pushes',
      ['push.sent', 'push.gone', 'push.failed', 'push.unreadable'].map((name) => ownMetric(observed, name, 'Sum')),
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

function trouble(observed: Observed): IWidget[] {
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
      functions.map(([label, { handler }]) => handler.metricThrottles({ ...sum, label })),
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

function percentiles(observed: Observed, name: string): IMetric[] {
  return quantiles.map((quantile) => ownMetric(observed, name, quantile).with({ label: `${name} ${quantile}` }));
}

function graph(title: string, left: IMetric[], right: IMetric[] = []): GraphWidget {
  return new GraphWidget({ title, left, right, width: 8, height: 6, leftYAxis: { min: 0 } });
}
