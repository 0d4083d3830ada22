import type { ProcessHealth } from './processWatch.ts';

/** Times with their counts. A time is in microseconds with three significant digits. */
export type Times = readonly (readonly [number, number])[];

/** The measurements of one worker in one second: one line of its file. */
export interface Slice extends ProcessHealth {
  /** Unix seconds. */
  readonly at: number;
  /** Open connections at its end. */
  readonly open: number;
  readonly counters: Readonly<Record<string, number>>;
  readonly times: Readonly<Record<string, Times>>;
}

/** Rounds to microseconds with three significant digits. The error is at most 0.5 %. */
export function rounded(ms: number): number {
  const us = Math.max(0, Math.round(ms * 1_000));
  if (us < 1_000) return us;
  const unit = 10 ** (Math.floor(Math.log10(us)) - 2);
  return Math.round(us / unit) * unit;
}

/** Parses lines of JSON. Ignores an incomplete last line: its writer was killed. @throws {SyntaxError} if another line is invalid */
export function parseLines<T>(text: string): T[] {
  return text
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line) as T);
}
