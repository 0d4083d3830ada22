import { figuresTable } from '../../../shared/command/figuresTable.ts';
import { figure } from '../../report/document.ts';
import type { Timing } from './rounds.ts';

/** A figure with a bound to keep. */
export interface Verdict {
  readonly name: string;
  readonly measured: number;
  readonly target: number;
  readonly unit: string;
  readonly pass: boolean;
}

/** Whether a figure keeps its bound; a bound is kept when it is reached exactly. */
export function judge(name: string, measured: number, target: number, unit: string): Verdict {
  return { name, measured, target, unit, pass: measured <= target };
}

/** Timings as a table, each beside its ratio to the first. */
export function timingTable(title: string, timings: readonly Timing[], unit: string, scale = 1): string {
  const reference = timings[0]?.medianUs ?? Number.NaN;
  return figuresTable(
    [title, `median ${unit}`, `min ${unit}`, 'ratio'],
    timings.map(({ name, medianUs, minUs }) => [
      name,
      figure(medianUs * scale),
      figure(minUs * scale),
      `${figure(medianUs / reference)}×`,
    ]),
  );
}

export function verdictTable(verdicts: readonly Verdict[]): string {
  return figuresTable(
    ['bound', 'measured', 'target', ''],
    verdicts.map(({ name, measured, target, unit, pass }) => [
      name,
      `${figure(measured)} ${unit}`,
      `≤ ${target} ${unit}`,
      pass ? 'pass' : 'MISS',
    ]),
  );
}
