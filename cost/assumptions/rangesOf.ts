import type { Ranges } from '../model/report/compare.ts';
import type { Assumptions } from '../model/workload/assumptions.ts';

/** Something assumed: what is expected, how it would be at its lowest and highest, and why. */
export interface Range {
  readonly expected: number;
  readonly low: number;
  readonly high: number;
  readonly unit: string;
  readonly meaning: string;
  /** Where it comes from: a measurement of ours, documentation, or nothing but judgement. */
  readonly source: string;
}

/** A range of one number: nothing better or worse is to be expected. */
export function exactly(value: number, unit: string, meaning: string, source: string): Range {
  return { expected: value, low: value, high: value, unit, meaning, source };
}

/** Every assumption, by name. */
export type AllRanges = Readonly<Record<keyof Assumptions, Range>>;

/** The assumptions as the model takes them: all expected, all low, all high. */
export function rangesOf(all: AllRanges): Ranges {
  const pick = (which: 'expected' | 'low' | 'high') =>
    Object.fromEntries(Object.entries(all).map(([key, range]) => [key, range[which]])) as unknown as Assumptions;
  return { expected: pick('expected'), low: pick('low'), high: pick('high') };
}
