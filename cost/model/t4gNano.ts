import { type Line, priceLines } from '../prices/bill.ts';
import { HOST_DISK_GB, TASK_CONNECTIONS } from '../prices/serviceFacts.ts';
import { priceSheetOf } from '../prices/sheets.ts';
import { MONTH_HOURS } from '../prices/tiers.ts';
import type { Assumptions } from './assumptions.ts';
import { hostDataLines } from './hostData.ts';
import { connectionsIn } from './hostMemory.ts';
import { trafficOf } from './traffic.ts';
import type { Workload } from './workload.ts';

/** Memory of a t4g.nano. */
const MEMORY_GB = 0.5;

/**
 * US dollars a month of one t4g.nano that nothing monitors: machine, address, disk, reads of the table and data out. It has no alarms,
 * metrics, dashboard or failover.
 *
 * @returns NaN where it cannot hold the connections
 */
export function t4gNanoUsd(workload: Workload, assumed: Assumptions): number {
  if (workload.connections > Math.min(TASK_CONNECTIONS, connectionsIn(MEMORY_GB, workload, assumed))) return Number.NaN;
  const hours = workload.servers === 'hourly' ? workload.days * trafficOf(workload).hours.length : MONTH_HOURS;
  const machine = (price: Line['price'], what: string, quantity: number): Line => {
    return { price, purpose: 'machines', what, quantity };
  };
  const lines = [
    machine('t4gNanoHour', 'the machine', hours),
    machine('publicIpv4Hour', 'its address', hours),
    machine('diskGb', 'its disk', HOST_DISK_GB),
    ...hostDataLines(workload, assumed, { processHours: hours, processes: 1, handshakeBytes: assumed.handshakeBytes }),
  ];
  return priceLines(lines, priceSheetOf(workload.region), workload.freeTier).total;
}
