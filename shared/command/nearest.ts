/** A name is similar if at most a third of its letters differ. */
const SIMILAR = 1 / 3;

/** A question for a name that does not exist: ` Did you mean "x"?`. Empty if no name is similar. */
export function didYouMean(wanted: string, names: readonly string[]): string {
  const [best] = names
    .map((name) => [name, distance(wanted.toLowerCase(), name.toLowerCase())] as const)
    .toSorted(([, a], [, b]) => a - b);
  if (!best || best[1] > Math.ceil(wanted.length * SIMILAR)) return '';
  return `. Did you mean "${best[0]}"?`;
}

/** The number of letters to insert, remove or replace (Levenshtein). */
function distance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, n) => n);
  for (let i = 0; i < a.length; i++) {
    const next = [i + 1];
    for (let j = 0; j < b.length; j++) {
      const replaced = (row[j] ?? 0) + (a[i] === b[j] ? 0 : 1);
      next.push(Math.min(replaced, (row[j + 1] ?? 0) + 1, (next[j] ?? 0) + 1));
    }
    row = next;
  }
  return row.at(-1) ?? 0;
}
