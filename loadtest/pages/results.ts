import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { repositoryRoot } from '../../infra/repository.ts';
import { median } from '../../shared/statistics/quantile.ts';
import { figure } from '../report/document.ts';

/** The folder of results files. */
export const RESULTS = join(repositoryRoot, 'docs/results');

/** Reads a results file. @param name its path in docs/results, without `.json` */
export function readResults<T = unknown>(name: string): T {
  return JSON.parse(readFileSync(join(RESULTS, `${name}.json`), 'utf8')) as T;
}

/** A measured figure in a table: three digits, also above 1,000. */
export function threeDigits(value: number): string {
  return figure(Number(value.toPrecision(3)));
}

/** A value in a results file, such as `push.results.featbitRedis`. Undefined if there is none. */
export function valueAt(results: unknown, path: string): unknown {
  return path
    .split('.')
    .reduce((found: unknown, key) => (found as Record<string, unknown> | undefined)?.[key], results);
}

/** A figure of a results file: a number, or the median of those of rounds. NaN if there is none. */
export function numberAt(results: unknown, path: string): number {
  const found = valueAt(results, path);
  if (Array.isArray(found)) return median(found);
  return typeof found === 'number' ? found : Number.NaN;
}

/**
 * A figure of a results file in three digits.
 *
 * @param expression `<file>:<path>`
 * @throws Error if the file does not have it
 */
export function resultFigure(expression: string): string {
  const [name = '', path = ''] = expression.split(':');
  const value = numberAt(readResults(name), path);
  if (Number.isNaN(value)) throw new Error(`no results file has the figure ${expression}`);
  const isAtLeast = valueAt(readResults(name), `${path.split('.').slice(0, -1).join('.')}.isAtLeast`) === true;
  return `${isAtLeast ? 'at least ' : ''}${threeDigits(value)}`;
}

/** When a results file was measured: its first commit and date. */
export interface Origin {
  readonly commit: string;
  /** In ISO 8601. */
  readonly at: string;
}

/** The origin of a results file. @throws Error if it names none */
export function originOf(results: unknown): Origin {
  const [commit] = valuesOf(results, ['commit']);
  const [at] = valuesOf(results, ['at', 'startedAt']);
  if (commit === undefined || at === undefined) throw new Error('the results name no commit and time');
  return { commit, at };
}

/** All texts with one of these keys, at any depth. */
export function valuesOf(results: unknown, keys: readonly string[]): string[] {
  if (typeof results !== 'object' || results === null) return [];
  return Object.entries(results).flatMap(([key, value]) =>
    keys.includes(key) && typeof value === 'string' ? [value] : valuesOf(value, keys),
  );
}
