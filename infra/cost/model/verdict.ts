import type { Assumptions } from './assumptions.ts';
import { bareMachineUsd } from './bareMachine.ts';
import type { RangedCost } from './compare.ts';
import { ARCHITECTURES } from './compare.ts';
import { count, money, share } from './figures.ts';
import { savingsOf } from './levers.ts';
import type { Workload } from './workload.ts';

/** A question of whoever pays, and its answer in a sentence or a few. */
export interface Answer {
  readonly question: string;
  readonly answer: string;
}

/** How many ways to pay less are told of. */
const MOST_SAVINGS = 3;

/**
 * The four questions of whoever pays: what is cheapest, whether it can be bought as it stands, what it lacks, and what would make it
 * cheaper. What cannot be done is never the cheapest.
 *
 * @param costs of all architectures
 */
export function verdictOf(workload: Workload, costs: readonly RangedCost[], assumed: Assumptions): Answer[] {
  const possible = costs.filter(({ isPossible }) => isPossible).toSorted((a, b) => a.bill.total - b.bill.total);
  const [cheapest] = possible;
  if (!cheapest)
    return [{ question: 'Which is cheapest?', answer: `None of these ways can do it. ${impossibleOnes(costs)}` }];
  return [
    { question: 'Which is cheapest?', answer: cheapestText(workload, possible, costs) },
    { question: 'Can it be bought as it stands?', answer: buyText(cheapest, costs) },
    { question: 'What does it lack?', answer: lackText(cheapest, possible) },
    { question: 'What would make it cheaper?', answer: cheaperText(cheapest, workload, assumed) },
  ];
}

function cheapestText(workload: Workload, possible: readonly RangedCost[], costs: readonly RangedCost[]): string {
  const [cheapest, second] = possible as [RangedCost, RangedCost | undefined];
  const held = `${count(workload.connections)} ${workload.connections === 1 ? 'connection' : 'connections'} at the busiest`;
  const surely = possible.find(({ high }) => Number.isFinite(high));
  const condition =
    Number.isFinite(cheapest.high) || surely === undefined
      ? ''
      : ` That holds only if the assumptions do: with all of them against it, it cannot be done, and ${ARCHITECTURES[surely.architecture]} is the cheapest that can, about ${money(surely.bill.total)}.`;
  const serverless = costs.find(({ architecture }) => architecture === 'serverless');
  const said = `${held}: ${ARCHITECTURES[cheapest.architecture]}, about ${money(cheapest.bill.total)} a month.${condition}`;
  if (cheapest === serverless) {
    const next = second ? ` The next is ${ARCHITECTURES[second.architecture]}, ${money(second.bill.total)}.` : '';
    return `${said}${next}${bareText(workload, cheapest)}`;
  }
  if (!serverless?.isPossible) return said;
  const times = serverless.bill.total / cheapest.bill.total;
  const beats = serverless.bill.items
    .filter(({ purpose }) => purpose === 'heartbeat')
    .reduce((sum, { usd }) => sum + usd, 0);
  return `${said} ${ARCHITECTURES.serverless} would take ${money(serverless.bill.total)}, ${times.toFixed(times < 10 ? 1 : 0)} times as much; ${share(beats / serverless.bill.total)} of that are pings and pongs.`;
}

/** The ways compared are monitored; a machine that nobody watches may cost less than any of them. */
function bareText({ region }: Workload, { bill }: RangedCost): string {
  const bare = bareMachineUsd(region);
  if (bare >= bill.total) return '';
  return ` A bare t4g.nano is less, ${money(bare)} before its data: without alarms, metrics, dashboard or failover, which are counted here.`;
}

function buyText({ architecture, notes }: RangedCost, costs: readonly RangedCost[]): string {
  const sized = notes.length > 0 ? `: ${notes.join(', ')}` : '';
  return `Yes, ${ARCHITECTURES[architecture]} needs nothing that an account does not have${sized}. ${impossibleOnes(costs)}`.trim();
}

function impossibleOnes(costs: readonly RangedCost[]): string {
  return costs
    .filter(({ isPossible }) => !isPossible)
    .map(({ architecture, problems }) => `Not possible is ${ARCHITECTURES[architecture]}: ${problems.join('; ')}.`)
    .join(' ');
}

function lackText({ lacks, bill }: RangedCost, possible: readonly RangedCost[]): string {
  if (lacks.length === 0) return 'Nothing that the others have.';
  const whole = possible.find((each) => each.lacks.length === 0);
  const instead = whole
    ? ` The cheapest that lacks nothing is ${ARCHITECTURES[whole.architecture]}: ${money(whole.bill.total)}, ${money(whole.bill.total - bill.total)} more.`
    : '';
  return `${capitalized(lacks.join('; '))}.${instead}`;
}

function cheaperText({ architecture }: RangedCost, workload: Workload, assumed: Assumptions): string {
  const savings = savingsOf(architecture, workload, assumed).slice(0, MOST_SAVINGS);
  if (savings.length === 0) return 'Nothing that can be set: what is left is fixed, or the traffic itself.';
  return savings
    .map(({ name, price, usd, part }) => {
      const given = price ? `; for that ${price}` : '';
      return `${capitalized(name)}: ${money(usd)} less (${share(part)})${given}.`;
    })
    .join(' ');
}

function capitalized(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
