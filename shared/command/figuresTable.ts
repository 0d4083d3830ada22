import { terminalWidth, textTable } from './textTable.ts';

/** A table of figures for people. The first column names the row. In a pipe or a file, it is as wide as needed. */
export function figuresTable(
  head: readonly string[],
  rows: readonly (readonly (string | number)[])[],
  minor: readonly string[] = [],
): string {
  const cells = rows.map((row) => row.map(String));
  return textTable(head, cells, { width: terminalWidth() ?? Number.POSITIVE_INFINITY, areFigures: true, minor }).join(
    '\n',
  );
}
