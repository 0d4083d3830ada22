/** A number with what it counts: `1 warning`, `2 warnings`. */
export function counted(n: number, one: string, several = `${one}s`): string {
  return `${n} ${n === 1 ? one : several}`;
}

/** Some names of a list, and how many more there are. */
export function firstOf(names: readonly string[], most: number): string {
  const more = names.length - most;
  return names.slice(0, most).join(', ') + (more > 0 ? ` and ${more} more` : '');
}

/** How many flags and segments there are. */
export function countedDocuments(n: number): string {
  return counted(n, 'flag or segment', 'flags and segments');
}
