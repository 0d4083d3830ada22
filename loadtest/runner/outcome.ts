import { describeChange } from '../report/comparisonTable.ts';
import type { Comparison } from '../results/comparedFigure.ts';
import { checkGates, formatGate } from '../results/gates.ts';
import type { RunResult } from '../results/runResult.ts';
import { NotReady } from './preflight.ts';

/** What the command line asks for cannot be done; the message says what would. */
export class WrongArguments extends Error {
  override name = 'WrongArguments';
}

/** Exit codes by kind of failure. */
export const EXIT = {
  /** Every run says something of the server, and keeps all thresholds. */
  good: 0,
  threshold: 1,
  arguments: 2,
  /** A run was held up by its generator, or ended early; thresholds of the others are kept. */
  invalid: 3,
  /** The target is not there, or does not take the key. */
  target: 4,
  /** An error of the load test itself, or of what it starts. */
  own: 5,
  /** Thresholds are kept, and a figure is worse than the baseline's. */
  worse: 6,
} as const;

/** The exit code for what ended the command. */
export function findExitCode(error: unknown): number {
  if (error instanceof NotReady) return EXIT.target;
  return error instanceof WrongArguments ? EXIT.arguments : EXIT.own;
}

/**
 * What is wrong with runs, a line each, and the exit code. Thresholds are for runs that say something of the server.
 *
 * @param comparison with a baseline, where it was asked for
 */
export function judge(
  results: readonly RunResult[],
  ensure: readonly Readonly<Record<string, number>>[],
  comparison?: Comparison,
): { readonly lines: string[]; readonly exitCode: number } {
  const problems = results.map((result) => {
    const { facts, invalid, partial } = result;
    const unusable = [
      ...invalid.map((why) => `INVALID: ${why}`),
      ...(partial === undefined ? [] : [`PARTIAL: ${partial}`]),
    ];
    const failed = unusable.length > 0 ? [] : checkGates(result, ensure).filter(({ isKept }) => !isKept);
    const name = `${facts.scenario} ${facts.rate}/s, run ${facts.number}`;
    const lines = [...unusable, ...failed.map(formatGate)].map((problem) => `${name}: ${problem}`);
    return { lines, isUnusable: unusable.length > 0, isFailed: failed.length > 0 };
  });
  const isUnusable = results.length === 0 || problems.some((each) => each.isUnusable);
  const worse = comparison?.isGate ? comparison.figures.filter(({ verdict }) => verdict === 'worse') : [];
  const isFailed = problems.some((each) => each.isFailed);
  const exitCode = isFailed ? EXIT.threshold : worse.length > 0 ? EXIT.worse : isUnusable ? EXIT.invalid : EXIT.good;
  const lines = [...problems.flatMap((each) => each.lines), ...worse.map((each) => `WORSE: ${describeChange(each)}`)];
  return { lines, exitCode };
}
