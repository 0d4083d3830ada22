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

/** Levenshtein's distance, row by row. */
function distance(a: string, b: string): number {
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
