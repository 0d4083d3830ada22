import { type Bill, priceLines } from '../../prices/bill.ts';
import { priceSheetOf } from '../../prices/sheets.ts';
import { deployCommand } from '../designs/deployCommand.ts';
import { sizeFargate } from '../designs/fargate.ts';
import { frontDoor } from '../designs/frontDoor.ts';
import { memoryProblems, quotaNeeds } from '../designs/quotas.ts';
import { serverlessLines } from '../designs/serverless.ts';
import type { Sizing } from '../designs/sizing.ts';
import { singleT2 } from '../designs/t2.ts';
import type { Assumptions } from '../workload/assumptions.ts';
import type { Workload } from '../workload/workload.ts';

/** The architectures compared, in the order they are shown. */
export const ARCHITECTURES = {
  serverless: 'serverless',
  t2: 'one t2.micro',
  fargate: 'Fargate',
  door: 'front door',
} as const;

/** Their colors in all charts. Most people with color blindness can distinguish them: they are of Okabe and Ito, but for one. */
export const COLOURS: Readonly<Record<Architecture, string>> = {
  serverless: '#0072b2',
  t2: '#d55e00',
  fargate: '#cc79a7',
  door: '#8a6fc7',
};

/** One of {@link ARCHITECTURES}. */
export type Architecture = keyof typeof ARCHITECTURES;

/** What an architecture costs a month. */
export interface Cost extends Omit<Sizing, 'lines' | 'settings'> {
  readonly bill: Bill;
  /** What deploys it. */
  readonly command: string;
  /** What you have to request of AWS before it serves the workload. */
  readonly needs: readonly string[];
  readonly overQuota: readonly string[];
  /** Whether it counts: it can serve the workload, and needs no request to AWS. */
  readonly isPossible: boolean;
}

/** The assumptions as expected, and as they would make everything low or high. */
export interface Ranges {
  readonly low: Assumptions;
  readonly expected: Assumptions;
  readonly high: Assumptions;
}

/** A cost with its range. */
export interface RangedCost extends Cost {
  readonly architecture: Architecture;
  /** US dollars a month under the best and the worst assumptions; Infinity where they rule it out. */
  readonly low: number;
  readonly high: number;
  /** Why the worst assumptions rule out what the expected ones allow. */
  readonly risks: readonly string[];
}

/** What an architecture costs a month under one set of assumptions. */
export function costOf(architecture: Architecture, workload: Workload, assumed: Assumptions): Cost {
  const sheet = priceSheetOf(workload.region);
  const price = (lines: Sizing['lines']) => priceLines(lines, sheet, workload.freeTier);
  const sizings: Record<Architecture, () => Sizing> = {
    serverless: () => ({
      lines: serverlessLines(workload, assumed),
      settings: {},
      machines: 0,
      problems: memoryProblems(workload, assumed),
      needs: quotaNeeds(workload, assumed),
      lacks: [],
      notes: [],
    }),
    t2: () => singleT2(workload, assumed),
    fargate: () => sizeFargate(workload, assumed, (lines) => price(lines).total),
    door: () => frontDoor(workload, assumed),
  };
  const { lines, settings, needs = [], overQuota = [], ...rest } = sizings[architecture]();
  const command = deployCommand(workload, settings);
  const isPossible = rest.problems.length === 0 && needs.length === 0;
  return { ...rest, needs, overQuota, bill: price(lines), command, isPossible };
}

/** What every architecture costs a month, each with its range. */
export function compare(workload: Workload, ranges: Ranges): RangedCost[] {
  return (Object.keys(ARCHITECTURES) as Architecture[]).map((architecture) => {
    const expected = costOf(architecture, workload, ranges.expected);
    const costs = [costOf(architecture, workload, ranges.low), expected, costOf(architecture, workload, ranges.high)];
    const totals = costs.map(({ bill, isPossible }) => (isPossible ? bill.total : Number.POSITIVE_INFINITY));
    const ruledOut = costs.find(({ isPossible }) => !isPossible);
    return {
      architecture,
      ...expected,
      low: Math.min(...totals),
      high: Math.max(...totals),
      risks: ruledOut && expected.isPossible ? obstaclesOf(ruledOut) : [],
    };
  });
}

/**
 * The cheapest option that assumes nothing unconfirmed and that the worst values do not rule out. Where there is none, the cheapest of
 * the confirmed ones, then of all; undefined where nothing can serve the workload.
 */
export function choose(costs: readonly RangedCost[]): RangedCost | undefined {
  const possible = costs.filter(({ isPossible }) => isPossible).toSorted((a, b) => a.bill.total - b.bill.total);
  const confirmed = possible.filter(({ assumes }) => assumes === undefined);
  return confirmed.find(({ risks }) => risks.length === 0) ?? confirmed[0] ?? possible[0];
}

/** Everything that rules an option out. */
export function obstaclesOf({ problems, needs }: Pick<Cost, 'problems' | 'needs'>): readonly string[] {
  return [...problems, ...needs];
}

/** Whether its command works today, in the words of a table. */
export function readiness({ problems, needs, overQuota, assumes }: Omit<Cost, 'bill' | 'command'>): string {
  if (problems.length > 0) return 'ruled out';
  if (assumes) return 'after a trial';
  return needs.length + overQuota.length > 0 ? 'after a quota increase' : 'yes';
}
