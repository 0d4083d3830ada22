import type { Assumptions } from '../workload/assumptions.ts';
import type { Workload } from '../workload/workload.ts';
import { ARCHITECTURES, type Architecture } from './compare.ts';
import { costWithLevers, LEVER_NAMES, LEVERS, type Lever, type LeverName } from './levers.ts';

/** Savings below this, in US dollars a month, are not shown. */
export const MIN_SAVED = 0.005;

/** A lever, whether it is set, and what it saves in addition to the others that are. */
export interface LeverRow extends Pick<Lever, 'name' | 'tradeOff'> {
  readonly lever: LeverName;
  readonly isOn: boolean;
  /** US dollars a month; NaN where it is ruled out with the lever or without. */
  readonly saved: Readonly<Record<Architecture, number>>;
}

/**
 * What each lever saves of each architecture: two may save the same line, so each saving is in addition to the levers that are set.
 *
 * @param workload without any of them
 * @param on those that are set
 */
export function leverTable(workload: Workload, assumed: Assumptions, on: readonly LeverName[]): LeverRow[] {
  return LEVER_NAMES.map((lever) => {
    const others = on.filter((each) => each !== lever);
    const { name, tradeOff }: Lever = LEVERS[lever];
    return {
      lever,
      name,
      ...(tradeOff === undefined ? {} : { tradeOff }),
      isOn: on.includes(lever),
      saved: byArchitecture((each) => {
        const without = costWithLevers(each, workload, assumed, others);
        const set = costWithLevers(each, workload, assumed, [...others, lever]);
        const arePossible = without.cost.isPossible && set.cost.isPossible;
        return arePossible ? without.cost.bill.total - set.cost.bill.total : Number.NaN;
      }),
    };
  });
}

/** What those that are set save together. */
export function savedTogether(
  workload: Workload,
  assumed: Assumptions,
  on: readonly LeverName[],
): Readonly<Record<Architecture, number>> {
  return byArchitecture((each) => costWithLevers(each, workload, assumed, on).saved);
}

function byArchitecture(usd: (architecture: Architecture) => number): Readonly<Record<Architecture, number>> {
  const names = Object.keys(ARCHITECTURES) as Architecture[];
  return Object.fromEntries(names.map((each) => [each, usd(each)])) as Record<Architecture, number>;
}
