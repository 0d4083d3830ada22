import { byPurpose } from '../../prices/bill.ts';
import { PRICE_KEYS, type PriceKey, type PriceSheet } from '../../prices/priceSheet.ts';
import { priceSheetOf } from '../../prices/sheets.ts';
import { QUOTA_GUIDE } from '../designs/quotas.ts';
import { ENGLISH, type Figures } from '../workload/figures.ts';
import { trafficOf } from '../workload/traffic.ts';
import type { Workload } from '../workload/workload.ts';
import { ARCHITECTURES, compare, costOf, type Ranges } from './compare.ts';
import { costCurve, crossings } from './crossings.ts';
import { type LeverName, leverTable, savedTogether, withLevers } from './levers.ts';
import { verdictOf } from './verdict.ts';

/** What a workload costs, and what to choose. */
export type CostReport = ReturnType<typeof reportOn>;

/** One architecture with its figures. */
export type ArchitectureReport = CostReport['architectures'][number];

/** How a report is to be made. */
interface ReportOptions {
  /** Levers that are set. */
  readonly levers?: readonly LeverName[];
  /** How the verdict writes its figures. */
  readonly figures?: Figures;
}

/**
 * Works out what a workload costs with each architecture, what to choose, and at how many connections the choice changes.
 *
 * @param given without levers
 */
export function reportOn(given: Workload, ranges: Ranges, { levers = [], figures = ENGLISH }: ReportOptions = {}) {
  const workload = withLevers(given, levers);
  const traffic = trafficOf(workload);
  const sheet = priceSheetOf(workload.region);
  const curve = costCurve(workload, ranges);
  const costs = compare(workload, ranges);
  return {
    workload,
    prices: { region: sheet.region, name: sheet.name, unconfirmed: unconfirmedOf(sheet) },
    verdict: verdictOf(workload, costs, ranges.expected, figures),
    architectures: costs.map((cost) => {
      const purposes = byPurpose(cost.bill);
      const syncs = cost.architecture === 'serverless' ? traffic.opens : traffic.starts;
      const each = (usd: number, count: number) => (count > 0 && usd > 0 ? (usd / count) * 1e6 : Number.NaN);
      return {
        ...cost,
        name: ARCHITECTURES[cost.architecture],
        /** The expected bill by purpose, in US dollars. */
        purposes,
        /** Part of the bill that pings and pongs are, 0 to 1. */
        heartbeatShare: cost.bill.total > 0 ? purposes.heartbeat / cost.bill.total : 0,
        /** US dollars a month without connections and changes. */
        idle: costOf(cost.architecture, idle(workload), ranges.expected).bill.total,
        /** US dollars for a million data-syncs, and for a million messages with a change, without machines; NaN where there are none. */
        millionSyncs: each(purposes.syncs, syncs),
        millionPushes: each(purposes.pushes, traffic.pushes),
      };
    }),
    /** Costs with more or fewer connections, and where the choice changes. */
    curve,
    crossings: crossings(workload, ranges, curve),
    /** All levers, and what those that are set save together, in US dollars a month. */
    levers: leverTable(given, ranges.expected, levers),
    savedTogether: savedTogether(given, ranges.expected, levers),
  };
}

/** The workload without connections, changes and messages. */
export function idle(workload: Workload): Workload {
  return { ...workload, connections: 0, newPerHour: 0, changesPerDay: 0, eventsPerHour: 0, messagesPerHour: 0 };
}

/** What to know of an architecture: why it is not ready or in doubt, what it lacks, and what its cost assumes. */
export function notesOf({
  name,
  problems,
  risks,
  needs,
  overQuota,
  assumes,
  lacks,
  notes,
}: ArchitectureReport): string[] {
  return [
    ...problems.map((problem) => `${name} is ruled out: ${problem}`),
    ...risks.map((risk) => `${name} is ruled out by the worst assumptions: ${risk}`),
    ...[...needs, ...overQuota].map((need) => `${name} needs a quota increase (${QUOTA_GUIDE}): ${need}`),
    ...(assumes && problems.length === 0 ? [`${name} needs a trial first: it assumes that ${assumes}`] : []),
    ...lacks.map((lack) => `${name} lacks ${lack}`),
    ...notes.map((note) => `${name}: ${note}`),
  ];
}

function unconfirmedOf({ prices }: PriceSheet): PriceKey[] {
  return PRICE_KEYS.filter((key) => !prices[key].isConfirmed);
}
