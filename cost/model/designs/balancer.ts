import { type Line, standing } from '../../prices/bill.ts';
import { PONG_BYTES } from '../../prices/serviceFacts.ts';
import { MONTH_HOURS } from '../../prices/tiers.ts';
import type { Assumptions } from '../workload/assumptions.ts';
import { type Traffic, trafficOf } from '../workload/traffic.ts';
import type { Workload } from '../workload/workload.ts';
import { hostDataLines } from './hostData.ts';

/** Zones that the load balancer is in, each with an address. */
const ZONES = 2;

/**
 * What one capacity unit of a network load balancer has room for.
 *
 * Source: https://aws.amazon.com/elasticloadbalancing/pricing/
 */
const UNIT = {
  tls: { newASecond: 50, active: 3_000 },
  tcp: { newASecond: 800, active: 100_000 },
  bytesAnHour: 1_024 ** 3,
} as const;

/** A network load balancer in front of hosts, in two zones: all month, or in the hours with connections. */
export function balancerLines(workload: Workload, assumed: Assumptions): Line[] {
  const hours = workload.servers === 'hourly' ? workload.days * trafficOf(workload).hours.length : MONTH_HOURS;
  return [
    standing('loadBalancerHour', 'load balancer', hours),
    standing('publicIpv4Hour', 'addresses of the load balancer', hours * ZONES),
    standing('loadBalancerUnitHour', 'load balancer capacity units', workload.days * unitsADay(workload, assumed)),
  ];
}

/** Capacity units times hours of a day: in each hour as many as its scarcest dimension takes. */
export function unitsADay(workload: Workload, assumed: Assumptions): number {
  const { newASecond, active } = workload.tls ? UNIT.tls : UNIT.tcp;
  const traffic = trafficOf(workload);
  const bytesPerConnectionHour =
    traffic.connectionHours > 0 ? bytesOut(workload, assumed, traffic) / traffic.connectionHours : 0;
  return traffic.hours.reduce((sum, { held, started }) => {
    const bytes = held * bytesPerConnectionHour;
    return sum + Math.max(started / 3_600 / newASecond, held / active, bytes / UNIT.bytesAnHour);
  }, 0);
}

/** Bytes of a month both ways: what comes in is as small as a pong. */
function bytesOut(workload: Workload, assumed: Assumptions, { pings, messages }: Traffic): number {
  const { handshakeBytes } = assumed;
  const out = hostDataLines(workload, assumed, { processHours: 0, processes: 0, handshakeBytes })
    .filter(({ price }) => price === 'dataOut')
    .reduce((sum, { quantity }) => sum + quantity, 0);
  return out * 1_024 ** 3 + (pings + messages) * (PONG_BYTES + assumed.frameBytes);
}
