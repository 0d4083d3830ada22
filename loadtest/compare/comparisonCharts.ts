import type { Chart, Series } from '../report/document.ts';
import type { ComparisonReport } from './reportSchema.ts';

/** FeatBit's own limit for the P99 of data-syncs, in milliseconds. */
const P99_LIMIT_MS = 200;

/** The charts of a comparison. Ranges are those of the runs. */
export function comparisonCharts(report: ComparisonReport): Readonly<Record<'p99' | 'cpu', Chart>> {
  const x = 'new connections a second';
  return {
    p99: {
      title: 'P99 of data-syncs',
      x,
      y: 'milliseconds (log)',
      isLogY: true,
      series: seriesByRate(report, 'P99', 'ms'),
      levels: [{ name: `FeatBit’s limit: ${P99_LIMIT_MS} ms`, at: P99_LIMIT_MS }],
    },
    cpu: {
      title: 'CPU use while connections open',
      x,
      y: '% of a core',
      series: seriesByRate(report, 'CPU use while connections open', '% of a core'),
    },
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
