import { describe, expect, test } from '@jest/globals';
import { METRIC_UNITS, METRICS_NAMESPACE } from '../../../functions/metrics.ts';
import { onlyResourceOf, templateWith, textOf } from '../../stacks/testing/templates.ts';
import { prices } from './prices.ts';

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

  test('its URL is an output', () => {
    expect(textOf(template.Outputs?.['DashboardUrl']?.Value)).toBe(
      `https://{AWS::Region}.console.aws.amazon.com/cloudwatch/home?region={AWS::Region}#dashboards:name=${dashboard['DashboardName']}`,
    );
  });
});

describe('the cost estimate', () => {
  const million = 1e6;

  test.each([
    ['WebSocket API', { MessageCount: million, 'websocket.connections.duration': million * 60_000 }, 1 + 0.25],
    ['HTTP API', { Count: million }, 1],
    // A million milliseconds in each function: four with 512 MB, three with 256 MB.
    ['Lambda', { Duration: million }, (4 * 0.5 + 3 * 0.25) * 1_000 * prices.lambdaGbSecond],
    ['Lambda', { Invocations: million }, 7 * 0.2],
    ['DynamoDB', { ConsumedReadCapacityUnits: million, ConsumedWriteCapacityUnits: million }, 2 * (0.125 + 0.625)],
  ])('of %s for %j is %f dollars', (service, values, usd) => {
    expect(estimate(service, values)).toBeCloseTo(usd, 6);
  });

  test('is added up over the time that is shown', () => {
    const total = widgets.find(({ properties }) => properties.title === 'Cost estimate of the time shown');
    expect(total?.properties.setPeriodToTimeRange).toBe(true);
    expect(total?.properties.metrics.map(settingsOf)[0]?.expression).toBe('service0 + service1 + service2 + service3');
  });

  /** Evaluates a service's expression, with every metric of a name at its value and all others without data. */
  function estimate(service: string, values: Readonly<Record<string, number | undefined>>): number {
    const { metrics = [] } =
      widgets.find(({ properties }) => properties.title.startsWith('Cost estimate by'))?.properties ?? {};
    const names = new Map(metrics.map((row) => [settingsOf(row).id, row[1]]));
    const { expression = '' } = metrics.map(settingsOf).find(({ label }) => label === service) ?? {};
    return expression.split(' + ').reduce((sum, term) => {
      const [, id = '', usd] = /^FILL\((\w+), 0\) \* (0\.\d+)$/.exec(term) ?? [];
      return sum + (values[String(names.get(id))] ?? 0) * Number(usd);
    }, 0);
  }
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
