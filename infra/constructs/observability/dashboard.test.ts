import { describe, expect, test } from '@jest/globals';
import { SMALL_DASHBOARD_METRICS } from '../../../cost/prices/serviceFacts.ts';
import { METRIC_UNITS, METRICS_NAMESPACE } from '../../../functions/telemetry/metrics.ts';
import { onlyResourceOf, type Properties, templateWith, textOf } from '../../stacks/testing/templates.ts';

type Settings = Readonly<Partial<Record<'id' | 'stat' | 'label' | 'expression', string>>>;
type MetricRow = (string | Settings)[];

interface Widget {
  readonly type: string;
  readonly properties: {
    readonly title: string;
    readonly metrics: MetricRow[];
    readonly setPeriodToTimeRange?: boolean;
  };
}

const template = templateWith('Serverless', { stage: 'prod' });
const dashboard = onlyResourceOf(template, 'AWS::CloudWatch::Dashboard').properties;
const widgets = widgetsOf(dashboard);

/** Everything shown, as `namespace name statistic`. */
const shown = widgets.flatMap(({ properties }) => properties.metrics).flatMap(nameOf);

describe('the dashboard', () => {
  test.each([
    ['connections', `${METRICS_NAMESPACE} websocket.connections.total Sum`],
    ['connections that ended', `${METRICS_NAMESPACE} websocket.connections.duration SampleCount`],
    ['calls of functions', 'AWS/Lambda Invocations Sum'],
    ['time in functions', 'AWS/Lambda Duration p99'],
    ['syncs', `${METRICS_NAMESPACE} sync.latency SampleCount`],
    ['sync latency, median', `${METRICS_NAMESPACE} sync.latency p50`],
    ['sync latency, worst of a hundred', `${METRICS_NAMESPACE} sync.latency p99`],
    ['push latency, median', `${METRICS_NAMESPACE} push.latency p50`],
    ['push latency, worst of a hundred', `${METRICS_NAMESPACE} push.latency p99`],
    ['pushes', `${METRICS_NAMESPACE} push.sent Sum`],
    ['connections that were not answered', `${METRICS_NAMESPACE} healed.waiting Maximum`],
    ['throttles', 'AWS/Lambda Throttles Sum'],
    ['errors', 'AWS/Lambda Errors Sum'],
    ['HTTP errors', 'AWS/ApiGateway 5xx Sum'],
    ['DLQ depth', 'AWS/SQS ApproximateNumberOfMessagesVisible Maximum'],
    ['DynamoDB read throttles', 'AWS/DynamoDB ReadThrottleEvents Sum'],
    ['DynamoDB write throttles', 'AWS/DynamoDB WriteThrottleEvents Sum'],
  ])('shows %s', (_, metric) => {
    expect(shown).toContain(metric);
  });

  test('shows all that the functions record, except those of a front door, and nothing else', () => {
    const own = shown
      .filter((metric) => metric.startsWith(`${METRICS_NAMESPACE} `))
      .map((metric) => metric.split(' ')[1]);
    const recorded = Object.keys(METRIC_UNITS).filter((name) => !name.startsWith('tier.'));
    expect([...new Set(own)].sort()).toEqual(recorded.sort());
  });

  test('counts as refused what was called and not opened: failed data-syncs are in another graph', () => {
    const [connections] = widgets;
    const settings = connections?.properties.metrics.map(settingsOf) ?? [];
    expect(settings).toContainEqual({
      label: 'refused or failed',
      expression: 'FILL(calls, 0) - FILL(opened, 0)',
    });
    const named = connections?.properties.metrics.filter((row) => settingsOf(row).id !== undefined) ?? [];
    expect(named.map((row) => [settingsOf(row).id, ...nameOf(row)]).sort()).toEqual([
      ['calls', 'AWS/Lambda Invocations Sum'],
      ['opened', `${METRICS_NAMESPACE} websocket.connections.total Sum`],
    ]);
  });

  test('shows the throttles that alarms point to', () => {
    const names = ['connect', 'sync', 'publish', 'deliver', 'heal', 'http'];
    const graph = widgets.find(({ properties }) => properties.title === 'Throttles');
    const throttles = graph?.properties.metrics.filter(([, name]) => name === 'Throttles') ?? [];
    expect(throttles.map((row) => settingsOf(row).label)).toEqual(names);
  });

  test('has no more metrics than are free', () => {
    const rows = widgets.flatMap(({ properties }) => properties.metrics);
    expect(rows.flatMap(nameOf).length).toBeLessThanOrEqual(SMALL_DASHBOARD_METRICS);
  });

  test('has the region in its name, as an account has one name for all regions, and its URL is an output', () => {
    const name = 'Flagwire-prod-{AWS::Region}';
    expect(textOf(dashboard['DashboardName'])).toBe(name);
    expect(textOf(template.Outputs?.['DashboardUrl']?.Value)).toBe(
      `https://{AWS::Region}.console.aws.amazon.com/cloudwatch/home?region={AWS::Region}#dashboards:name=${name}`,
    );
  });
});

function widgetsOf(properties: Properties): Widget[] {
  return JSON.parse(textOf(properties['DashboardBody'])).widgets;
}

function nameOf(row: MetricRow): string[] {
  const [namespace, name] = row;
  if (typeof namespace !== 'string' || typeof name !== 'string') return [];
  return [`${namespace} ${name} ${settingsOf(row).stat ?? 'Average'}`];
}

function settingsOf(row: MetricRow): Settings {
  const last = row.at(-1);
  return typeof last === 'object' ? last : {};
}
