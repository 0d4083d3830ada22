import { readMeasured } from '../../cost/assumptions/measured.ts';
import { rangesFrom } from '../../cost/assumptions/ranges.ts';
import { rangesOf } from '../../cost/assumptions/rangesOf.ts';
import { type Architecture, costOf } from '../../cost/model/report/compare.ts';
import { idle } from '../../cost/model/report/report.ts';
import { trafficOf } from '../../cost/model/workload/traffic.ts';
import { parseWorkload, type Workload } from '../../cost/model/workload/workload.ts';
import { byPurpose } from '../../cost/prices/bill.ts';
import { SDK_PING_SECONDS } from '../../shared/protocol/ping.ts';

/** Connections that the costs are computed for. */
export const HELD = 10_000;

/** Data-syncs a second for the time of machines: the lowest of FeatBit's rates. */
const RATE = 1_000;
const MILLION = 1e6;

/** The costs of a design in US dollars. Undefined if the design cannot serve {@link HELD} connections. */
export interface DesignCosts {
  /** A month with {@link HELD} open connections, pings every 18 s, and no changes. */
  readonly heldMonth: number | undefined;
  /** A million connections with a data-sync each. For machines, this includes their time at 1,000 connections a second. */
  readonly millionSyncs: number | undefined;
  /** A change to {@link HELD} clients. */
  readonly change: number | undefined;
  /** A month without clients. */
  readonly idleMonth: number;
}

/** The cost model's expected values. */
const { expected } = rangesOf(rangesFrom(readMeasured()));

/** Computes the cost of a month in US dollars with connections that are open all day, as in README's table. */
export const monthCost = (architecture: Architecture, connections: number): number =>
  costOf(architecture, parseWorkload({ connections }), expected).bill.total;

/** Computes the costs of a design with the expected values of the cost model (docs/cost.md). */
export function designCosts(architecture: Architecture): DesignCosts {
  const cost = (workload: Workload) => costOf(architecture, workload, expected);
  const held = heldWorkload({});
  const { bill, isPossible } = cost(held);
  const idleMonth = cost(idle(held)).bill.total;
  if (!isPossible) return { heldMonth: undefined, millionSyncs: undefined, change: undefined, idleMonth };
  const each = (more: Workload, count: (workload: Workload) => number) =>
    (cost(more).bill.total - bill.total) / (count(more) - count(held));
  const starts = each(heldWorkload({ newPerHour: 2 * HELD }), (workload) => trafficOf(workload).starts) * MILLION;
  const machineHour = architecture === 'serverless' ? 0 : byPurpose(bill).machines / 730;
  return {
    heldMonth: bill.total,
    millionSyncs: starts + machineHour * (MILLION / RATE / 3_600),
    change: each(heldWorkload({ changesPerDay: 24 }), (workload) => trafficOf(workload).changes),
    idleMonth,
  };
}

function heldWorkload(more: { readonly newPerHour?: number; readonly changesPerDay?: number }): Workload {
  const sdks = [{ share: 1, pingSeconds: SDK_PING_SECONDS, type: 'client' as const }];
  return parseWorkload({ connections: HELD, sdks, flags: 5, changesPerDay: 0, credits: 'unlimited', ...more });
}
