import type { Assumptions } from '../workload/assumptions.ts';
import type { Workload } from '../workload/workload.ts';
import { ARCHITECTURES, type Architecture, costOf } from './compare.ts';
import { LEVER_NAMES, LEVERS, type Lever, type LeverName, withLevers } from './levers.ts';

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
      saved: savedTogether(withLevers(workload, others), assumed, [lever]),
    };
  });
}

/**
 * What levers save together, by architecture. Their savings do not add up, as two may save the same line.
 *
 * @returns US dollars a month; NaN where it is ruled out with the levers or without
 */
export function savedTogether(
  workload: Workload,
  assumed: Assumptions,
  on: readonly LeverName[],
): Readonly<Record<Architecture, number>> {
  const saved = (Object.keys(ARCHITECTURES) as Architecture[]).map((each) => {
    const before = costOf(each, workload, assumed);
    const after = costOf(each, withLevers(workload, on), assumed);
    return [each, before.isPossible && after.isPossible ? before.bill.total - after.bill.total : Number.NaN];
  });
  return Object.fromEntries(saved);
}
