import { compareOthers } from '../others/compareOthers.ts';
import type { Assumptions } from './assumptions.ts';
import type { Workload } from './workload.ts';

/**
 * US dollars a month of the least machine that could serve a few: a t4g.nano with its address, its disk, its reads of the table and data
 * out, without alarms, metrics, a dashboard or a second one; NaN where it cannot hold as many.
 */
export function bareMachineUsd(workload: Workload, assumed: Assumptions): number {
  const bare = compareOthers(workload, assumed).find(({ key }) => key === 't4g-nano');
  return bare?.usd === undefined || bare.problem !== undefined ? Number.NaN : bare.usd;
}
