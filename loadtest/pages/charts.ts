import type { AllRanges } from '../../cost/assumptions/rangesOf.ts';
import { breakEven, monthCost } from '../../cost/docs/costTables.ts';
import { ARCHITECTURES, type Architecture } from '../../cost/model/report/compare.ts';
import { featbitMonth } from '../../cost/prices/featbitMonth.ts';
import { SDK_PING_SECONDS } from '../../shared/protocol/ping.ts';
import { p99Chart } from '../compare/p99Chart.ts';
import type { Chart } from '../report/document.ts';
import { colourNames, svgChart } from '../report/svgChart.ts';
import { ONE_CORE, readComparison } from './comparisonTables.ts';

/** The charts of README and docs, as `[path from the root, content]`. */
export function renderCharts(ranges: AllRanges): [path: string, content: string][] {
  const charts = { ...p99Charts(), 'cost-by-connections': costChart(ranges) };
  const colours = colourNames(Object.values(charts));
  return Object.entries(charts).flatMap(([name, chart]) => [
    [`docs/images/${name}.svg`, svgChart(chart, colours)],
    [`docs/images/${name}-narrow.svg`, svgChart(chart, colours, 'narrow')],
  ]);
}

/** The P99 of all columns of the comparison, and of the servers that ran on one core next to FeatBit's published figures. */
function p99Charts() {
  const report = readComparison();
  const columns = report.columns.filter(({ name }) => name === 'published' || name in ONE_CORE);
  return {
    'p99-by-rate': { ...p99Chart(report), title: 'P99 of data-syncs (gray: published)' },
    'p99-on-one-core': { ...p99Chart({ ...report, columns }), title: 'P99 on one core (gray: published)' },
  };
}

/** The options whose costs are drawn, with the columns of the comparison whose colors they have. */
const COSTS: Readonly<Record<Architecture, string>> = {
  t2: 'host',
  serverless: 'serverless-default',
  fargate: 'fargate',
  door: 'door',
};

/** Eight numbers of connections for each power of ten, up to 10,000. */
const STEPS = [...new Set(Array.from({ length: 33 }, (_, n) => Math.round(10 ** (n / 8))))];

/** The cost of a month. A mark shows where serverless stops to be the cheapest. */
function costChart(ranges: AllRanges): Chart {
  const { connections, usd } = breakEven(SDK_PING_SECONDS, ranges);
  return {
    ...{ title: 'Cost of a month', x: 'connections open all day (log)', y: 'US dollars (log)' },
    ...{ isLogX: true, isLogY: true },
    series: Object.entries(COSTS).map(([option, of]) => {
      const points = STEPS.map((at): [number, number] => [at, monthCost(option as Architecture, at, ranges)]);
      return { name: ARCHITECTURES[option as Architecture], of, line: option === 'door' ? 1 : 0, points, rest: '' };
    }),
    levels: [{ name: 'FeatBit on AWS, idle', at: featbitMonth() }],
    marks: [{ name: `serverless up to ${Math.round(connections).toLocaleString('en')}`, at: [connections, usd] }],
  };
}
