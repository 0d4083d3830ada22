import { cpus } from 'node:os';
import Table from 'cli-table3';
import type { Timing } from './rounds.ts';

/** Where a benchmark ran. */
export interface Machine {
  readonly cpu: string;
  readonly cores: number;
  readonly node: string;
}

/** A figure with a bound to keep. */
export interface Verdict {
  readonly name: string;
  readonly measured: number;
  readonly target: number;
  readonly unit: string;
  readonly pass: boolean;
}

export function thisMachine(): Machine {
  const all = cpus();
  return { cpu: all[0]?.model.trim() ?? 'unknown', cores: all.length, node: process.version };
}

/** Whether a figure keeps its bound; a bound is kept when it is reached exactly. */
export function judge(name: string, measured: number, target: number, unit: string): Verdict {
  return { name, measured, target, unit, pass: measured <= target };
}

/** Timings as a table, each beside its ratio to the first. */
export function timingTable(title: string, timings: readonly Timing[], unit: string, scale = 1): string {
  const reference = timings[0]?.medianUs ?? Number.NaN;
  return table(
    [title, `median ${unit}`, `min ${unit}`, 'ratio'],
    timings.map(({ name, medianUs, minUs }) => [
      name,
      digits(medianUs * scale),
      digits(minUs * scale),
      `${digits(medianUs / reference)}×`,
    ]),
  );
}

export function verdictTable(verdicts: readonly Verdict[]): string {
  return table(
    ['bound', 'measured', 'target', ''],
    verdicts.map(({ name, measured, target, unit, pass }) => [
      name,
      `${digits(measured)} ${unit}`,
      `≤ ${target} ${unit}`,
      pass ? 'pass' : 'MISS',
    ]),
  );
}

/** Three significant digits, and no exponent. */
export function digits(value: number): string {
  return value >= 100 ? value.toFixed(0) : String(Number(value.toPrecision(3)));
}

function table(head: string[], rows: string[][]): string {
  const colAligns = head.map((_, column) => (column === 0 ? ('left' as const) : ('right' as const)));
  const plain = new Table({ head, colAligns, style: { head: [], border: [], compact: true } });
  plain.push(...rows);
  return plain.toString();
}
