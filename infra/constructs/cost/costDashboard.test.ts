import { describe, expect, jest, test } from '@jest/globals';
import { line, priceLines } from '../../../cost/prices/bill.ts';
import {
  fargateMeters,
  hostMeters,
  type Meter,
  type MeteredResource,
  SERVERLESS_METERS,
} from '../../../cost/prices/meters.ts';
import { SMALL_DASHBOARD_METRICS } from '../../../cost/prices/serviceFacts.ts';
import { priceSheetOf } from '../../../cost/prices/sheets.ts';
import { MONTH_HOURS } from '../../../cost/prices/tiers.ts';
import type { Settings } from '../../config/settingsSchema.ts';
import { templateWith } from '../../stacks/testing/templates.ts';
import { evaluate, metricsOf, PERIOD, type ShownMetric, type Widget, widgetsOf } from './testing/widgets.ts';

// Synthesis takes a second alone, and many on a busy machine.
jest.setTimeout(60_000);

const all: Settings = {
  host: true,
  fargate: { vcpu: 0.5, memoryGb: 3 },
  streamingAccessLogs: 'existing-role',
  lean: false,
};
const widgetsWith = (settings: Settings = all) => widgetsOf(templateWith('Cost', settings));
const widget = (title: string, widgets = widgetsWith()) =>
  widgets.find(({ properties }) => properties.title === title) as Widget;

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
  host: 'InstanceId {HostMachineInstance}',
  tasks: 'ClusterName {HostsCluster} ServiceName {HostsService.Name}',
  balancer: 'LoadBalancer {EntryBalancer.LoadBalancerFullName}',
};

const tasks = fargateMeters({ vcpu: 0.5, gb: 3, addresses: 1 });
const machine = hostMeters('t2MicroHour', 't2SurplusHour');
const METERS = [...SERVERLESS_METERS, ...machine, ...tasks];

/** Metrics that have no price. */
const COUNTED: Readonly<Record<string, number>> = {
  'sync.latency SampleCount Stage Flagwire-dev': 600,
  'netstat_tcp_established Average InstanceId {HostMachineInstance}': 40,
  'ActiveFlowCount Average LoadBalancer {EntryBalancer.LoadBalancerFullName}': 50,
  'NewFlowCount Sum LoadBalancer {EntryBalancer.LoadBalancerFullName}': 700,
};

/** A value for each meter's metric, different for every one; the same for meters that share one. */
const sample = ({ namespace, metric, resource }: Meter) =>
  1 + [...`${namespace}${metric}${resource}`].reduce((sum, letter) => (sum * 31 + letter.charCodeAt(0)) % 9_973, 7);

function valueAt(shown: ShownMetric): number {
  const { namespace, metric, statistic } = shown;
  // The machine's id ends with a digest of what it installs.
  const dimensions = shown.dimensions.replace(/(HostMachineInstance)[^}]+/, '$1');
  const meter = METERS.find(
    (each) =>
      each.namespace === namespace &&
      each.metric === metric &&
      each.statistic === statistic &&
      DIMENSIONS[each.resource] === dimensions,
  );
  const value = meter ? sample(meter) : COUNTED[`${metric} ${statistic} ${dimensions}`];
  if (value === undefined) throw new Error(`${namespace} ${metric} is no metric of ours: ${JSON.stringify(shown)}`);
  return value;
}

/** What an implementation of its own makes of samples: the model's pricing, an hour of it, with what costs by the month. */
const pricedAnHour = (meters: readonly Meter[], standing: number) => {
  const lines = meters.map((meter) => line(meter.price, 'machines', meter.metric, sample(meter) * meter.each));
  return (priceLines(lines, priceSheetOf('us-east-1')).total * 3_600) / PERIOD + standing / MONTH_HOURS;
};

const HOURLY = {
  // Alarms, the dashboard and that of costs, five metrics.
  serverless: pricedAnHour(SERVERLESS_METERS, 19 * 0.1 + 2 * 3 + 5 * 0.3),
  't2.micro': pricedAnHour(machine, 3),
  // The balancer with two addresses, a dashboard, 13 metrics of alarms.
  Fargate: pricedAnHour(tasks, MONTH_HOURS * (0.0225 + 2 * 0.005) + 3 + 13 * 0.1),
};
const heldByServerless =
  sample(SERVERLESS_METERS.find(({ metric }) => metric.endsWith('duration')) as Meter) / 1_000 / PERIOD;

/** CloudWatch puts the average of a line in its label. */
const labelOf = (name: string) => `${name}, average \${AVG}`;

/** Expects values by label to be these, but for what metric math rounds. */
function expectClose(values: Readonly<Record<string, number>>, expected: readonly (readonly [string, number])[]): void {
  expect(Object.keys(values)).toEqual(expected.map(([label]) => label));
  for (const [label, value] of expected) expect((values[label] ?? 0) / value).toBeCloseTo(1, 6);
}

function expectLines(title: string, expected: Readonly<Record<string, number>>): void {
  const lines = Object.entries(expected).map(([design, value]) => [labelOf(design), value] as const);
  expectClose(evaluate(widget(title), valueAt), lines);
}

describe('the cost dashboard', () => {
  test('works each design out as the model does from the same metrics, with fixed costs', () => {
    expectLines('US dollars an hour', HOURLY);
  });

  test('divides it by data-syncs, where they are counted', () => {
    expectLines('US dollars per million data-syncs', {
      serverless: ((HOURLY.serverless / 12) * 1_000_000) / 600,
      Fargate: ((HOURLY.Fargate / 12) * 1_000_000) / 700,
    });
  });

  test('divides a month of it by connections', () => {
    expectLines('US dollars a month per 1,000 connections', {
      serverless: (HOURLY.serverless * 730_000) / heldByServerless,
      't2.micro': (HOURLY['t2.micro'] * 730_000) / 40,
      Fargate: (HOURLY.Fargate * 730_000) / 50,
    });
  });

  test.each([
    ['US dollars in the last day', '-P1D', 24],
    ['US dollars in the last 30 days', '-P30D', 720],
  ])('sums %s up', (title, start, hours) => {
    expect(widget(title).properties).toMatchObject({ start });
    const expected = Object.entries(HOURLY).map(([design, hourly]) => [design, hourly * hours] as const);
    expectClose(evaluate(widget(title), valueAt), expected);
  });

  test('has the alarms of a front door', () => {
    const frontDoor = {
      domainName: 'flags.example.com',
      certificateArn: 'arn:aws:acm:us-east-1:123456789012:certificate/01234567-89ab-cdef-0123-456789abcdef',
    };
    const idleWith = (alarms: boolean) =>
      evaluate(widget('US dollars an hour', widgetsWith({ lean: false, host: true, frontDoor, alarms })), () => 0)[
        labelOf('t4g.micro')
      ];
    expect(idleWith(true)).toBeCloseTo((3 + 2 * 0.1) / MONTH_HOURS, 9);
    expect(idleWith(false)).toBeCloseTo(3 / MONTH_HOURS, 9);
  });

  test('has what is deployed and has a price, and prices of the region', () => {
    const linesWith = (settings: Settings) =>
      Object.keys(evaluate(widget('US dollars an hour', widgetsWith({ lean: false, ...settings })), () => 1));
    expect(linesWith({})).toEqual([labelOf('serverless')]);
    expect(linesWith({ host: { instanceType: 'c7g.medium' } })).toEqual([labelOf('serverless')]);
    const [notes] = widgetsWith({ region: 'eu-west-1', account: '123456789012' });
    expect(notes?.properties.markdown).toContain('List prices of Europe (Ireland)');
  });

  test('has all lines in one graph where it has to be free', () => {
    const lean = widgetsWith({ ...all, lean: true });
    expect(lean.flatMap(metricsOf).length).toBeLessThanOrEqual(SMALL_DASHBOARD_METRICS);
    const labels = lean.flatMap((each) => Object.keys(evaluate(each, () => 1)));
    expect(labels).toHaveLength(8);
    expect(labels).toContain(labelOf('Fargate: US dollars an hour'));
  });

  test('keeps to CloudWatch’s limit of characters', () => {
    expect(
      Math.max(
        ...JSON.stringify(widgetsWith())
          .split('"')
          .map(({ length }) => length),
      ),
    ).toBeLessThanOrEqual(2_048);
  });
});
