import { byPurpose } from '../prices/bill.ts';
import { priceSheetOf } from '../prices/sheets.ts';
import type { Assumptions } from './assumptions.ts';
import type { RangedCost } from './compare.ts';
import { ARCHITECTURES } from './compare.ts';
import { ENGLISH, type Figures } from './figures.ts';
import { savingsOf } from './levers.ts';
import type { Workload } from './workload.ts';

/** A question of a payer, and its answer in a few sentences. */
export interface Answer {
  readonly question: string;
  readonly answer: string;
  /** A command to type. */
  readonly command?: string;
}

/** How many ways to pay less are listed. */
const MOST_SAVINGS = 3;

/** Up to this part of a bill, prices that no second source confirmed are not worth a word. */
const LEAST_UNCONFIRMED = 0.1;

/**
 * The four questions of a payer: what is cheapest, which command deploys it, what it lacks, and what would make it
 * cheaper. What cannot be done is never the cheapest.
 *
 * @param costs of all architectures
 * @param say how figures are written, and for which period
 */
export function verdictOf(
  workload: Workload,
  costs: readonly RangedCost[],
  assumed: Assumptions,
  say: Figures = ENGLISH,
): Answer[] {
  const possible = costs.filter(({ isPossible }) => isPossible).toSorted((a, b) => a.bill.total - b.bill.total);
  const [cheapest] = possible;
  if (!cheapest) return [{ question: 'Which is cheapest?', answer: `None of these ways can do it. ${reasons(costs)}` }];
  return [
    { question: 'Which is cheapest?', answer: cheapestText(workload, possible, costs, say) },
    { question: 'How do I deploy it?', answer: deployText(cheapest), command: cheapest.command },
    { question: 'What does it lack?', answer: lackText(cheapest, possible, say) },
    { question: 'What would make it cheaper?', answer: cheaperText(cheapest, workload, assumed, say) },
  ];
}

function cheapestText(
  workload: Workload,
  possible: readonly RangedCost[],
  costs: readonly RangedCost[],
  say: Figures,
): string {
  const [cheapest, second] = possible as [RangedCost, RangedCost | undefined];
  const held = `${say.count(workload.connections)} ${workload.connections === 1 ? 'connection' : 'connections'} at the busiest`;
  const guesses = [...(cheapest.guesses ?? []), ...unconfirmedOf(cheapest, workload, say)];
  const guess = guesses.length > 0 ? `, and that is partly a guess: ${guesses.join('; ')}` : '';
  const serverless = costs.find(({ architecture }) => architecture === 'serverless');
  const ruledOut = costs.filter(({ isPossible }) => !isPossible).map(({ architecture }) => ARCHITECTURES[architecture]);
  return [
    `${held}: ${ARCHITECTURES[cheapest.architecture]}, about ${say.cost(cheapest.bill.total)} a ${say.period}${guess}.`,
    ...instead(possible, ({ guesses }) => guesses === undefined, 'At list prices the cheapest is', say),
    ...instead(
      possible,
      ({ high }) => Number.isFinite(high),
      'With all assumptions against it, it is ruled out. The cheapest is then',
      say,
    ),
    ...(cheapest === serverless && second ? [`The next is ${priced(second, say)}.`] : []),
    ...(cheapest !== serverless && serverless?.isPossible ? [comparedText(serverless, cheapest, say)] : []),
    ...(ruledOut.length > 0 ? [`Ruled out: ${ruledOut.join('; ')}.`] : []),
  ].join(' ');
}

/** How much more serverless costs, and for what. */
function comparedText({ bill }: RangedCost, cheapest: RangedCost, say: Figures): string {
  const times = bill.total / cheapest.bill.total;
  const part = byPurpose(bill).heartbeat / bill.total;
  return `${ARCHITECTURES.serverless} costs ${say.cost(bill.total)}, ${say.count(times)} times as much; ${say.share(part)} of that are pings and pongs.`;
}

/** Why each of them cannot be done. */
function reasons(costs: readonly RangedCost[]): string {
  return costs
    .map(
      ({ architecture, problems }) =>
        `${capitalized(ARCHITECTURES[architecture])} is ruled out: ${problems.join('; ')}.`,
    )
    .join(' ');
}

/** The cheapest that something holds for, where it does not for the cheapest of all. */
function instead(
  [cheapest, ...others]: readonly RangedCost[],
  holds: (each: RangedCost) => boolean,
  words: string,
  say: Figures,
): string[] {
  const found = cheapest && !holds(cheapest) ? others.find(holds) : undefined;
  return found ? [`${words} ${priced(found, say)}.`] : [];
}

/** What of a bill is at prices that were seen in one place alone, if that is worth a word. */
function unconfirmedOf({ bill }: RangedCost, { region }: Workload, say: Figures): string[] {
  const { prices } = priceSheetOf(region);
  const items = bill.items.filter(({ price, usd }) => usd > 0 && !prices[price].isConfirmed);
  const usd = items.reduce((sum, each) => sum + each.usd, 0);
  const names = [...new Set(items.toSorted((a, b) => b.usd - a.usd).map(({ price }) => prices[price].what))];
  return usd > LEAST_UNCONFIRMED * bill.total
    ? [`${say.cost(usd)} of it is at prices that no second source confirmed, most of that for ${names[0]}`]
    : [];
}

function priced({ architecture, bill, guesses }: RangedCost, say: Figures): string {
  return `${ARCHITECTURES[architecture]}, ${say.cost(bill.total)}${guesses === undefined ? '' : ' (partly a guess)'}`;
}

function deployText({ notes, command }: RangedCost): string {
  const blanks = command.includes('<') ? ['Replace what is in angle brackets.'] : [];
  const said = [...notes.map((note) => `${capitalized(note)}.`), ...blanks];
  return said.length > 0 ? said.join(' ') : 'Run this command.';
}

function lackText({ lacks, bill }: RangedCost, possible: readonly RangedCost[], say: Figures): string {
  if (lacks.length === 0) return 'Nothing that the others have.';
  const whole = possible.find((each) => each.lacks.length === 0);
  const instead = whole
    ? ` The cheapest that lacks nothing is ${priced(whole, say)}: ${say.cost(whole.bill.total - bill.total)} more.`
    : '';
  return `${capitalized(lacks.join('; '))}.${instead}`;
}

function cheaperText({ architecture }: RangedCost, workload: Workload, assumed: Assumptions, say: Figures): string {
  const savings = savingsOf(architecture, workload, assumed).slice(0, MOST_SAVINGS);
  if (savings.length === 0) return 'Nothing that can be set: what is left is fixed, or the traffic itself.';
  return savings
    .map(({ name, price, usd, part }) => {
      const given = price ? `; for that ${price}` : '';
      return `${capitalized(name)}: ${say.cost(usd)} less (${say.share(part)})${given}.`;
    })
    .join(' ');
}

function capitalized(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
