import type { Campaign } from '../results/campaign.ts';
import type { ComparedFigure, Comparison } from '../results/schema.ts';
import { figure, type Table, type Verdict } from './document.ts';

/** Figures that a verdict names, those that are worse by most; the table has all. */
const MOST_NAMED = 2;

/** Every figure, compared with the baseline's. */
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

/** What a reader must know of the test. */
export function comparisonNote({ level, figures }: Comparison): string {
  return (
    `Compared with the baseline: Mann and Whitney’s test over runs, exact, at a level of ${figure(level)} for each of ${figures.length} figures, so that ` +
    'the chance that any is called worse although nothing changed is 5 % at most. Same: the whole interval is within 5 % of the baseline. ' +
    'Unclear: the runs do not tell. The change is the median of all differences between runs. What differed from day to day on the machine counts as a change too.'
  );
}

/** Whether anything is worse than it was. */
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

/** A change against what it was; of nothing it is more than any other. */
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
