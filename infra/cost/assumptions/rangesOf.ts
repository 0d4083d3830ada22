import type { Assumptions } from '../model/assumptions.ts';
import type { Ranges } from '../model/compare.ts';

/** Something assumed: how it is likely, how it would be at its cheapest and dearest, and why. */
export interface Range {
  readonly likely: number;
  readonly cheap: number;
  readonly dear: number;
  readonly unit: string;
  readonly meaning: string;
  /** Where it comes from: a measurement of ours, documentation, or nothing but judgement. */
  readonly source: string;
}

/** A range of one number: nothing better or worse is to be expected. */
export function exactly(value: number, unit: string, meaning: string, source: string): Range {
  return { likely: value, cheap: value, dear: value, unit, meaning, source };
}

/** The assumptions as the model takes them: all likely, all cheap, all dear. */
export function rangesOf(all: Readonly<Record<keyof Assumptions, Range>>): Ranges {
  const pick = (which: 'likely' | 'cheap' | 'dear') =>
    Object.fromEntries(Object.entries(all).map(([key, range]) => [key, range[which]])) as unknown as Assumptions;
  return { likely: pick('likely'), cheap: pick('cheap'), dear: pick('dear') };
}
