import { describe, expect, jest, test } from '@jest/globals';
import { priceLines } from '../../../cost/prices/bill.ts';
import {
  fargateMeters,
  HOST_METERS,
  linesFrom,
  type Meter,
  type MeteredResource,
  SERVERLESS_METERS,
} from '../../../cost/prices/meters.ts';
import { priceSheetOf } from '../../../cost/prices/sheets.ts';
import { MONTH_HOURS } from '../../../cost/prices/tiers.ts';
import { onlyResourceOf, templateWith, textOf } from '../../stacks/testing/templates.ts';

// Synthesis takes a second alone, and many on a busy machine.
jest.setTimeout(60_000);

interface Settings {
  readonly id: string;
  readonly label?: string;
  readonly expression?: string;
  readonly stat?: string;
}
interface Widget {
  readonly properties: { readonly title: string; readonly metrics: readonly unknown[][]; readonly region?: string };
}

/** Seconds in which CloudWatch gathers what a graph shows. */
const PERIOD = 300;
const with_ = {
  host: true,
  fargate: true,
  streamingAccessLogs: 'existing-role',
  lean: false,
};
const widgetsOf = (stack: 'Serverless' | 'Host' | 'Fargate', settings: Record<string, unknown> = with_): Widget[] =>
  JSON.parse(
    textOf(onlyResourceOf(templateWith(stack, settings), 'AWS::CloudWatch::Dashboard').properties['DashboardBody']),
  ).widgets;
const widget = (widgets: readonly Widget[], title: string) =>
  widgets.find(({ properties }) => properties.title.startsWith(title)) as Widget;

/** How each part of the deployment is known to CloudWatch. */
const DIMENSIONS: Readonly<Record<MeteredResource, string>> = {
  streaming: 'ApiId {StreamingApi} Stage streaming',
  polling: 'ApiId {PollingApi} Stage $default',
  stage: 'Stage Flagwire-dev',
  connect: 'FunctionName {StreamingConnectHandler}',
  sync: 'FunctionName {StreamingSyncHandler}',
  default: 'FunctionName {StreamingDefaultRouteHandler}',
  disconnect: 'FunctionName {StreamingDisconnectHandler}',
  publish: 'FunctionName {PushPublishHandler}',
  deliver: 'FunctionName {PushDeliverHandler}',
  heal: 'FunctionName {HealingHealHandler}',
  http: 'FunctionName {PollingHttpHandler}',
  'connect log': 'LogGroupName {StreamingConnectLogs}',
  'sync log': 'LogGroupName {StreamingSyncLogs}',
  'default log': 'LogGroupName {StreamingDefaultRouteLogs}',
  'disconnect log': 'LogGroupName {StreamingDisconnectLogs}',
  'publish log': 'LogGroupName {PushPublishLogs}',
  'deliver log': 'LogGroupName {PushDeliverLogs}',
  'heal log': 'LogGroupName {HealingHealLogs}',
  'http log': 'LogGroupName {PollingHttpLogs}',
  'streaming log': 'LogGroupName {StreamingVendedAccessLogs}',
  'polling log': 'LogGroupName {PollingVendedAccessLogs}',
  flags: 'TableName {Flags}',
  connections: 'TableName {Connections}',
  queue: 'QueueName {PushQueue.QueueName}',
  insights: 'DeliveryStreamName {InsightStream}',
  host: 'InstanceId {HostMachineInstance…}',
  tasks: 'ClusterName {HostsCluster} ServiceName {HostsService.Name}',
  balancer: 'LoadBalancer {EntryBalancer.LoadBalancerFullName}',
};

/** A value for each meter's metric, different for every one; the same for meters that share one. */
const sample = ({ namespace, metric, resource }: Meter) =>
  1 + [...`${namespace}${metric}${resource}`].reduce((sum, letter) => (sum * 31 + letter.charCodeAt(0)) % 9_973, 7);

/** What an implementation of its own makes of samples: the model's pricing, an hour of it. */
const pricedAnHour = (meters: readonly Meter[]) =>
  (priceLines(linesFrom(meters, sample), priceSheetOf('us-east-1')).total * 3_600) / PERIOD;

/**
 * Works a widget's expressions out as CloudWatch would, each metric at its sample.
 *
 * @returns by label
 */
function evaluate({ properties: { metrics } }: Widget, meters: readonly Meter[]): Record<string, number> {
  const rows = metrics.map((row) => ({ row, settings: row.at(-1) as Settings }));
  const values: Record<string, number> = {};
  for (const { row, settings } of rows) {
    if (settings.expression !== undefined) continue;
    const [namespace, metric, ...dimensions] = row as string[];
    const meter = meters.find(
      (each) =>
        each.namespace === namespace &&
        each.metric === metric &&
        each.statistic === settings.stat &&
        DIMENSIONS[each.resource] === withoutHashes(dimensions.slice(0, -1).join(' ')),
    );
    if (!meter) throw new Error(`${namespace} ${metric} is no meter of ours: ${JSON.stringify(row)}`);
    values[settings.id] = sample(meter);
  }
  const byLabel: Record<string, number> = {};
  let left = rows.filter(({ settings }) => settings.expression !== undefined).map(({ settings }) => settings);
  while (left.length > 0) {
    const ready = left.filter(({ expression = '' }) => idsIn(expression).every((id) => id in values));
    if (ready.length === 0) throw new Error(`cannot be worked out: ${left[0]?.expression}`);
    for (const { id, label = id, expression = '' } of ready) {
      values[id ?? label] = compute(expression, values);
      byLabel[label] = values[id ?? label] as number;
    }
    left = left.filter((each) => !ready.includes(each));
  }
  return byLabel;
}

/** The machine's id ends with a digest of what it installs. */
function withoutHashes(text: string): string {
  return text.replace(/(HostMachineInstance)[^}]+/, '$1…');
}

function idsIn(expression: string): string[] {
  return (expression.match(/\b[a-z]\w*\b/g) ?? []).filter((word) => /\d/.test(word) || word.length === 1);
}

function compute(expression: string, values: Readonly<Record<string, number>>): number {
  const script = expression
    .replace(/FILL\((\w+), 0\)/g, '$1')
    .replace(/PERIOD\(\w+\)/g, String(PERIOD))
    .replace(/^TIME_SERIES\(AVG\((\w+)\)(.*)\)$/, '$1$2')
    .replace(/\b[a-z]\w*\b/g, (id) => String(values[id]));
  if (!/^[\d.+*/() eE-]+$/.test(script)) throw new Error(`not arithmetic: ${script}`);
  return Function(`return ${script}`)() as number;
}

describe('the cost on the dashboards', () => {
  test('is, for the serverless stack, what the model makes of the same metrics', () => {
    const byService = evaluate(widget(widgetsOf('Serverless'), 'Cost an hour by service'), SERVERLESS_METERS);
    const total = Object.values(byService).reduce((sum, usd) => sum + usd, 0);
    expect(total).toBeCloseTo(pricedAnHour(SERVERLESS_METERS), 6);
    expect(Object.keys(byService)).toEqual([
      'WebSocket API',
      'HTTP API',
      'Lambda',
      'Logs',
      'DynamoDB',
      'SQS',
      'Firehose',
    ]);
    for (const [service, usd] of Object.entries(byService)) {
      expect(usd).toBeCloseTo(pricedAnHour(SERVERLESS_METERS.filter((each) => each.service === service)), 9);
    }
  });

  test('is, for the host, what the model makes of the same metrics', () => {
    const byService = evaluate(widget(widgetsOf('Host'), 'Cost an hour by service'), HOST_METERS);
    const total = Object.values(byService).reduce((sum, usd) => sum + usd, 0);
    expect(total).toBeCloseTo(pricedAnHour(HOST_METERS), 9);
  });

  test('is, for tasks on Fargate, what the model makes of the same metrics, by the size of a task', () => {
    const meters = fargateMeters({ vcpu: 0.5, gb: 3, addresses: 1 });
    const size = { ...with_, fargate: { vcpu: 0.5, memoryGb: 3 } as const };
    const byService = evaluate(widget(widgetsOf('Fargate', size), 'Cost an hour by service'), meters);
    expect(Object.keys(byService)).toEqual(['Fargate', 'Load balancer']);
    const total = Object.values(byService).reduce((sum, usd) => sum + usd, 0);
    expect(total).toBeCloseTo(pricedAnHour(meters), 9);
    // Tasks run on arm64, and those are the prices taken.
    expect(widget(widgetsOf('Fargate', size), 'Cost an hour').properties.title).toContain(
      'Virginia), arm64 on demand;',
    );
    const month = evaluate(widget(widgetsOf('Fargate', size), 'Cost of a month'), meters);
    const standing = MONTH_HOURS * (0.0225 + 2 * 0.005) + 3 + 6 * 0.1;
    expect(month['Fargate, a month']).toBeCloseTo(pricedAnHour(meters) * MONTH_HOURS + standing, 6);
  });

  test('comes to a month with its fixed costs', () => {
    const month = widget(widgetsOf('Serverless'), 'Cost of a month');
    const standing = 16 * 0.1 + 3 + 5 * 0.3;
    expect(evaluate(month, SERVERLESS_METERS)['serverless, a month']).toBeCloseTo(
      pricedAnHour(SERVERLESS_METERS) * MONTH_HOURS + standing,
      4,
    );
    const without = widget(widgetsOf('Serverless', { ...with_, alarms: false }), 'Cost of a month');
    expect(evaluate(without, SERVERLESS_METERS)['serverless, a month']).toBeCloseTo(
      pricedAnHour(SERVERLESS_METERS) * MONTH_HOURS + 3 + 5 * 0.3,
      4,
    );
  });

  test('of both stands side by side on the host’s dashboard, with prices of the stack’s region', () => {
    const both = evaluate(widget(widgetsOf('Host'), 'Cost an hour, side by side'), [
      ...SERVERLESS_METERS,
      ...HOST_METERS,
    ]);
    expect(both['serverless']).toBeCloseTo(pricedAnHour(SERVERLESS_METERS), 6);
    expect(both['t2.micro']).toBeCloseTo(pricedAnHour(HOST_METERS), 9);
    const irish = widgetsOf('Serverless', {
      lean: false,
      region: 'eu-west-1',
      account: '123456789012',
    });
    expect(widget(irish, 'Cost an hour').properties.title).toContain('Europe (Ireland)');
  });
});
