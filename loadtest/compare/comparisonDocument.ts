import { formatMachine, formatVersions } from '../report/campaignReport.ts';
import { type Document, figure, formatSeconds, makeSection, type Table, type Verdict } from '../report/document.ts';
import { LIMITED } from '../results/campaign.ts';
import { CRITERIA } from './comparisonReport.ts';
import { p99Chart } from './p99Chart.ts';
import { type Cell, type ComparisonReport, type Row, SOURCES } from './reportSchema.ts';

/** The comparison as a report. */
export function comparisonDocument(report: ComparisonReport): Document {
  const { columns, tables, notes, ...facts } = report;
  const { machine, versions, startedAt, endedAt } = facts;
  const all = tables.flatMap(({ rows }) => rows.flatMap(({ cells }) => Object.values(cells)));
  const used = new Set(all.map(({ source }) => source));
  return {
    title: 'FeatBit’s benchmark on a t2.micro, on API Gateway and Lambda, and on Fargate',
    facts: [
      ['time', `${startedAt} to ${endedAt}`],
      ['figures', 'percentiles of all clients of all runs, other figures of the median run (lowest – highest run)'],
      ['machine', formatMachine(machine)],
      ['versions', formatVersions(versions)],
      ...columns.map(({ title, setup, runs }): [string, string] => [
        title,
        runs ? `${setup}. Runs: ${describeRuns(runs)}` : setup,
      ]),
    ],
    sections: [
      makeSection('Verdict', { verdicts: listVerdicts(report) }),
      makeSection('Chart', { charts: [p99Chart(report)] }),
      ...comparisonTables({ columns, tables }).map(([title, table]) => makeSection(title, { tables: [table] })),
      makeSection('Notes', {
        notes: [
          'No figure in these tables was measured in AWS.',
          ...[...used].map((source) => `${source === 'none' ? '–' : source}: ${SOURCES[source]}`),
          ...(all.some(({ isDisturbed }) => isDisturbed) ? [`${LIMITED}: other programs disturbed each attempt`] : []),
          ...notes,
        ],
      }),
    ],
  };
}

/** How many undisturbed runs a column has at each rate, such as `9 of 180 s (10 were made) at each rate`. */
export function describeRuns(runs: NonNullable<Column['runs']>): string {
  const { made = runs } = runs;
  const describe = (used: number, all: number, seconds: number) =>
    all === 0 ? [] : `${used} of ${seconds} s${used < all ? ` (${all} were made)` : ''}`;
  return `${[describe(runs.short, made.short, 45), describe(runs.full, made.full, 180)].flat().join(' and ')} at each rate`;
}

/** Whether each measured design meets FeatBit's limits at each rate. */
function listVerdicts({ columns, tables }: ComparisonReport): Verdict[] {
  const rows = tables.flatMap((table) => table.rows.filter(({ name }) => name === CRITERIA));
  return columns.flatMap(({ name, title, source }): Verdict[] => {
    if (source === 'published') return [];
    return rows.map(({ rate = 0, cells }) => {
      const outcome = cells[name]?.text ?? 'no result';
      const where = source === 'here' ? ' on this core' : '';
      const text = `${title}, ${rate.toLocaleString('en')} new connections a second: ${CRITERIA}: ${outcome}${where}`;
      return { isGood: outcome === 'met', text };
    });
  });
}

/** The tables by title. Rows and columns without any figure are left out. */
export function comparisonTables({ columns, tables }: Pick<ComparisonReport, 'columns' | 'tables'>): [string, Table][] {
  return tables.flatMap(({ title, rows }): [string, Table][] => {
    const isFilled = (row: Row, column: Column) => showCell(row.cells[column.name]) !== '–';
    const shown = columns.filter((column) => rows.some((row) => isFilled(row, column)));
    const filled = rows.filter((row) => shown.some((column) => isFilled(row, column)));
    if (filled.length === 0) return [];
    const hasRates = filled.some(({ rate }) => rate !== undefined);
    const head = [
      ...(hasRates ? ['new connections a second'] : []),
      'figure',
      ...shown.map((column) => headOf(column, filled)),
    ];
    const cells = filled.map(({ rate, name, unit, cells }) => [
      ...(hasRates ? [rate?.toLocaleString('en') ?? ''] : []),
      name === CRITERIA ? `${name} (here: on this core)` : unit === '' || unit === 's' ? name : `${name}, ${unit}`,
      ...shown.map((column) => showCell(cells[column.name], unit)),
    ]);
    return [[title, { head, rows: cells }]];
  });
}

type Column = ComparisonReport['columns'][number];

/** The title of a column, with the source of its figures in this table. */
function headOf({ name, title }: Column, rows: readonly Row[]): string {
  const sources = new Set(rows.flatMap(({ cells }) => cells[name]?.source ?? []).filter((source) => source !== 'none'));
  return `${title} (${[...sources].join(', ')})`;
}

/** A figure with its range. Times in seconds have their unit with them. */
export function showCell(cell: Cell | undefined, unit = ''): string {
  if (!cell || (cell.value === null && cell.text === undefined)) return '–';
  const { value, text, range, isDisturbed } = cell;
  const show = (found: number) => (unit === 's' ? formatSeconds(found) : figure(found));
  const [low, high] = range?.map(show) ?? [];
  const ends = low === high ? '' : ` (${low} – ${high})`;
  return `${text ?? show(value ?? Number.NaN)}${ends}${isDisturbed ? ` ${LIMITED}` : ''}`;
}
