import { UNLIMITED_CREDITS } from '../designs/t2.ts';
import type { Assumptions } from '../workload/assumptions.ts';
import { ENGLISH, type Figures } from '../workload/figures.ts';
import type { Workload } from '../workload/workload.ts';
import { ARCHITECTURES, type Architecture, choose, costOf, type RangedCost } from './compare.ts';

/** What to choose for a workload. */
export interface Verdict {
  /** Undefined where nothing can serve the workload. */
  readonly architecture?: Architecture;
  /** The choice with its cost, to be shown large. */
  readonly headline: string;
  /** The range of its cost; empty where there is none. */
  readonly range: string;
  /** The load. */
  readonly about: string;
  /** What deploys the choice. */
  readonly command?: string;
  /** A cheaper choice that needs a setting which the workload does not have, and what deploys it. */
  readonly cheaper?: { readonly about: string; readonly command: string };
}

/**
 * What to {@link choose}. Notes on the options say what speaks against them.
 *
 * @param costs of all architectures
 * @param say how figures are written
 */
export function verdictOf(
  workload: Workload,
  costs: readonly RangedCost[],
  assumed: Assumptions,
  say: Figures = ENGLISH,
): Verdict {
  const choice = choose(costs);
  const held = `${say.count(workload.connections)} ${workload.connections === 1 ? 'connection' : 'connections'} at peak`;
  if (!choice) return { headline: 'None of these options', range: '', about: held };
  const { architecture, bill, command } = choice;
  return {
    architecture,
    headline: `${ARCHITECTURES[architecture]} — ${say.rounded(bill.total)}${loadTime(workload)}`,
    range: say.range(choice),
    about: held,
    command,
    ...cheaperWithCredits(workload, choice, costs, assumed, say),
  };
}

/** For how many hours a month hosts run, if that is not all the time. */
function loadTime({ servers, days, curve }: Workload): string {
  if (servers === 'always') return '';
  const hours = Math.round(days * curve.filter((share) => share > 0).length);
  return `, for ${hours} ${hours === 1 ? 'hour' : 'hours'} of load a month`;
}

/** One t2.micro, if only its credits stand against it and it costs less than the choice with unlimited ones. */
function cheaperWithCredits(
  workload: Workload,
  choice: RangedCost,
  costs: readonly RangedCost[],
  assumed: Assumptions,
  say: Figures,
): Pick<Verdict, 'cheaper'> {
  const t2 = costs.find(({ architecture }) => architecture === 't2');
  const against = t2 ? [...t2.problems, ...t2.risks] : [];
  if (against.length === 0 || !against.every((text) => text.includes(UNLIMITED_CREDITS))) return {};
  const { bill, command, isPossible } = costOf('t2', { ...workload, credits: 'unlimited' }, assumed);
  if (!isPossible || bill.total >= choice.bill.total) return {};
  const about = `Cheaper: ${ARCHITECTURES.t2} with ${UNLIMITED_CREDITS} — ${say.rounded(bill.total)}. AWS charges for CPU beyond its credits. It has no failover.`;
  return { cheaper: { about, command } };
}
