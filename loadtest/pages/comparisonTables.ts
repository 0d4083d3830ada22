import { markdownTable } from '../../shared/command/markdownTable.ts';
import { comparisonTables, showCell } from '../compare/comparisonDocument.ts';
import { type ComparisonReport, comparisonSchema, type Row } from '../compare/reportSchema.ts';
import { readResults } from './results.ts';

/** The published comparison of the designs. */
export const readComparison = (): ComparisonReport => comparisonSchema.parse(readResults('comparison/full'));

/** The rate of the second table. */
const RATE = 1_100;

const FIRST = ['P99', 'CPU use while connections open'];
const REST = [
  ...['P95', 'refused or failed at the first attempt', 'P99 < 200 ms, errors < 1 %'],
  ...['with retries, all clients have their flags after', 'with retries, median wait'],
  ...['memory while connections open', 'time from an acknowledged change to the last client, median'],
];

export const COMPARISON_TABLES = {
  comparison: () => rowsTable(({ name }) => FIRST.includes(name)),
  'comparison rest': () => rowsTable(({ name, rate = RATE }) => REST.includes(name) && rate === RATE),
};

function rowsTable(isShown: (row: Row) => boolean): string {
  const { columns, tables } = readComparison();
  const rows = tables.flatMap((table) => table.rows.filter(isShown));
  const [found] = comparisonTables({ columns, tables: [{ title: '', rows }] });
  if (!found) throw new Error('the comparison has no such rows');
  const [, { head, rows: cells }] = found;
  return markdownTable(head, cells);
}

/** Names of rows in expressions. */
const ROWS: Readonly<Record<string, string>> = {
  p99: 'P99',
  change: 'time from an acknowledged change to the last client, median',
  served: 'with retries, all clients have their flags after',
};

/** A figure in a sentence. @param expression `<row>@<column>`, or `<row>@<column>@<rate>` */
export function comparisonFigure(expression: string): string {
  const [name = '', column = '', rate] = expression.split('@');
  const row = readComparison()
    .tables.flatMap(({ rows }) => rows)
    .find((each) => each.name === ROWS[name] && (rate === undefined || each.rate === Number(rate)));
  const cell = row?.cells[column];
  if (!row || !cell) throw new Error(`the comparison has no ${expression}`);
  const { range: _, ...middle } = cell;
  return showCell(middle, row.unit);
}
