import { formatMachine, formatVersions } from '../report/campaignReport.ts';
import { type Document, figure, makeSection } from '../report/document.ts';
import { type Cell, type ComparisonReport, SOURCES } from './reportSchema.ts';

/** The comparison as a report. */
export function comparisonDocument({ columns, tables, notes, ...facts }: ComparisonReport): Document {
  const { machine, versions, startedAt, form, runs } = facts;
  const head = ['new connections a second', 'figure', ...columns.map(({ title }) => title)];
  const sections = tables.map(({ title, rows }) => {
    const cells = rows.map(({ rate, name, unit, cells }) => [
      rate === undefined ? '' : rate.toLocaleString('en'),
      unit === '' ? name : `${name}, ${unit}`,
      ...columns.map((column) => showCell(cells[column.name])),
    ]);
    return makeSection(title, { tables: [{ head, rows: cells }] });
  });
  const all = tables.flatMap(({ rows }) => rows.flatMap(({ cells }) => Object.values(cells)));
  const used = new Set(all.map(({ source }) => source));
  return {
    title: 'FeatBit’s benchmark on a t2.micro, on API Gateway and Lambda, and on Fargate',
    facts: [
      ['start', startedAt],
      ['form', `${form}: ${runs} ${runs === 1 ? 'run' : 'runs'} at each rate; figures are medians of the runs`],
      ['machine', formatMachine(machine)],
      ['versions', formatVersions(versions)],
      ...columns.map(({ title, setup }): [string, string] => [title, setup]),
    ],
    sections: [
      ...sections,
      makeSection('Notes', {
        notes: [
          ...(used.has('AWS') ? [] : ['No figure in these tables was measured in AWS.']),
          ...[...used].map((source) => `${source === 'none' ? '–' : source}: ${SOURCES[source]}`),
          ...notes,
        ],
      }),
    ],
  };
}

function showCell(cell: Cell | undefined): string {
  if (!cell || (cell.value === null && cell.text === undefined)) return '–';
  return `${cell.text ?? figure(cell.value ?? Number.NaN)} (${cell.source})`;
}
