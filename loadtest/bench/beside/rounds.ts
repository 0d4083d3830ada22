import { measureSpread } from '../../measure/spread.ts';
import { figure, figureOfRuns } from '../../report/document.ts';
import type { Result } from '../benchmark.ts';

/** The two servers of a comparison. */
export const SIDES = ['other', 'ours'] as const;
type Side = (typeof SIDES)[number];

/** The figures of one server in one phase of one round. */
export interface Measurement {
  readonly round: number;
  readonly side: Side;
  readonly phase: string;
  /** By name with its unit. NaN if it could not be measured. */
  readonly figures: Readonly<Record<string, number>>;
  /** Reasons why the load generator limited the load. The comparison then excludes it. */
  readonly invalid: readonly string[];
  /** True if the rate is a lower bound, because the generator used its whole core, or the server did not. */
  readonly isAtLeast?: boolean;
}

/** The only figure where more is better. */
export const RATE = 'new connections a second';

/** With fewer rounds of each server, a difference can be chance. */
const LEAST_ROUNDS = 3;

/** A smaller difference, as a share of the other server's figure, is ignored. */
const LEAST_DIFFERENCE = 0.005;

/** A table for each phase: medians over the rounds with their range. Excludes invalid rounds. */
export function compareRounds(
  measurements: readonly Measurement[],
  names: Readonly<Record<Side, string>>,
  notes: readonly string[],
): Result[] {
  const phases = [...new Set(measurements.map(({ phase }) => phase))];
  const results = phases.map(
    (phase): Result => ({
      title: phase,
      head: ['', names.other, names.ours, 'ours to the other'],
      rows: comparePhase(measurements, phase).map(({ name, other, ours, ratio }) => [name, other, ours, ratio]),
    }),
  );
  const meaning = [
    `“Better” and “worse” need ${LEAST_ROUNDS} rounds of each, ranges that do not overlap, and medians that differ by half a percent.`,
    '“At least”: the load generator used its whole core, or the server did not.',
  ];
  const [last] = results.splice(-1);
  return last ? [...results, { ...last, invalid: leftOut(measurements), notes: [...meaning, ...notes] }] : [];
}

/** All figures of a phase. The ratio is our figure as a multiple of the other's, with a verdict if the difference is clear. */
export function comparePhase(measurements: readonly Measurement[], phase: string) {
  const used = measurements.filter((each) => each.phase === phase && each.invalid.length === 0);
  const figures = new Set(used.flatMap((each) => Object.keys(each.figures)));
  return [...figures].map((name) => {
    const [other, ours] = [summarizeFigures(used, 'other', name), summarizeFigures(used, 'ours', name)];
    return { name, other: other.text, ours: ours.text, ratio: formatRatio(name, other, ours) };
  });
}

/** The excluded rounds, with reasons. */
function leftOut(measurements: readonly Measurement[]): string[] {
  return measurements.flatMap(({ round, side, phase, invalid }) =>
    invalid.map((why) => `round ${round}, ${phase}, ${side === 'ours' ? 'our host' : 'the other server'}: ${why}`),
  );
}

type Figures = ReturnType<typeof summarizeFigures>;

/** The values of a figure over rounds. */
function summarizeFigures(measurements: readonly Measurement[], side: Side, name: string) {
  const mine = measurements.filter((each) => each.side === side);
  const values = mine.map(({ figures }) => figures[name] ?? Number.NaN);
  const isAtLeast = name === RATE && mine.some((each) => each.isAtLeast);
  return { spread: measureSpread(values), isAtLeast, text: `${isAtLeast ? 'at least ' : ''}${figureOfRuns(values)}` };
}

function formatRatio(name: string, other: Figures, ours: Figures): string {
  if (!other.spread || !ours.spread || other.spread.median === 0 || other.isAtLeast) return '–';
  const times = ours.spread.median / other.spread.median;
  const ratio = `${ours.isAtLeast ? 'at least ' : ''}${figure(times)}×`;
  if (Math.abs(times - 1) < LEAST_DIFFERENCE) return ratio;
  if (Math.min(other.spread.runs, ours.spread.runs) < LEAST_ROUNDS) return `${ratio}, too few rounds`;
  const [isMore, isLess] = [ours.spread.min > other.spread.max, ours.spread.max < other.spread.min];
  if (!isMore && !isLess) return `${ratio}, the ranges overlap`;
  return `${ratio}, ${isMore === (name === RATE) ? 'better' : 'worse'}`;
}
