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
  readonly price: PriceKey;
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

/**
 * What the serverless stacks use, as CloudWatch measures it. Left out is what has no metric: data out, change
 * events, and second and third steps of 32 KB in large messages. A connection's minutes are counted when it ends.
 */
export const SERVERLESS_METERS: readonly Meter[] = [
  meter('webSocketMessage', 'streaming', 'AWS/ApiGateway', 'MessageCount', 1),
  meter('connectionMinute', 'stage', 'Flagwire', 'websocket.connections.duration', 1 / 60_000),
  meter('httpRequest', 'polling', 'AWS/ApiGateway', 'Count', 1),
  ...FUNCTIONS.flatMap((name) => [
    meter('lambdaRequest', name, 'AWS/Lambda', 'Invocations', 1),
    meter('lambdaGbSecond', name, 'AWS/Lambda', 'Duration', FUNCTION_GB[name] / 1_000),
    meter('logGb', `${name} log`, 'AWS/Logs', 'IncomingBytes', 1 / GB),
  ]),
  meter('logGb', 'streaming log', 'AWS/Logs', 'IncomingBytes', 1 / GB),
  meter('logGb', 'polling log', 'AWS/Logs', 'IncomingBytes', 1 / GB),
  ...(['flags', 'connections'] as const).flatMap((table) => [
    meter('readUnit', table, 'AWS/DynamoDB', 'ConsumedReadCapacityUnits', 1),
    meter('writeUnit', table, 'AWS/DynamoDB', 'ConsumedWriteCapacityUnits', 1),
  ]),
  // Sending, receiving and deleting take up to one request for each message: an upper bound.
  ...['NumberOfMessagesSent', 'NumberOfMessagesReceived', 'NumberOfMessagesDeleted', 'NumberOfEmptyReceives'].map(
    (name) => meter('queueRequest', 'queue', 'AWS/SQS', name, 1),
  ),
  // Firehose rounds every record up to 5 KB, and most of ours, the events of one request, are smaller.
  meter('deliveredGb', 'insights', 'AWS/Firehose', 'IncomingRecords', (5 * KB) / GB),
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
 * What the machine of one host uses. Its reads are in the table's metrics, with everybody else's; its network stays in
 * the region, but for clients elsewhere, and is left out as it is of API Gateway.
 */
export function hostMeters(hour: PriceKey, surplus: PriceKey): Meter[] {
  const running = runningMeter('host', 'AWS/EC2');
  return [
    running(hour, RUN_HOURS),
    running('publicIpv4Hour', RUN_HOURS),
    running('diskGb', HOST_DISK_GB * RUN_MONTHS),
    running('customMetric', HOST_METRICS * RUN_MONTHS),
    // A credit is a core for a minute.
    meter(surplus, 'host', 'AWS/EC2', 'CPUSurplusCreditsCharged', 1 / 60),
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
  const running = runningMeter('tasks', 'AWS/ECS');
  return [
    running('fargateArmVcpuHour', task.vcpu * RUN_HOURS),
    running('fargateArmGbHour', task.gb * RUN_HOURS),
    ...(task.addresses > 0 ? [running('publicIpv4Hour', task.addresses * RUN_HOURS)] : []),
    meter('loadBalancerUnitHour', 'balancer', 'AWS/NetworkELB', 'ConsumedLCUs', RUN_HOURS),
  ];
}

function meter(price: PriceKey, resource: MeteredResource, namespace: string, metric: string, each: number): Meter {
  return { price, resource, namespace, metric, statistic: 'Sum', each };
}

/** Meters of what runs: its samples of CPU use, one a minute. */
function runningMeter(resource: 'host' | 'tasks', namespace: string): (price: PriceKey, each: number) => Meter {
  return (price, each) => ({ price, resource, namespace, metric: 'CPUUtilization', statistic: 'SampleCount', each });
}
