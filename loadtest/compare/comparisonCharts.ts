import type { Chart, Series } from '../report/document.ts';
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

/** The cost of a month. Marks show where serverless begins to cost more than a machine. */
function costChart({ columns, monthly, tables }: ComparisonReport): Chart {
  const series = monthly.map(({ column, title, points }) => ({ name: title, of: column, line: 0, points, rest: '' }));
  const serverless = series.find(({ name }) => name === 'serverless');
  const crossings = series.flatMap((line) => (serverless ? findCrossing(serverless.points, line.points) : []));
  const deployment = columns.find(({ name }) => name === 'featbit-aws');
  const { value } = tables.flatMap(({ rows }) => rows.flatMap(({ cells }) => cells['featbit-aws'] ?? []))[0] ?? {};
  return {
    ...{ title: 'Cost of a month', x: 'connections open all day (log)', y: 'US dollars (log)' },
    ...{ isLogX: true, isLogY: true, series },
    levels: value == null ? [] : [{ name: `${deployment?.title}, without clients`, at: value }],
    marks: crossings.map((at) => ({ name: Math.round(at[0]).toLocaleString('en'), at })),
  };
}

type Point = readonly [connections: number, usd: number];

/** Where the first line rises above the second one, on logarithmic axes. Empty if it does not. */
function findCrossing(rising: readonly Point[], other: readonly Point[]): Point[] {
  const gaps = rising.map(([, usd], n) => Math.log(usd) - Math.log(other[n]?.[1] ?? Number.NaN));
  const after = gaps.findIndex((gap, n) => gap > 0 && (gaps[n - 1] ?? 0) < 0);
  const [[fromX, fromY] = [], [toX, toY] = []] = [rising[after - 1], rising[after]];
  if (fromX === undefined || fromY === undefined || toX === undefined || toY === undefined) return [];
  const [before = 0, past = 0] = gaps.slice(after - 1, after + 1);
  const share = before / (before - past);
  const between = (from: number, to: number) => Math.exp(Math.log(from) + share * Math.log(to / from));
  return [[between(fromX, toX), between(fromY, toY)]];
}
