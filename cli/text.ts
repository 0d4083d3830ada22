import { type Style, terminalWidth, textTable } from '../shared/command/textTable.ts';
import { type Line, oneLine, StyledLine } from './io.ts';

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

/** The styles of states. */
const STATES: Readonly<Record<string, Style>> = { on: 'green', off: 'dim', archived: 'dim', production: 'yellow' };

/**
 * Formats rows under headings as lines. Without rows, it returns `empty`. A cell with several texts shows them as a list.
 *
 * @param minor headings of columns that a narrow terminal does not show, the first one first
 * @param isInText whether the table is a part of a text. Then it is the same in a pipe as in a wide terminal
 */
export function formatTable(
  head: readonly string[],
  rows: readonly (readonly (string | readonly string[])[])[],
  empty: string,
  minor: readonly string[] = [],
  isInText = false,
): Line[] {
  if (rows.length === 0) return [empty];
  const cells = rows.map((row) => row.map((cell) => [cell].flat().map(oneLine).join(', ')));
  const styleOf = (cell: string) => (Object.hasOwn(STATES, cell) ? STATES[cell] : undefined);
  const width = terminalWidth() ?? (isInText ? Number.POSITIVE_INFINITY : undefined);
  return textTable(head, cells, { width, minor, styleOf }).map((text) => new StyledLine(text));
}
