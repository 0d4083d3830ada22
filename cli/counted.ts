/** A number with what it counts: `1 warning`, `2 warnings`. */
export function counted(n: number, one: string, several = `${one}s`): string {
  return `${n} ${n === 1 ? one : several}`;
}

/** How many flags and segments there are. */
export function countedDocuments(n: number): string {
  return counted(n, 'flag or segment', 'flags and segments');
}
