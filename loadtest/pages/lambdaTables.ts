import { markdownTable } from '../../shared/command/markdownTable.ts';
import type { Result } from '../bench/benchmark.ts';
import { readResults, threeDigits } from './results.ts';

export const LAMBDA_TABLES = {
  'lambda starts': () => table(0),
  'lambda functions': () => table(1),
  'lambda evaluations': () => table(2),
};

/** A result of `npm run bench -- lambda`. */
function table(index: number): string {
  const { head = [], rows = [] } = readResults<{ readonly results: readonly Result[] }>('lambda').results[index] ?? {};
  return markdownTable(
    head,
    rows.map((row) => row.map((cell) => (typeof cell === 'number' ? threeDigits(cell) : cell))),
  );
}
