import { formatMachine, formatVersions } from '../report/campaignReport.ts';
import { type Document, figure, formatSeconds, makeSection, type Table } from '../report/document.ts';
import { comparisonCharts } from './comparisonCharts.ts';
import { type Cell, type ComparisonReport, type Row, SOURCES } from './reportSchema.ts';

/** The comparison as a report. */
export function comparisonDocument(report: ComparisonReport): Document {
  const { columns, tables, notes, ...facts } = report;
  const { machine, versions, startedAt, endedAt, form, runs } = facts;
  const all = tables.flatMap(({ rows }) => rows.flatMap(({ cells }) => Object.values(cells)));
  const used = new Set(all.map(({ source }) => source));
  const length = form === 'full' ? ', and one of full length' : '';
  return {
    title: 'FeatBit’s benchmark on a t2.micro, on API Gateway and Lambda, and on Fargate',
    facts: [
      ['time', `${startedAt} to ${endedAt}`],
      ['form', `${runs} short ${runs === 1 ? 'run' : 'runs'} at each rate${length}: median (lowest – highest)`],
      ['machine', formatMachine(machine)],
      ['versions', formatVersions(versions)],
      ...columns.map(({ title, setup }): [string, string] => [title, setup]),
    ],
    sections: [
      makeSection('Charts', { charts: Object.values(comparisonCharts(report)) }),
      ...comparisonTables({ columns, tables }).map(([title, table]) => makeSection(title, { tables: [table] })),
      makeSection('Notes', {
        notes: [
          'No figure in these tables was measured in AWS.',
          ...[...used].map((source) => `${source === 'none' ? '–' : source}: ${SOURCES[source]}`),
          ...(all.some(({ isDisturbed }) => isDisturbed)
            ? [`${DISTURBED}: other programs disturbed each attempt`]
            : []),
          ...notes,
        ],
      }),
    ],
  };
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
      unit === '' || unit === 's' ? name : `${name}, ${unit}`,
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

/** Marks a figure of a disturbed run. */
const DISTURBED = '†';

/** A figure with its range. Times in seconds have their unit with them. */
export function showCell(cell: Cell | undefined, unit = ''): string {
  if (!cell || (cell.value === null && cell.text === undefined)) return '–';
  const { value, text, range, isDisturbed } = cell;
  const show = (found: number) => (unit === 's' ? formatSeconds(found) : figure(found));
  const [low, high] = range?.map(show) ?? [];
  const ends = low === high ? '' : ` (${low} – ${high})`;
  return `${text ?? show(value ?? Number.NaN)}${ends}${isDisturbed ? ` ${DISTURBED}` : ''}`;
}
