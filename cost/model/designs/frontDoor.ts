import { type Line, line, standing } from '../../prices/bill.ts';
import {
  DASHBOARDS,
  DOOR_ALARMS,
  DOOR_CONNECTIONS,
  DOOR_MACHINE_GB,
  FUNCTION_GB,
  HEARTBEAT_SECONDS,
  HOST_DISK_GB,
  HOST_METRICS,
} from '../../prices/serviceFacts.ts';
import { MONTH_HOURS } from '../../prices/tiers.ts';
import type { Assumptions } from '../workload/assumptions.ts';
import { whole } from '../workload/figures.ts';
import { trafficOf } from '../workload/traffic.ts';
import type { Workload } from '../workload/workload.ts';
import { CLOUDFRONT_REGION, nameSettings, pollSettings } from './deployCommand.ts';
import { busyAlone, connectionsIn, coresEach, fastPollNotes, hostHours } from './hostCapacity.ts';
import { behindCloudFront, hostDataLines } from './hostData.ts';
import { serverlessLines } from './serverless.ts';
import { impossible, type Sizing } from './sizing.ts';
import { surplusHours, T4G_MICRO_BASELINE } from './t2.ts';

/** One t4g.micro with all connections, and API Gateway for the time in which it is gone, behind one address at CloudFront. */
export function frontDoor(workload: Workload, assumed: Assumptions): Sizing {
  // HTTP requests go to the HTTP API.
  const onHost = { ...workload, eventsPerHour: 0 };
  const { starts, events } = trafficOf(workload);
  const hours = hostHours(onHost, assumed, assumed.fargateCoreFactor);
  const cores = hours.map((hour) => coresEach(hour, 1));
  const holds = Math.min(DOOR_CONNECTIONS, connectionsIn(DOOR_MACHINE_GB, workload, assumed));
  const held = Math.max(0, ...hours.map((hour) => hour.held));
  if (holds === 0) return impossible(`the environments do not fit in the ${DOOR_MACHINE_GB} GB of its machine`);
  if (Math.max(0, ...hours.map(({ ownCores }) => ownCores)) >= 1)
    return impossible(busyAlone(workload, 'a whole core', 'host'));
  const lines: Line[] = [
    ...serverlessLines(workload, assumed).filter(({ purpose }) => purpose === 'insights'),
    line('cdnRequest', 'insights', 'events', events / assumed.eventsPerRequest),
    standing('t4gMicroHour', 'machine', MONTH_HOURS),
    standing('t4gSurplusHour', 'surplus credits', workload.days * surplusHours(cores, T4G_MICRO_BASELINE)),
    standing('diskGb', 'disk', HOST_DISK_GB),
    standing('publicIpv4Hour', 'address', MONTH_HOURS),
    standing('customMetric', 'metrics of the machine and its agent', HOST_METRICS),
    standing('alarm', 'alarms of the front door', DOOR_ALARMS),
    standing('smallDashboard', 'dashboard of the host', DASHBOARDS),
    ...tierLines(assumed),
    line('cdnFunction', 'connections', 'choice of the origin', starts),
    line('cdnStoreRead', 'connections', 'choice of the origin', starts),
    ...hostDataLines(onHost, assumed, {
      processHours: workload.days * hours.length,
      processes: 1,
      handshakeBytes: assumed.handshakeBytes,
    }),
  ];
  return {
    lines: behindCloudFront(lines, workload, assumed),
    settings: {
      host: true,
      ...nameSettings('frontDoor', CLOUDFRONT_REGION),
      ...pollSettings('host', workload),
    },
    machines: 1,
    problems: [
      ...(held > holds ? [`its machine holds ${whole(holds)} connections; the others would be on API Gateway`] : []),
      ...(Math.max(0, ...cores) > 1 ? ['needs more than one core in the busiest hour'] : []),
    ],
    assumes: 'CloudFront fails over for WebSocket handshakes, which AWS does not document',
    lacks: [],
    notes: fastPollNotes(workload, 'host'),
  };
}

/** A function that observes the machine each minute, and writes to CloudFront where handshakes go first. */
function tierLines({ healMs }: Assumptions): Line[] {
  const calls = MONTH_HOURS * 60;
  return [
    standing('lambdaRequest', 'tier', calls),
    standing('lambdaGbSecond', 'tier', (calls * healMs * FUNCTION_GB.heal) / 1_000),
    // One of the tier, of the heartbeat and of the health, with strong consistency.
    standing('readUnit', 'state of the tier and the machine', 3 * calls),
    standing('writeUnit', 'heartbeats and health of the machine', calls + (MONTH_HOURS * 3_600) / HEARTBEAT_SECONDS),
    // Two requests a day.
    standing('cdnStoreCall', 'writes of the hint', (2 * MONTH_HOURS) / 24),
  ];
}
