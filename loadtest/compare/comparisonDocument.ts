import { type Document, figure, type Section } from '../report/document.ts';
import { type Cell, type ComparisonReport, SOURCES } from './reportSchema.ts';

/** The comparison as a report: a page, or Markdown. */
export function comparisonDocument({ columns, tables, notes, ...facts }: ComparisonReport): Document {
  const { machine, versions, startedAt, form, runs } = facts;
  const head = ['new connections a second', 'figure', ...columns.map(({ title }) => title)];
  const sections = tables.map(
    ({ title, rows }): Section => ({
      ...EMPTY,
      title,
      tables: [
        {
          head,
          rows: rows.map(({ rate, name, unit, cells }) => [
            rate === undefined ? '' : rate.toLocaleString('en'),
            unit === '' ? name : `${name}, ${unit}`,
            ...columns.map((column) => showCell(cells[column.name])),
          ]),
        },
      ],
    }),
  );
  const used = new Set(
    tables.flatMap(({ rows }) => rows.flatMap(({ cells }) => Object.values(cells))).map(({ source }) => source),
  );
  const isInAws = used.has('AWS');
  return {
    title: 'FeatBit’s benchmark on a t2.micro, on API Gateway and Lambda, and on Fargate',
    facts: [
      ['start', startedAt],
      ['form', `${form}: ${runs} ${runs === 1 ? 'run' : 'runs'} at each rate; figures are medians of the runs`],
      ['machine', `${machine.cpu}, ${machine.cores} cores, ${figure(machine.memoryBytes / 1024 ** 3)} GiB`],
      ['versions', `Node ${versions.node}, artillery ${versions.artillery}, commit ${versions.commit}`],
      ...columns.map(({ title, setup }): [string, string] => [title, setup]),
    ],
    sections: [
      ...sections,
      {
        ...EMPTY,
        title: 'Notes',
        notes: [
          ...(isInAws ? [] : ['No figure in these tables was measured in AWS.']),
          ...[...used].map((source) => `${source === 'none' ? '–' : source}: ${SOURCES[source]}`),
          ...notes,
        ],
      },
    ],
  };
}

const EMPTY = { tables: [], charts: [], verdicts: [], notes: [] } as const;

function showCell(cell: Cell | undefined): string {
  if (!cell || (cell.value === null && cell.text === undefined)) return '–';
  return `${cell.text ?? figure(cell.value ?? Number.NaN)} (${cell.source})`;
}
