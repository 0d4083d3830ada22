import { measureSpread } from '../../measure/spread.ts';
import { figure, figureOfRuns } from '../../report/document.ts';
import type { Result } from '../benchmark.ts';

/** The two servers of a comparison. */
export type Side = 'other' | 'ours';

/** What one phase of one round found of one server. */
export interface Visit {
  readonly round: number;
  readonly side: Side;
  readonly phase: string;
  /** By name with its unit; NaN where it could not be measured. */
  readonly figures: Readonly<Record<string, number>>;
  /** Why it says more of the generator than of the server: nothing of it is used. */
  readonly invalid: readonly string[];
  /** Whether the server could have done more, as the generator had no time left or the server some: its rate is a lower bound. */
  readonly isAtLeast?: boolean;
}

/** The one figure of which more is better. */
export const RATE = 'new connections a second';

/** With fewer rounds of each, a difference may well be chance. */
const LEAST_ROUNDS = 3;

/** A smaller difference, as a share of the other's figure, is none. */
const LEAST_DIFFERENCE = 0.005;

/** One figure of both servers over all rounds. */
interface Comparison {
  readonly name: string;
  readonly other: string;
  readonly ours: string;
  /** Ours as a multiple of the other's, and whether that is better where the rounds leave no doubt. */
  readonly ratio: string;
}

/** A table for each phase, medians over the rounds with their range. Invalid rounds are left out. */
export function compareVisits(
  visits: readonly Visit[],
  names: Readonly<Record<Side, string>>,
  notes: readonly string[],
): Result[] {
  const phases = [...new Set(visits.map(({ phase }) => phase))];
  const results = phases.map(
    (phase): Result => ({
      title: phase,
      head: ['', names.other, names.ours, 'ours to the other'],
      rows: comparePhase(visits, phase).map(({ name, other, ours, ratio }) => [name, other, ours, ratio]),
    }),
  );
  const meaning = [
    `“Better” and “worse” need ${LEAST_ROUNDS} rounds of each, ranges that do not overlap, and medians that differ by half a percent.`,
    '“At least”: the generator had no time left, or the server some, and it may do more.',
  ];
  const [last] = results.splice(-1);
  return last ? [...results, { ...last, invalid: leftOut(visits), notes: [...meaning, ...notes] }] : [];
}

/** Every figure of a phase. */
export function comparePhase(visits: readonly Visit[], phase: string): Comparison[] {
  const used = visits.filter((visit) => visit.phase === phase && visit.invalid.length === 0);
  const figures = new Set(used.flatMap((visit) => Object.keys(visit.figures)));
  return [...figures].map((name) => {
    const [other, ours] = [summarizeFigures(used, 'other', name), summarizeFigures(used, 'ours', name)];
    return { name, other: other.text, ours: ours.text, ratio: formatRatio(name, other, ours) };
  });
}

/** Rounds that are left out, and why. */
function leftOut(visits: readonly Visit[]): string[] {
  return visits.flatMap(({ round, side, phase, invalid }) =>
    invalid.map((why) => `round ${round}, ${phase}, ${side === 'ours' ? 'our host' : 'the other server'}: ${why}`),
  );
}

/** A figure over rounds. */
interface Figures {
  readonly spread: ReturnType<typeof measureSpread>;
  readonly isAtLeast: boolean;
  readonly text: string;
}

function summarizeFigures(visits: readonly Visit[], side: Side, name: string): Figures {
  const mine = visits.filter((visit) => visit.side === side);
  const values = mine.map(({ figures }) => figures[name] ?? Number.NaN);
  const isAtLeast = name === RATE && mine.some((visit) => visit.isAtLeast);
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
