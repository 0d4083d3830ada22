import { byPurpose } from '../../prices/bill.ts';
import { PLACEHOLDERS } from '../designs/deployCommand.ts';
import { QUOTA_GUIDE } from '../designs/quotas.ts';
import { UNLIMITED_CREDITS } from '../designs/t2.ts';
import type { Assumptions } from '../workload/assumptions.ts';
import { ENGLISH, type Figures } from '../workload/figures.ts';
import type { Workload } from '../workload/workload.ts';
import { ARCHITECTURES, type Architecture, choose, costOf, obstaclesOf, type RangedCost } from './compare.ts';
import { savingsOf } from './levers.ts';

/** A question of a payer, and its answer in a few sentences. */
export interface Answer {
  readonly question: string;
  readonly answer: string;
}

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
  readonly answers: readonly Answer[];
}

/** How many savings are listed. */
const MOST_SAVINGS = 3;

/**
 * What to {@link choose}, and why.
 *
 * @param costs of all architectures
 * @param say how figures are written, and for which period
 */
export function verdictOf(
  workload: Workload,
  costs: readonly RangedCost[],
  assumed: Assumptions,
  say: Figures = ENGLISH,
): Verdict {
  const possible = costs.filter(({ isPossible }) => isPossible).toSorted((a, b) => a.bill.total - b.bill.total);
  const choice = choose(costs);
  const held = `${say.count(workload.connections)} ${workload.connections === 1 ? 'connection' : 'connections'} at peak`;
  if (!choice)
    return {
      headline: 'None of these options',
      range: '',
      about: held,
      answers: [{ question: 'Why?', answer: reasons(costs) }],
    };
  const { architecture, bill, command } = choice;
  return {
    architecture,
    headline: `${ARCHITECTURES[architecture]} — ${say.rounded(bill.total)}${loadTime(workload)}`,
    range: say.range(choice),
    about: held,
    command,
    ...cheaperWithCredits(workload, choice, costs, assumed, say),
    answers: [
      { question: 'Can I run it today?', answer: readyText(choice) },
      { question: 'Why this one?', answer: whyText(choice, possible, costs, say) },
      { question: 'What does it lack?', answer: lackText(choice, possible.slice(possible.indexOf(choice)), say) },
      { question: 'What would make it cheaper?', answer: cheaperText(choice, workload, assumed, say) },
    ],
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

function readyText({ needs, overQuota, notes, command }: RangedCost): string {
  const replaced = PLACEHOLDERS.filter((word) => command.includes(word));
  const said = [...notes, ...(replaced.length > 0 ? [`replace ${replaced.join(', ')}`] : [])];
  const raised = [...needs, ...overQuota];
  const first = raised.length > 0 ? `After a quota increase (${QUOTA_GUIDE}): ${raised.join('; ')}.` : 'Yes.';
  // The command of the npm package needs the default quotas only.
  const check = command.startsWith('npm ') ? ['npm run deploy -- --preflight checks the quotas of your account.'] : [];
  return [first, ...check, ...said.map((text) => `${capitalized(text)}.`)].join(' ');
}

function whyText(
  choice: RangedCost,
  possible: readonly RangedCost[],
  costs: readonly RangedCost[],
  say: Figures,
): string {
  const passedOver = possible.slice(0, possible.indexOf(choice));
  const others = possible.filter((each) => each !== choice && !passedOver.includes(each));
  const compared = others.find(({ architecture }) => architecture === 'serverless') ?? others[0];
  const named = (title: string, of: readonly RangedCost[]) =>
    of.length > 0 ? [`${title}: ${of.map(({ architecture }) => ARCHITECTURES[architecture]).join('; ')}.`] : [];
  return [
    ...(passedOver.length > 0 ? passedOver.map((each) => passedOverText(each, say)) : ['It is the cheapest.']),
    ...choice.risks.map((risk) => `It is in doubt: ${risk}.`),
    ...(compared ? [comparedText(compared, choice, say)] : []),
    ...named(
      'Ruled out',
      costs.filter(({ problems }) => problems.length > 0),
    ),
    ...named(
      'Needs a quota increase (--any includes it)',
      costs.filter(({ isPossible, problems }) => !isPossible && problems.length === 0),
    ),
  ].join(' ');
}

/** What a cheaper option costs, and why it is not the choice. */
function passedOverText({ architecture, bill, risks }: RangedCost, say: Figures): string {
  return `${capitalized(ARCHITECTURES[architecture])} would cost ${say.cost(bill.total)}, but the worst assumptions rule it out: ${risks.join('; ')}.`;
}

/** How much more another option costs, and of serverless for what. */
function comparedText({ architecture, bill }: RangedCost, choice: RangedCost, say: Figures): string {
  const times = bill.total / choice.bill.total;
  const more = times < 2 ? `${say.share(times - 1)} more` : `${say.count(times)} times as much`;
  const part = byPurpose(bill).heartbeat / bill.total;
  const pings = architecture === 'serverless' ? `; ${say.share(part)} of that are pings and pongs` : '';
  return `${capitalized(ARCHITECTURES[architecture])} costs ${say.cost(bill.total)}, ${more}${pings}.`;
}

/** Why each of them cannot serve the workload. */
function reasons(costs: readonly RangedCost[]): string {
  return costs
    .map((each) => `${capitalized(ARCHITECTURES[each.architecture])}: ${obstaclesOf(each).join('; ')}.`)
    .join(' ');
}

/** @param dearer options that cost no less, cheapest first */
function lackText({ lacks, bill }: RangedCost, dearer: readonly RangedCost[], say: Figures): string {
  if (lacks.length === 0) return 'Nothing that the others have.';
  const whole = dearer.find((each) => each.lacks.length === 0);
  const instead = whole
    ? ` The cheapest option that lacks nothing is ${ARCHITECTURES[whole.architecture]}: ${say.cost(whole.bill.total)}, ${say.cost(whole.bill.total - bill.total)} more.`
    : '';
  return `${capitalized(lacks.join('; '))}.${instead}`;
}

function cheaperText({ architecture }: RangedCost, workload: Workload, assumed: Assumptions, say: Figures): string {
  const savings = savingsOf(architecture, workload, assumed).slice(0, MOST_SAVINGS);
  if (savings.length === 0) return 'No setting: the rest is fixed costs and traffic.';
  return savings
    .map(({ name, tradeOff, usd, part }) => {
      const given = tradeOff ? ` Trade-off: ${tradeOff}.` : '';
      return `${capitalized(name)}: saves ${say.cost(usd)} (${say.share(part)}).${given}`;
    })
    .join(' ');
}

function capitalized(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
