import { spreadOf } from '../../measure/spread.ts';
import { figure, figureOfRuns } from '../../report/document.ts';

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

/** Fewer rounds of each, and that they lie apart may well be chance. */
export const LEAST_ROUNDS = 3;

/** A difference of half a percent of the other's figure is nobody's gain. */
const AS_MUCH = 0.005;

/** One figure of both servers over all rounds. */
export interface Comparison {
  readonly name: string;
  readonly other: string;
  readonly ours: string;
  /** Ours as a multiple of the other's, and whether that is better where the rounds leave no doubt. */
  readonly ratio: string;
}

/** The phases that were visited, in their order. */
export function phasesOf(visits: readonly Visit[]): string[] {
  return [...new Set(visits.map(({ phase }) => phase))];
}

/** Every figure of a phase, medians over the rounds with their range. Rounds that are invalid are left out. */
export function comparePhase(visits: readonly Visit[], phase: string): Comparison[] {
  const used = visits.filter((visit) => visit.phase === phase && visit.invalid.length === 0);
  const names = new Set(used.flatMap(({ figures }) => Object.keys(figures)));
  return [...names].map((name) => {
    const [other, ours] = [figuresOf(used, 'other', name), figuresOf(used, 'ours', name)];
    return { name, other: other.text, ours: ours.text, ratio: ratioOf(name, other, ours) };
  });
}

/** Rounds that are left out, and why. */
export function leftOut(visits: readonly Visit[]): string[] {
  return visits.flatMap(({ round, side, phase, invalid }) =>
    invalid.map((why) => `round ${round}, ${phase}, ${side === 'ours' ? 'our host' : 'the other server'}: ${why}`),
  );
}

/** A figure over rounds. */
interface Figures {
  readonly spread: ReturnType<typeof spreadOf>;
  readonly isAtLeast: boolean;
  readonly text: string;
}

function figuresOf(visits: readonly Visit[], side: Side, name: string): Figures {
  const mine = visits.filter((visit) => visit.side === side);
  const values = mine.map(({ figures }) => figures[name] ?? Number.NaN);
  const isAtLeast = name === RATE && mine.some((visit) => visit.isAtLeast);
  return { spread: spreadOf(values), isAtLeast, text: `${isAtLeast ? 'at least ' : ''}${figureOfRuns(values)}` };
}

function ratioOf(name: string, other: Figures, ours: Figures): string {
  if (!other.spread || !ours.spread || other.spread.median === 0 || other.isAtLeast) return '–';
  const times = ours.spread.median / other.spread.median;
  const ratio = `${ours.isAtLeast ? 'at least ' : ''}${figure(times)}×`;
  if (Math.abs(times - 1) < AS_MUCH) return ratio;
  if (Math.min(other.spread.runs, ours.spread.runs) < LEAST_ROUNDS) return `${ratio}, too few rounds`;
  const [isMore, isLess] = [ours.spread.min > other.spread.max, ours.spread.max < other.spread.min];
  if (!isMore && !isLess) return `${ratio}, the ranges overlap`;
  return `${ratio}, ${isMore === (name === RATE) ? 'better' : 'worse'}`;
}
