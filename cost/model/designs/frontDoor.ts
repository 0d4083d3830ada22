import { type Line, line, standing } from '../../prices/bill.ts';
import {
  DASHBOARDS,
  DOOR_ALARMS,
  DOOR_CONNECTIONS,
  DOOR_MACHINE_GB,
  DOOR_START_AT,
  FUNCTION_GB,
  HEARTBEAT_SECONDS,
  HOST_DISK_GB,
  HOST_METRICS,
  SHARDS,
} from '../../prices/serviceFacts.ts';
import { MONTH_HOURS } from '../../prices/tiers.ts';
import type { Assumptions } from '../workload/assumptions.ts';
import { mean } from '../workload/curve.ts';
import { whole } from '../workload/figures.ts';
import { trafficOf } from '../workload/traffic.ts';
import type { Workload } from '../workload/workload.ts';
import { behindCloudFront } from './cloudFront.ts';
import { T4G_MICRO_BASELINE } from './credits.ts';
import { CLOUDFRONT_REGION, nameSettings, pollSettings } from './deployCommand.ts';
import { hostTrafficLines } from './hostData.ts';
import { connectionsIn } from './hostMemory.ts';
import { busyAlone, coresEach, fastPollNotes, hostHours } from './hostProcessor.ts';
import { serverlessLines } from './serverless.ts';
import { impossible, type Sizing } from './sizing.ts';

/** Half an hour with few connections passes before the machine is stopped. */
const QUIET_HOURS = 0.5;

/**
 * One t4g.micro for hours with many connections, and API Gateway for the others, behind one address at CloudFront. In the hours of the
 * machine, all connections are its own: API Gateway is for the time in which it is gone.
 */
export function frontDoor(workload: Workload, assumed: Assumptions): Sizing {
  const isOnHost = (share: number) => workload.connections * share > DOOR_START_AT;
  const busyHours = inHours(workload, isOnHost);
  // HTTP requests go to the HTTP API at all times.
  const onHost = { ...busyHours, eventsPerHour: 0 };
  const onGateway = inHours(workload, (share) => !isOnHost(share));
  const { starts, events } = trafficOf(workload);
  const hours = hostHours(onHost, assumed, assumed.fargateCoreFactor);
  const busy = hours.length * workload.days;
  const stops = hours.length > 0 && hours.length < 24 ? workload.days : 0;
  const running = Math.min(MONTH_HOURS, busy + stops * QUIET_HOURS);
  const cores = hours.map((hour) => coresEach(hour, 1));
  const surplus = cores.reduce((sum, used) => sum + used - T4G_MICRO_BASELINE, 0) * workload.days;
  const holds = Math.min(DOOR_CONNECTIONS, connectionsIn(DOOR_MACHINE_GB, workload, assumed));
  const held = Math.max(0, ...hours.map((hour) => hour.held));
  if (holds === 0) return impossible(`the environments do not fit in the ${DOOR_MACHINE_GB} GB of its machine`);
  if (Math.max(0, ...hours.map(({ ownCores }) => ownCores)) >= 1)
    return impossible(busyAlone(workload, 'a whole core', 'host'));
  const lines: Line[] = [
    ...serverlessLines(onGateway, assumed),
    ...serverlessLines(busyHours, assumed).filter(({ purpose }) => purpose === 'insights'),
    line('cdnRequest', 'insights', 'events', events / assumed.eventsPerRequest),
    standing('t4gMicroHour', 'machine', running),
    standing('t4gSurplusHour', 'surplus credits', Math.max(0, surplus)),
    standing('diskGb', 'disk, also of the stopped machine', HOST_DISK_GB),
    standing('publicIpv4Hour', 'address', running),
    standing('customMetric', 'metrics of the machine and its agent', (running / MONTH_HOURS) * HOST_METRICS),
    standing('alarm', 'alarms of the front door', DOOR_ALARMS),
    standing('smallDashboard', 'dashboard of the host', DASHBOARDS),
    ...tierLines(workload, assumed, stops, running),
    line('cdnFunction', 'connections', 'choice of the origin', starts),
    line('cdnStoreRead', 'connections', 'choice of the origin', starts),
    ...hostTrafficLines(onHost, assumed, {
      processHours: running,
      processes: Math.min(1, hours.length),
      handshakeBytes: assumed.handshakeBytes,
    }),
  ];
  return {
    lines: behindCloudFront(lines, workload, assumed),
    settings: {
      'host.count': 1,
      ...nameSettings('frontDoor', CLOUDFRONT_REGION),
      ...pollSettings('host', workload),
    },
    machines: 1,
    problems: [
      ...(held > holds ? [`its machine holds ${whole(holds)} connections; the others would be on API Gateway`] : []),
      ...(Math.max(0, ...cores) > 1 ? ['needs more than one core in the busiest hour'] : []),
    ],
    lacks: ['a trial on AWS: the documentation of CloudFront does not say that handshakes fail over'],
    notes: fastPollNotes(workload, 'host'),
  };
}

/** A function that counts connections each minute, in each shard, decides whether the machine runs, and writes that to CloudFront. */
function tierLines({ environments }: Workload, { healMs }: Assumptions, stops: number, running: number): Line[] {
  const calls = MONTH_HOURS * 60;
  return [
    standing('lambdaRequest', 'tier', calls),
    standing('lambdaGbSecond', 'tier', (calls * healMs * FUNCTION_GB.heal) / 1_000),
    standing('readUnit', 'connections counted by tier', (calls * environments * SHARDS) / 2),
    // One of the tier, of the heartbeat and of the health, with strong consistency.
    standing('readUnit', 'state of the tier and the machine', 3 * calls),
    standing('writeUnit', 'heartbeats and health of the machine', calls + (running * 3_600) / HEARTBEAT_SECONDS),
    // Two requests a day, at each stop and at each start.
    standing('cdnStoreCall', 'writes of the hint', 2 * (MONTH_HOURS / 24 + 2 * stops)),
  ];
}

/** The part of a workload in some hours of the day, with as many new connections in each of them. */
function inHours(workload: Workload, isIn: (share: number) => boolean): Workload {
  const curve = workload.curve.map((share) => (isIn(share) ? share : 0));
  const usual = (shares: readonly number[]) => mean(shares.filter((share) => share > 0));
  const isUsed = curve.some((share) => share > 0);
  if (!isUsed) return { ...workload, curve, connections: 0, newPerHour: 0 };
  return { ...workload, curve, newPerHour: (workload.newPerHour * usual(curve)) / usual(workload.curve) };
}
