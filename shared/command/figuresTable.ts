import { type TableOptions, terminalWidth, textTable } from './textTable.ts';

/** A table of figures for people. The first column names the row. In a pipe or a file, it is as wide as needed. */
export function figuresTable(
  head: readonly string[],
  rows: readonly (readonly (string | number)[])[],
  options: Pick<TableOptions, 'minor' | 'styleOf'> = {},
): string {
  const cells = rows.map((row) => row.map(String));
  const width = terminalWidth() ?? Number.POSITIVE_INFINITY;
  return textTable(head, cells, { ...options, width, areFigures: true }).join('\n');
}
