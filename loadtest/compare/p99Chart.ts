import type { Chart, Series } from '../report/document.ts';
import type { ComparisonReport } from './reportSchema.ts';

/** P99 by rate, with a line for each column that has it. Published lines are gray. */
export function p99Chart({ columns, tables }: ComparisonReport): Chart {
  const rows = tables.flatMap((table) => table.rows.filter(({ name }) => name === 'P99'));
  const series = columns.flatMap(({ name, title, source }): Series[] => {
    const cells = rows.map(({ rate = 0, cells }) => ({ rate, ...cells[name] }));
    const points = cells.flatMap(({ rate, value }): [number, number][] => (value == null ? [] : [[rate, value]]));
    const ranges = cells.flatMap(({ rate, range }): [number, number, number][] => (range ? [[rate, ...range]] : []));
    const label = source === 'here' ? title : `${title} (${source})`;
    const line = { of: name, line: 0, isMuted: source === 'published', rest: '' };
    return points.length === 0 ? [] : [{ name: label, ...line, points, ranges }];
  });
  const axes = { x: 'new connections a second', y: 'milliseconds (log); bars: lowest to highest run', isLogY: true };
  const levels = [{ name: 'FeatBit’s limit: 200 ms', at: 200 }];
  return { title: 'P99 of data-syncs', ...axes, series, levels };
}
