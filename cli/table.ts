import { type Style, terminalWidth, textTable } from '../shared/command/textTable.ts';
import { type Line, oneLine, StyledLine } from './io.ts';

/** The styles of states. */
const STATES: Readonly<Record<string, Style>> = { on: 'green', off: 'dim', archived: 'dim', production: 'yellow' };

/**
 * Formats rows under headings as lines. Without rows, it returns `empty`. A cell with several texts shows them as a list.
 *
 * @param minor headings of columns that a narrow terminal does not show, the first one first
 */
export function formatTable(
  head: readonly string[],
  rows: readonly (readonly (string | readonly string[])[])[],
  empty: string,
  minor: readonly string[] = [],
): Line[] {
  if (rows.length === 0) return [empty];
  const cells = rows.map((row) => row.map((cell) => [cell].flat().map(oneLine).join(', ')));
  const styleOf = (cell: string) => (Object.hasOwn(STATES, cell) ? STATES[cell] : undefined);
  return textTable(head, cells, { width: terminalWidth(), minor, styleOf }).map((text) => new StyledLine(text));
}
