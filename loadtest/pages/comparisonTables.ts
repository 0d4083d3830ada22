import { markdownTable } from '../../shared/command/markdownTable.ts';
import { NONE } from '../compare/cells.ts';
import { comparisonTables, describeRuns, showCell } from '../compare/comparisonDocument.ts';
import { TARGETS } from '../compare/designs.ts';
import { type Cell, type ComparisonReport, comparisonSchema, type Row } from '../compare/reportSchema.ts';
import { numberAt, readResults, valueAt } from './results.ts';

/** Columns of docs/results/featbit/servers.json: both servers on one core in one run, warm. */
const ONE_CORE = { featbitMemory: 'FeatBit, in memory, warm', flagwireBun: 'Flagwire, same core, warm' };

/** Their figures by the names of rows. */
const ONE_CORE_FIGURES: Readonly<Record<string, string>> = {
  P99: 'syncP99Ms',
  'CPU use while connections open': 'cpuPercent',
};

/** The comparison of the designs, with FeatBit's server as it was measured here. */
export function readComparison(): ComparisonReport {
  const { columns, tables, ...facts } = comparisonSchema.parse(readResults('comparison/full'));
  const designs = Object.values(TARGETS).flat();
  const [published, ...others] = columns.map((column) => ({
    ...column,
    title: designs.find(({ name }) => name === column.name)?.title ?? column.title,
  }));
  const here = Object.entries(ONE_CORE).map(
    ([name, title]) => ({ name, title, source: 'here', setup: '', part: 1 }) as const,
  );
  const withCells = (row: Row): Row => ({
    ...row,
    cells: { ...row.cells, ...Object.fromEntries(here.map(({ name }) => [name, cellOnOneCore(name, row)])) },
  });
  return {
    ...facts,
    columns: [...(published ? [published] : []), ...here, ...others],
    tables: tables.map((table) => ({ ...table, rows: table.rows.map(withCells) })),
  };
}

function cellOnOneCore(server: string, { rate, name }: Row): Cell {
  const path = `warm.results.${rate}.${server}.${ONE_CORE_FIGURES[name]}`;
  const results = readResults('featbit/servers');
  const rounds = valueAt(results, path);
  if (!Array.isArray(rounds)) return NONE;
  return { value: numberAt(results, path), range: [Math.min(...rounds), Math.max(...rounds)], source: 'here' };
}

/** The rate of the second table. */
const RATE = 1_100;

const FIRST = ['P99', 'CPU use while connections open'];
const REST = [
  ...['P50', 'P95', 'P99 with 120 ms for API Gateway'],
  ...['refused or failed at the first attempt', 'P99 < 200 ms, errors < 1 %'],
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
  average: 'average',
  p95: 'P95',
  p99: 'P99',
  p99Gateway: 'P99 with 120 ms for API Gateway',
  errors: 'refused or failed at the first attempt',
  cpu: 'CPU use while connections open',
  cpuHeld: 'CPU use while connections are held',
  memory: 'memory while connections open',
  memoryHeld: 'memory while connections are held',
  change: 'time from an acknowledged change to the last client, median',
  served: 'with retries, all clients have their flags after',
};

/**
 * A figure in a sentence.
 *
 * @param expression `<row>@<column>`, `<row>@<column>@<rate>`, `<row>@<column>@all` for all rates (`ranges`: with ranges), or `runs@<column>`
 */
export function comparisonFigure(expression: string): string {
  const [name = '', column = '', rate] = expression.split('@');
  const { columns, tables } = readComparison();
  const runs = columns.find((each) => each.name === column)?.runs;
  if (name === 'runs' && runs) return describeRuns(runs);
  const rows = tables
    .flatMap((table) => table.rows)
    .filter((each) => each.name === ROWS[name] && (!Number(rate) || each.rate === Number(rate)));
  const cells = (rate ? rows : rows.slice(0, 1)).flatMap(({ cells: { [column]: cell }, unit }) => {
    if (!cell) return [];
    const { range: _, ...middle } = cell;
    return showCell(rate === 'ranges' ? cell : middle, unit);
  });
  if (cells.length === 0) throw new Error(`the comparison has no ${expression}`);
  return cells.join(', ');
}
