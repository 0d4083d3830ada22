import type { Chart } from '../../report/document.ts';

/** A bound that a figure must keep. */
export interface Bound {
  readonly name: string;
  readonly measured: number;
  readonly unit: string;
  readonly atMost?: number;
  readonly atLeast?: number;
}

/** What one measurement found. */
export interface Result {
  readonly title: string;
  readonly head: readonly string[];
  readonly rows: readonly (readonly (string | number)[])[];
  readonly bounds: readonly Bound[];
  /** Runs that say more of the generator than of the server, and why. */
  readonly invalid: readonly string[];
  /** What a reader must know to read the figures right. */
  readonly notes: readonly string[];
  readonly charts: readonly Chart[];
}

/** Whether a bound is kept; it is when it is reached exactly, and never by what could not be measured. */
export function isKept({ measured, atMost, atLeast }: Bound): boolean {
  return (atMost === undefined || measured <= atMost) && (atLeast === undefined || measured >= atLeast);
}

/** A bound in words. */
export function formatBound(bound: Bound): string {
  const { name, measured, unit, atMost, atLeast } = bound;
  const limits = [atLeast === undefined ? [] : `at least ${atLeast}`, atMost === undefined ? [] : `at most ${atMost}`];
  const limit = limits.flat().join(', ');
  return `${isKept(bound) ? 'kept' : 'BROKEN'}: ${name}: ${round(measured)} ${unit} (${limit})`;
}

/** Three significant digits, as many as these figures are good for. */
export function round(value: number): number {
  return Number(value.toPrecision(3));
}
