import { byPurpose } from '../../prices/bill.ts';
import { PRICE_KEYS } from '../../prices/priceSheet.ts';
import { priceSheetOf } from '../../prices/sheets.ts';
import { QUOTA_GUIDE } from '../designs/quotas.ts';
import { ENGLISH, type Figures } from '../workload/figures.ts';
import type { Workload } from '../workload/workload.ts';
import { ARCHITECTURES, compare, costOf, type Ranges } from './compare.ts';
import { costCurve, crossings } from './crossings.ts';
import { LEVER_NAMES, leverTable, savedTogether } from './levers.ts';
import { verdictOf } from './verdict.ts';

/** What a workload costs, and what to choose. */
export type CostReport = ReturnType<typeof reportOn>;

/** One architecture with its figures. */
export type ArchitectureReport = CostReport['architectures'][number];

/**
 * Works out what a workload costs with each architecture, what to choose, and at how many connections the choice changes.
 *
 * @param figures how the verdict writes its figures
 */
export function reportOn(workload: Workload, ranges: Ranges, figures: Figures = ENGLISH) {
  const sheet = priceSheetOf(workload.region);
  const unconfirmed = PRICE_KEYS.filter((key) => !sheet.prices[key].isConfirmed);
  const curve = costCurve(workload, ranges);
  const costs = compare(workload, ranges);
  return {
    workload,
    prices: { region: sheet.region, name: sheet.name, unconfirmed },
    verdict: verdictOf(workload, costs, ranges.expected, figures),
    architectures: costs.map((cost) => {
      const purposes = byPurpose(cost.bill);
      return {
        ...cost,
        name: ARCHITECTURES[cost.architecture],
        /** The expected bill by purpose, in US dollars. */
        purposes,
        /** Part of the bill that pings and pongs are, 0 to 1. */
        heartbeatShare: cost.bill.total > 0 ? purposes.heartbeat / cost.bill.total : 0,
        /** US dollars a month without connections and changes. */
        idle: costOf(cost.architecture, idle(workload), ranges.expected).bill.total,
      };
    }),
    /** Costs with more or fewer connections, and where the choice changes. */
    curve,
    crossings: crossings(workload, ranges, curve),
    /** All levers, and what they save together, in US dollars a month. */
    levers: leverTable(workload, ranges.expected),
    savedTogether: savedTogether(workload, ranges.expected, LEVER_NAMES),
  };
}

/** The workload without connections, changes and events. */
export function idle(workload: Workload): Workload {
  return { ...workload, connections: 0, newPerHour: 0, changesPerDay: 0, eventsPerHour: 0 };
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
