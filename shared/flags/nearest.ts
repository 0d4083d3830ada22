/** A name is similar if at most a third of its letters differ. */
const SIMILAR = 1 / 3;

/** The end of a message about a name that does not exist: `. Did you mean "x"?`. Empty if no name is similar. */
export function didYouMean(wanted: string, names: readonly string[]): string {
  if (names.length === 0) return '';
  const best = nearest(wanted, names);
  return distance(wanted, best) > Math.ceil(wanted.length * SIMILAR) ? '' : `. Did you mean "${best}"?`;
}

/**
 * The candidate with the smallest edit distance to `text`; the first of several.
 *
 * @throws Error without candidates
 */
export function nearest(text: string, candidates: readonly string[]): string {
  const [first, ...others] = candidates;
  if (first === undefined) throw new Error('There is nothing to choose from.');
  return others.reduce((best, next) => (distance(text, next) < distance(text, best) ? next : best), first);
}

/** Levenshtein's distance without regard to case, row by row. */
function distance(left: string, right: string): number {
  const [a, b] = [left.toLowerCase(), right.toLowerCase()];
  let row = Array.from({ length: b.length + 1 }, (_, column) => column);
  for (const [index, letter] of [...a].entries()) {
    const next = [index + 1];
    for (const [column, other] of [...b].entries()) {
      const replaced = (row[column] ?? 0) + (letter === other ? 0 : 1);
      next.push(Math.min(replaced, (row[column + 1] ?? 0) + 1, (next[column] ?? 0) + 1));
    }
    row = next;
  }
  return row.at(-1) ?? 0;
}
