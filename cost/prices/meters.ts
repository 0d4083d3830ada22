import type { Line, Purpose } from './bill.ts';
import type { PriceKey } from './priceSheet.ts';
import { FUNCTION_GB, type FunctionName, HOST_DISK_GB, HOST_METRICS } from './serviceFacts.ts';
import { MONTH_HOURS } from './tiers.ts';

/** A part of a deployment that CloudWatch measures; `stage` is what our functions record themselves. */
export type MeteredResource =
  | 'streaming'
  | 'polling'
  | 'stage'
  | FunctionName
  | `${FunctionName} log`
  | 'streaming log'
  | 'polling log'
  | 'flags'
  | 'connections'
  | 'queue'
  | 'insights'
  | 'host'
  | 'tasks'
  | 'balancer';

/** The CloudWatch dimensions of the parts of a deployment. A part that it lacks is left out. */
export type Dimensions = Partial<Record<MeteredResource, Readonly<Record<string, string>>>>;

/** A metric of CloudWatch that measures the use of something with a price. */
export interface Meter {
  /** What of the bill it belongs to. */
  readonly service: string;
  readonly price: PriceKey;
  readonly purpose: Purpose;
  readonly what: string;
  readonly resource: MeteredResource;
  readonly namespace: string;
  readonly metric: string;
  readonly statistic: 'Sum' | 'SampleCount';
  /** How many of the price's units one of the metric is. */
  readonly each: number;
}

/** The metric of a meter. Several prices can apply to one metric. */
export function metricOf({ namespace, metric, statistic, resource }: Meter): string {
  return [namespace, metric, statistic, resource].join(' ');
}

const GB = 1_024 ** 3;
const KB = 1_024;
const FUNCTIONS = Object.keys(FUNCTION_GB) as FunctionName[];

const PURPOSES: Readonly<Record<FunctionName, Purpose>> = {
  connect: 'connections',
  disconnect: 'connections',
  sync: 'syncs',
  default: 'messages',
  publish: 'pushes',
  deliver: 'pushes',
  heal: 'machines',
  http: 'insights',
};

/**
 * What the serverless stacks use, as CloudWatch measures it. Left out is what has no metric: data out, change
 * events, and second and third steps of 32 KB in large messages. A connection's minutes are counted when it ends.
 */
export const SERVERLESS_METERS: readonly Meter[] = [
  meter('WebSocket API', 'webSocketMessage', 'heartbeat', 'streaming', 'AWS/ApiGateway', 'MessageCount', 1),
  meter(
    'WebSocket API',
    'connectionMinute',
    'connections',
    'stage',
    'Flagwire',
    'websocket.connections.duration',
    1 / 60_000,
  ),
  meter('HTTP API', 'httpRequest', 'insights', 'polling', 'AWS/ApiGateway', 'Count', 1),
  ...FUNCTIONS.flatMap((name) => [
    meter('Lambda', 'lambdaRequest', PURPOSES[name], name, 'AWS/Lambda', 'Invocations', 1),
    meter('Lambda', 'lambdaGbSecond', PURPOSES[name], name, 'AWS/Lambda', 'Duration', FUNCTION_GB[name] / 1_000),
    meter('Logs', 'logGb', PURPOSES[name], `${name} log`, 'AWS/Logs', 'IncomingBytes', 1 / GB),
  ]),
  meter('Logs', 'logGb', 'heartbeat', 'streaming log', 'AWS/Logs', 'IncomingBytes', 1 / GB),
  meter('Logs', 'logGb', 'insights', 'polling log', 'AWS/Logs', 'IncomingBytes', 1 / GB),
  ...(['flags', 'connections'] as const).flatMap((table) => [
    meter('DynamoDB', 'readUnit', 'syncs', table, 'AWS/DynamoDB', 'ConsumedReadCapacityUnits', 1),
    meter('DynamoDB', 'writeUnit', 'syncs', table, 'AWS/DynamoDB', 'ConsumedWriteCapacityUnits', 1),
  ]),
  // Sending, receiving and deleting take up to one request for each message: an upper bound.
  ...['NumberOfMessagesSent', 'NumberOfMessagesReceived', 'NumberOfMessagesDeleted', 'NumberOfEmptyReceives'].map(
    (name) => meter('SQS', 'queueRequest', 'pushes', 'queue', 'AWS/SQS', name, 1),
  ),
  // Firehose rounds every record up to 5 KB, and most of ours, the events of one request, are smaller.
  meter('Firehose', 'deliveredGb', 'insights', 'insights', 'AWS/Firehose', 'IncomingRecords', (5 * KB) / GB),
];

/** Detailed monitoring measures a running instance once a minute: as many samples, so many minutes it ran. */
const RUN_HOURS = 1 / 60;
const RUN_MONTHS = RUN_HOURS / MONTH_HOURS;

/** The instance types in the price sheets, and what an hour and an hour of surplus credits are there. */
export const PRICED_INSTANCES: Readonly<Record<string, { readonly hour: PriceKey; readonly surplus: PriceKey }>> = {
  't2.micro': { hour: 't2MicroHour', surplus: 't2SurplusHour' },
  't4g.micro': { hour: 't4gMicroHour', surplus: 't4gSurplusHour' },
};

/**
 * What the t2.micro of one host uses. Its reads are in the table's metrics, with everybody else's; its network stays in
 * the region, but for clients elsewhere, and is left out as it is of API Gateway.
 */
export const HOST_METERS: readonly Meter[] = hostMeters('t2MicroHour', 't2SurplusHour');

/** Like {@link HOST_METERS}, for another instance type. */
export function hostMeters(hour: PriceKey, surplus: PriceKey): Meter[] {
  return [
    running(hour, 'machine', RUN_HOURS),
    running('publicIpv4Hour', 'address', RUN_HOURS),
    running('diskGb', 'disk', HOST_DISK_GB * RUN_MONTHS),
    running('customMetric', 'metrics', HOST_METRICS * RUN_MONTHS),
    // A credit is a core for a minute.
    meter('EC2', surplus, 'machines', 'host', 'AWS/EC2', 'CPUSurplusCreditsCharged', 1 / 60),
  ];
}

/**
 * What tasks on Fargate and the balancer in front of them use: CloudWatch has a value of each task, and the balancer's units, once a
 * minute. What the balancer costs by the hour is no matter of use; the tasks' reads are in the table's metrics.
 *
 * @param task processors and GB of a task, and addresses, none in a subnet behind a NAT gateway
 */
export function fargateMeters(task: {
  readonly vcpu: number;
  readonly gb: number;
  readonly addresses: 0 | 1;
}): Meter[] {
  const ran = { resource: 'tasks', namespace: 'AWS/ECS', metric: 'CPUUtilization', statistic: 'SampleCount' } as const;
  const tasks = (price: PriceKey, what: string, each: number): Meter[] =>
    each === 0 ? [] : [{ service: 'Fargate', price, purpose: 'machines', what, each: each * RUN_HOURS, ...ran }];
  return [
    ...tasks('fargateArmVcpuHour', 'processors', task.vcpu),
    ...tasks('fargateArmGbHour', 'memory', task.gb),
    ...tasks('publicIpv4Hour', 'addresses of tasks', task.addresses),
    meter(
      'Load balancer',
      'loadBalancerUnitHour',
      'connections',
      'balancer',
      'AWS/NetworkELB',
      'ConsumedLCUs',
      RUN_HOURS,
    ),
  ];
}

/** A line of a bill that was measured, and by whose bill it is. */
export interface MeteredLine extends Line {
  readonly service: string;
}

/** The lines of a bill that measured values amount to. @param usedOf a meter's metric over the whole time */
export function linesFrom(meters: readonly Meter[], usedOf: (meter: Meter) => number): MeteredLine[] {
  return meters.map((meter) => {
    const { service, price, purpose, what, each } = meter;
    return { service, price, purpose, what, quantity: usedOf(meter) * each };
  });
}

function meter(
  service: string,
  price: PriceKey,
  purpose: Purpose,
  resource: MeteredResource,
  namespace: string,
  metric: string,
  each: number,
): Meter {
  const what = `${resource}: ${metric}`;
  return { service, price, purpose, what, resource, namespace, metric, statistic: 'Sum', each };
}

function running(price: PriceKey, what: string, each: number): Meter {
  const ran = { resource: 'host', namespace: 'AWS/EC2', metric: 'CPUUtilization', statistic: 'SampleCount' } as const;
  return { service: 'EC2', price, purpose: 'machines', what, each, ...ran };
}
