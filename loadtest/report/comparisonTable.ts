import type { Campaign } from '../results/campaign.ts';
import type { ComparedFigure, Comparison } from '../results/schema.ts';
import { figure, type Table, type Verdict } from './document.ts';

/** Maximum number of worse figures in a verdict. The table contains all. */
const MOST_NAMED = 2;

/** All figures, compared with the baseline. */
export function comparisonTable({ baseline, figures }: Comparison): Table {
  return {
    caption: `Compared with the baseline of ${formatDay(baseline)}, commit ${baseline.commit}: medians over runs, and what the change may be`,
    head: ['new/s', 'figure', 'verdict', 'change', 'interval', 'baseline', 'now', 'runs'],
    rows: figures.map(({ rate, name, unit, runs, before, now, change, interval, verdict }) => [
      rate,
      `${name}, ${unit}`,
      verdict,
      `${signed(change)}${before > 0 ? ` (${signed((100 * change) / before)} %)` : ''}`,
      interval ? interval.map(signed).join(' to ') : 'too few runs',
      figure(before),
      figure(now),
      `${runs.before} and ${runs.now}`,
    ]),
  };
}

/** An explanation of the statistical test. */
export function comparisonNote({ level, figures }: Comparison): string {
  return (
    `Compared with the baseline by the exact Mann–Whitney test over runs, at a level of ${figure(level)} for each of ${figures.length} figures. If nothing ` +
    'changed, the probability of any "worse" verdict is at most 5 %. Same: the whole interval is within 5 % of the baseline. Unclear: there are ' +
    'too few runs, or they vary too much. The change is the median of all differences between runs. It includes differences of the machine between both days.'
  );
}

/** The verdict of the comparison with a baseline. */
export function comparisonVerdict({ facts, comparison }: Campaign): Verdict[] {
  if (!comparison) return [];
  const { baseline, figures, leastRuns } = comparison;
  const name = `${facts.scenario} against ${facts.target}`;
  const than = `the baseline of ${formatDay(baseline)}`;
  if (!figures.some(({ interval }) => interval))
    return [
      {
        isGood: false,
        text: `${name}: NO CONCLUSION compared with ${than}: it takes ${leastRuns} good runs of each at a rate`,
      },
    ];
  const worse = figures.filter(({ verdict }) => verdict === 'worse');
  if (worse.length > 0) {
    const shown = worse
      .toSorted((a, b) => relativeChange(b) - relativeChange(a))
      .slice(0, MOST_NAMED)
      .map(describeChange);
    const more = worse.length > MOST_NAMED ? `; and ${worse.length - MOST_NAMED} more` : '';
    const text = `${name}: WORSE than ${than} in ${worse.length} of ${figures.length} figures: ${shown.join('; ')}${more}`;
    return [{ isGood: false, text }];
  }
  const count = (wanted: ComparedFigure['verdict']) => figures.filter(({ verdict }) => verdict === wanted).length;
  const parts = (['better', 'same', 'unclear'] as const).map((each) => `${count(each)} ${each}`);
  return [{ isGood: true, text: `${name}: nothing is worse than ${than}: ${parts.join(', ')}` }];
}

/** The relative change. A change from 0 is the largest. */
function relativeChange({ change, before }: ComparedFigure): number {
  return before > 0 ? change / before : Number.MAX_VALUE;
}

/** A change in words. */
export function describeChange({ rate, name, unit, before, now, interval }: ComparedFigure): string {
  const range = interval ? `, by ${interval.map(signed).join(' to ')}` : '';
  return `${name} at ${rate.toLocaleString('en')}/s from ${figure(before)} to ${figure(now)} ${unit}${range}`;
}

function signed(value: number): string {
  return `${value > 0 ? '+' : ''}${figure(value)}`;
}

function formatDay({ startedAt }: Comparison['baseline']): string {
  return startedAt.slice(0, 10);
}
