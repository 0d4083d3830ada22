import { quoteWord } from '../../shared/command/quoteWord.ts';
import { usable } from '../results/campaign.ts';
import { checkGates } from '../results/gates.ts';
import type { RunResult } from '../results/runResult.ts';
import { NotReady } from './preflight.ts';

/** Wrong arguments; the message says which arguments work. */
export class WrongArguments extends Error {
  override name = 'WrongArguments';
}

/** Exit codes by kind of failure. */
export const EXIT = {
  /** Every run counts and meets all thresholds. */
  good: 0,
  threshold: 1,
  arguments: 2,
  /** A run was discarded; the others meet all thresholds. */
  invalid: 3,
  /** The target is down or refuses the key. */
  target: 4,
  /** An error in the load test itself, or in a program that it starts. */
  own: 5,
} as const;

/** The exit code for an error. */
export function findExitCode(error: unknown): number {
  if (error instanceof NotReady) return EXIT.target;
  return error instanceof WrongArguments ? EXIT.arguments : EXIT.own;
}

/** Advice about discarded runs. Undefined if there are none. @param out folder of the campaign */
export function nextStep(results: readonly RunResult[], out: string): string | undefined {
  const discarded = results.length - usable(results).length;
  if (discarded === 0) return undefined;
  return `Next: stop other programs, then repeat the command with --out ${quoteWord(out)} --resume. It repeats the ${discarded === 1 ? 'discarded run' : `${discarded} discarded runs`} only.`;
}

/** The exit code of runs. Thresholds apply to runs that count. */
export function judge(results: readonly RunResult[], ensure: readonly Readonly<Record<string, number>>[]): number {
  const used = usable(results);
  if (used.some((result) => checkGates(result, ensure).some(({ isKept }) => !isKept))) return EXIT.threshold;
  return results.length === 0 || used.length < results.length ? EXIT.invalid : EXIT.good;
}
