import Table from 'cli-table3';
import { oneLine } from './io.ts';

/** A text of one line, or one for each line. */
type Cell = string | readonly string[];

/** Formats rows under headings as lines. Without rows, it returns `empty`. */
export function formatTable(head: readonly string[], rows: readonly (readonly Cell[])[], empty: string): string[] {
  if (rows.length === 0) return [empty];
  const table = new Table({ head: [...head], style: { head: [], border: [] } });
  table.push(...rows.map((row) => row.map((cell) => [cell].flat().map(oneLine).join('\n'))));
  return table.toString().split('\n');
}
