import { areFigures } from '../describe/areFigures.ts';

/** A table in Markdown. The first column names the row. Of the others, columns of figures are aligned to the right. */
export function markdownTable(
  head: readonly (string | number)[],
  rows: readonly (readonly (string | number)[])[],
): string {
  const line = (cells: readonly (string | number)[]) => `| ${cells.join(' | ')} |`;
  const isFigures = (column: number) => column > 0 && areFigures(rows.map((row) => String(row[column] ?? '')));
  const rule = `|${head.map((_, column) => (isFigures(column) ? '---:' : '---')).join('|')}|`;
  return [line(head), rule, ...rows.map(line)].join('\n');
}
