import { describe, expect, test } from '@jest/globals';
import { METRIC_UNITS, METRICS_NAMESPACE } from '../../../../functions/telemetry/metrics.ts';
import { onlyResourceOf, templateWith, textOf } from '../../stacks/testing/templates.ts';

type Settings = { readonly id?: string; readonly stat?: string; readonly label?: string; readonly expression?: string };
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
const { widgets } = JSON.parse(textOf(dashboard['DashboardBody'])) as { widgets: Widget[] };

/** Everything shown, as `namespace name statistic`. */
const shown = widgets.flatMap(({ properties }) => properties.metrics).flatMap(nameOf);

describe('the dashboard', () => {
  test.each([
    ['connections', `${METRICS_NAMESPACE} websocket.connections.total Sum`],
    ['open connections', `${METRICS_NAMESPACE} websocket.connections.active Sum`],
    ['syncs', `${METRICS_NAMESPACE} sync.latency SampleCount`],
    ['sync latency, median', `${METRICS_NAMESPACE} sync.latency p50`],
    ['sync latency, worst of a hundred', `${METRICS_NAMESPACE} sync.latency p99`],
    ['push latency, median', `${METRICS_NAMESPACE} push.latency p50`],
    ['push latency, worst of a hundred', `${METRICS_NAMESPACE} push.latency p99`],
    ['pushes', `${METRICS_NAMESPACE} push.sent Sum`],
    ['gone connections', `${METRICS_NAMESPACE} push.gone Sum`],
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

  test('shows all that the functions record, and nothing they do not', () => {
    const own = shown
      .filter((metric) => metric.startsWith(`${METRICS_NAMESPACE} `))
      .map((metric) => metric.split(' ')[1]);
    expect([...new Set(own)].sort()).toEqual(Object.keys(METRIC_UNITS).sort());
  });

  test('has the region in its name, as an account has one name for all regions, and its URL is an output', () => {
    const name = 'flagwire-prod-{AWS::Region}';
    expect(textOf(dashboard['DashboardName'])).toBe(name);
    expect(textOf(template.Outputs?.['DashboardUrl']?.Value)).toBe(
      `https://{AWS::Region}.console.aws.amazon.com/cloudwatch/home?region={AWS::Region}#dashboards:name=${name}`,
    );
  });
});

function nameOf(row: MetricRow): string[] {
  const [namespace, name] = row;
  if (typeof namespace !== 'string' || typeof name !== 'string') return [];
  return [`${namespace} ${name} ${settingsOf(row).stat ?? 'Average'}`];
}

function settingsOf(row: MetricRow): Settings {
  const last = row.at(-1);
  return typeof last === 'object' ? last : {};
}
