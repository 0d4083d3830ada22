import type { ProcessHealth } from './processWatch.ts';

/** How often a time was measured: microseconds in three significant digits, and a count. */
export type Times = readonly (readonly [number, number])[];

/** What one processor saw in one second; it is appended to a file as one line. */
export interface Slice extends ProcessHealth {
  /** Unix seconds. */
  readonly at: number;
  /** Connections that are open at its end. */
  readonly open: number;
  readonly counters: Readonly<Record<string, number>>;
  readonly times: Readonly<Record<string, Times>>;
}

/** Microseconds in three significant digits: half a percent is what a time may be off by. */
export function rounded(ms: number): number {
  const us = Math.max(0, Math.round(ms * 1_000));
  if (us < 1_000) return us;
  const unit = 10 ** (Math.floor(Math.log10(us)) - 2);
  return Math.round(us / unit) * unit;
}

/** Reads a file of slices; the last line may be half written. @throws {SyntaxError} any other that is none */
export function parseSlices(text: string): Slice[] {
  const lines = text.split('\n');
  // What stands after the last line break was being written when its writer was killed.
  lines.pop();
  return lines.map((line) => JSON.parse(line) as Slice);
}
