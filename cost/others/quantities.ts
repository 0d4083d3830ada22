import type { Assumptions } from '../model/assumptions.ts';
import { unitsADay } from '../model/balancer.ts';
import { averageOverSdks } from '../model/flagSizes.ts';
import { trafficOf } from '../model/traffic.ts';
import type { Workload } from '../model/workload.ts';
import { HOST_DISK_GB } from '../prices/serviceFacts.ts';
import { MONTH_HOURS } from '../prices/tiers.ts';
import type { Counted } from './others.ts';

/** The step in which AppSync and IoT Core count messages, in bytes. */
const MESSAGE_STEP = 5 * 1_024;

/** How often polling is counted, in seconds. */
export const POLL_SECONDS = 60;

/**
 * What one capacity unit of an Application Load Balancer has room for.
 *
 * Source: https://aws.amazon.com/elasticloadbalancing/pricing/
 */
const LCU = { newASecond: 25, active: 3_000 };

/** How much of each thing that has a price a load takes in a month; users and seats, which it does not tell, are missing. */
export function quantitiesOf(workload: Workload, assumed: Assumptions): Readonly<Partial<Record<Counted, number>>> {
  const { sdks, environments, days, servers } = workload;
  const { hours, connectionHours, starts, pings, messages, changes, pushes } = trafficOf(workload);
  const serverShare = sdks.filter(({ type }) => type === 'server').reduce((sum, { share }) => sum + share, 0);
  return {
    month: 1,
    hours: servers === 'hourly' ? days * hours.length : MONTH_HOURS,
    diskGb: HOST_DISK_GB,
    connectionMinutes: connectionHours * 60,
    channelMinutes: environments * MONTH_HOURS * 60,
    starts,
    subscriptions: starts,
    changes,
    // The whole document, from which each client's value is evaluated.
    published: changes * stepsOf(workload.flagBytes),
    pushes,
    delivered: pushes * averageOverSdks(workload, assumed, stepsOf),
    // A data-sync for each start besides.
    receivedByTwenty: (pings + messages + starts) / 20,
    polls: (connectionHours * 3_600) / POLL_SECONDS,
    serverConnections: (connectionHours * serverShare) / MONTH_HOURS,
    lcuHours: days * unitsADay(workload, assumed, LCU),
  };
}

/** Begun steps of a message; an empty one counts as well. */
function stepsOf(bytes: number): number {
  return Math.max(1, Math.ceil(bytes / MESSAGE_STEP));
}
