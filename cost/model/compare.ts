import { type Bill, priceLines } from '../prices/bill.ts';
import { priceSheetOf } from '../prices/sheets.ts';
import type { Assumptions } from './assumptions.ts';
import { deployCommand } from './deployCommand.ts';
import { fargatePlan } from './fargate.ts';
import type { Plan } from './plan.ts';
import { memoryProblems, quotaProblems } from './quotas.ts';
import { serverlessLines } from './serverless.ts';
import { singleT2, t2Fleet } from './t2.ts';
import type { Workload } from './workload.ts';

/** The architectures compared, in the order they are shown. */
export const ARCHITECTURES = {
  serverless: 'API Gateway and Lambda',
  t2: 'one t2.micro',
  fleet: 'two t2.micro or more',
  fargate: 'Fargate, two tasks or more',
  spot: 'Fargate Spot, two tasks or more',
} as const;

/** One of {@link ARCHITECTURES}. */
export type Architecture = keyof typeof ARCHITECTURES;

/** What an architecture costs a month. */
export interface Cost extends Omit<Plan, 'lines' | 'settings'> {
  readonly bill: Bill;
  /** What deploys it. */
  readonly command: string;
  /** Whether it can serve the workload; what it would cost is no cost to compare where it cannot. */
  readonly isPossible: boolean;
}

/** The assumptions as expected, and as they would make everything low or high. */
export interface Ranges {
  readonly low: Assumptions;
  readonly expected: Assumptions;
  readonly high: Assumptions;
}

/** A cost, and between what it lies. */
export interface RangedCost extends Cost {
  readonly architecture: Architecture;
  /** US dollars a month, with everything assumed in its favour, and against it; Infinity where it cannot be done like that. */
  readonly low: number;
  readonly high: number;
}

/** What an architecture costs a month under one set of assumptions. */
export function costOf(architecture: Architecture, workload: Workload, assumed: Assumptions): Cost {
  const sheet = priceSheetOf(workload.region);
  const price = (lines: Plan['lines']) => priceLines(lines, sheet, workload.freeTier);
  const plans: Record<Architecture, () => Plan> = {
    serverless: () => ({
      lines: serverlessLines(workload, assumed),
      settings: {},
      machines: 0,
      problems: [...quotaProblems(workload, assumed), ...memoryProblems(workload, assumed)],
      lacks: [],
      notes: [],
    }),
    t2: () => singleT2(workload, assumed),
    fleet: () => t2Fleet(workload, assumed),
    fargate: () => fargatePlan(workload, assumed, 'on-demand', (lines) => price(lines).total),
    spot: () => fargatePlan(workload, assumed, 'spot', (lines) => price(lines).total),
  };
  const { lines, settings, ...rest } = plans[architecture]();
  const command = deployCommand(workload, settings);
  return { ...rest, bill: price(lines), command, isPossible: rest.problems.length === 0 };
}

/** What every architecture costs a month, and between what each lies. */
export function compare(workload: Workload, ranges: Ranges): RangedCost[] {
  return (Object.keys(ARCHITECTURES) as Architecture[]).map((architecture) => {
    const total = (assumed: Assumptions) => {
      const { bill, isPossible } = costOf(architecture, workload, assumed);
      return isPossible ? bill.total : Number.POSITIVE_INFINITY;
    };
    const totals = [total(ranges.low), total(ranges.expected), total(ranges.high)];
    return {
      architecture,
      ...costOf(architecture, workload, ranges.expected),
      low: Math.min(...totals),
      high: Math.max(...totals),
    };
  });
}
