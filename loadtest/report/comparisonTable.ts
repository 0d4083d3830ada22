import type { Campaign } from '../results/campaign.ts';
import { LEAST_RUNS } from '../results/comparison.ts';
import type { ComparedFigure, Comparison } from '../results/schema.ts';
import { figure, type Table, type Verdict } from './document.ts';

/** Maximum number of worse figures in a verdict. The table contains all. */
const MOST_NAMED = 2;

/** All figures, compared with the baseline. */
export function comparisonTable({ baseline, figures }: Comparison): Table {
  return {
    caption: `Compared with the baseline of ${formatDay(baseline)}, commit ${baseline.commit}: medians and ranges over runs`,
    head: ['new/s', 'figure', 'verdict', 'change', 'baseline', 'now', 'runs'],
    rows: figures.map(({ rate, name, unit, runs, before, now, ranges, change, verdict }) => [
      rate,
      `${name}, ${unit}`,
      verdict,
      `${signed(change)}${before > 0 ? ` (${signed((100 * change) / before)} %)` : ''}`,
      `${figure(before)} (${ranges.before.map(figure).join(' to ')})`,
      `${figure(now)} (${ranges.now.map(figure).join(' to ')})`,
      `${runs.before} and ${runs.now}`,
    ]),
  };
}

/** An explanation of the verdicts. */
export const COMPARISON_NOTE =
  'Compared with the baseline: a figure is worse or better if the ranges of at least three usable runs of each campaign do not overlap, and the ' +
  'medians differ by at least 5 %. Same: the medians differ by less than 5 %. Unclear: all others, and too few runs. The change includes ' +
  'differences of the machine between both days.';

/** The verdict of the comparison with a baseline. */
export function comparisonVerdict({ facts, comparison }: Campaign): Verdict[] {
  if (!comparison) return [];
  const { baseline, figures } = comparison;
  const name = `${facts.scenario} against ${facts.target}`;
  const than = `the baseline of ${formatDay(baseline)}`;
  if (!figures.some(({ runs }) => Math.min(runs.before, runs.now) >= LEAST_RUNS))
    return [
      {
        isGood: false,
        text: `${name}: NO CONCLUSION compared with ${than}: it takes ${LEAST_RUNS} good runs of each at a rate`,
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
export function describeChange({ rate, name, unit, before, now }: ComparedFigure): string {
  return `${name} at ${rate.toLocaleString('en')}/s from ${figure(before)} to ${figure(now)} ${unit}`;
}

function signed(value: number): string {
  return `${value > 0 ? '+' : ''}${figure(value)}`;
}

function formatDay({ startedAt }: Comparison['baseline']): string {
  return startedAt.slice(0, 10);
}
