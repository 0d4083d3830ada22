import type { MutantStatus } from '@stryker-mutator/api/core';
import { LEAST_SCORE } from './settings.ts';

/** What became of a folder's mutants. */
interface Score {
  /** Those that were tested: neither left out nor impossible to load. */
  readonly mutants: number;
  readonly killed: number;
  /** No test failed, or none came there. */
  readonly survived: number;
  /** They never ended, which counts as noticed. */
  readonly timeouts: number;
  /** Those noticed, in percent of all, rounded down to a tenth. */
  readonly percent: number;
}

/** Counts what became of mutants. */
export function scoreOf(statuses: readonly MutantStatus[]): Score {
  const count = (...of: MutantStatus[]) => statuses.filter((status) => of.includes(status)).length;
  const [killed, survived, timeouts] = [count('Killed'), count('Survived', 'NoCoverage'), count('Timeout')];
  const mutants = killed + survived + timeouts;
  const percent = mutants === 0 ? 100 : Math.floor((1_000 * (killed + timeouts)) / mutants) / 10;
  return { mutants, killed, survived, timeouts, percent };
}

/**
 * The command's exit code: 0 every folder scores enough, 1 one does not, 2 one has no score.
 *
 * @param percents of each folder; undefined where a test failed before anything was changed
 */
export function exitCodeOf(percents: readonly (number | undefined)[]): 0 | 1 | 2 {
  if (percents.includes(undefined)) return 2;
  return percents.every((percent) => percent !== undefined && percent >= LEAST_SCORE) ? 0 : 1;
}

/** A folder's row of the page of results. */
export function rowOf(folder: string, score: Score, date: string, commit: string): string {
  const { mutants, killed, survived, timeouts, percent } = score;
  const cells = [
    `\`${folder}\``,
    mutants,
    killed,
    survived,
    timeouts,
    `${percent.toFixed(1)} %`,
    date,
    `\`${commit}\``,
  ];
  return `| ${cells.join(' | ')} |`;
}

/** A page with a row put in the place of that folder's, or else after the last. */
export function withRow(page: string, row: string): string {
  const folderOf = (line: string) => /^\| `([^`]+)`/.exec(line)?.[1];
  const lines = page.trimEnd().split('\n');
  const found = lines.findIndex((line) => folderOf(line) === folderOf(row));
  if (found >= 0) lines[found] = row;
  else lines.splice(lines.findLastIndex((line) => line.startsWith('|')) + 1, 0, row);
  return `${lines.join('\n')}\n`;
}
