import Table from 'cli-table3';

/** A table for a terminal. The first column names the row. The others are aligned to the right. */
export function figuresTable(head: readonly string[], rows: readonly (readonly (string | number)[])[]): string {
  const table = new Table({
    head: [...head],
    colAligns: head.map((_, column) => (column === 0 ? 'left' : 'right')),
    style: { head: [], border: [], compact: true },
  });
  table.push(...rows.map((row) => row.map(String)));
  return table.toString();
}
