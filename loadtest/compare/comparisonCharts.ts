import type { Architecture } from '../../cost/model/report/compare.ts';
import { breakEven } from '../../cost/model/report/crossings.ts';
import type { Chart, Series } from '../report/document.ts';
import { HELD, monthCost } from './designCosts.ts';
import type { ComparisonReport } from './reportSchema.ts';

/** FeatBit's own limit for the P99 of data-syncs, in milliseconds. */
const P99_LIMIT_MS = 200;

/** The charts of a comparison, by the names of their files. Ranges are those of the runs. */
export function comparisonCharts(report: ComparisonReport): Readonly<Record<string, Chart>> {
  const x = 'new connections a second';
  return {
    'p99-by-rate': {
      ...{ title: 'P99 of data-syncs', x, y: 'milliseconds (log)', isLogY: true },
      series: seriesByRate(report, 'P99', 'ms'),
      levels: [{ name: `FeatBit’s limit: ${P99_LIMIT_MS} ms`, at: P99_LIMIT_MS }],
    },
    'cpu-by-rate': {
      ...{ title: 'CPU use while connections open', x, y: '% of a core' },
      series: seriesByRate(report, 'CPU use while connections open', '% of a core'),
    },
    'cost-by-connections': costChart(report),
  };
}

/** A line for each column that has this figure. Published lines are gray. */
function seriesByRate({ columns, tables }: ComparisonReport, figure: string, unit: string): Series[] {
  const rows = tables.flatMap((table) => table.rows.filter((row) => row.name === figure && row.unit === unit));
  return columns.flatMap(({ name, title, source }): Series[] => {
    const cells = rows.map(({ rate = 0, cells }) => ({ rate, ...cells[name] }));
    const points = cells.flatMap(({ rate, value }): [number, number][] => (value == null ? [] : [[rate, value]]));
    const ranges = cells.flatMap(({ rate, range }): [number, number, number][] => (range ? [[rate, ...range]] : []));
    const isMuted = source === 'published';
    const label = source === 'here' ? title : `${title} (${source})`;
    return points.length === 0 ? [] : [{ name: label, of: name, line: 0, isMuted, points, ranges, rest: '' }];
  });
}

/** The designs whose costs are drawn, with the columns whose colors they have. */
const COSTS: readonly (readonly [name: string, architecture: Architecture, column: string])[] = [
  ['one host', 't2', 'host'],
  ['serverless', 'serverless', 'serverless-default'],
  ['Fargate', 'fargate', 'fargate'],
  ['front door', 'door', 'door'],
];

/** Eight numbers of connections for each power of ten, up to {@link HELD}. */
const STEPS = Array.from({ length: 8 * Math.log10(HELD) + 1 }, (_, n) => Math.round(10 ** (n / 8)));

/** The cost of a month by the cost model. Marks show where serverless begins to cost more than a machine. */
function costChart({ columns, tables }: ComparisonReport): Chart {
  const deployment = columns.find(({ name }) => name === 'featbit-aws');
  const { value } = tables.flatMap(({ rows }) => rows.flatMap(({ cells }) => cells['featbit-aws'] ?? []))[0] ?? {};
  const cost = (architecture: Architecture) => (connections: number) => monthCost(architecture, connections);
  return {
    ...{ title: 'Cost of a month', x: 'connections open all day (log)', y: 'US dollars (log)' },
    ...{ isLogX: true, isLogY: true },
    series: COSTS.map(([name, architecture, of]) => {
      const points = [...new Set(STEPS)].map((at): [number, number] => [at, monthCost(architecture, at)]);
      return { name, of, line: 0, points, rest: '' };
    }),
    levels: value == null ? [] : [{ name: `${deployment?.title}, without clients`, at: value }],
    marks: (['t2', 'fargate'] as const).map((machine) => {
      const at = breakEven(cost('serverless'), cost(machine)) ?? Number.NaN;
      return { name: Math.round(at).toLocaleString('en'), at: [at, monthCost(machine, at)] };
    }),
  };
}
