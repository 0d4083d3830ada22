import type { AllRanges } from '../../cost/assumptions/rangesOf.ts';
import { breakEven, monthCost } from '../../cost/docs/costTables.ts';
import { ARCHITECTURES, type Architecture, COLOURS as OPTIONS } from '../../cost/model/report/compare.ts';
import { featbitMonth } from '../../cost/prices/featbitMonth.ts';
import { SDK_PING_SECONDS } from '../../shared/protocol/ping.ts';
import { p99Chart } from '../compare/p99Chart.ts';
import { barChart } from '../report/barChart.ts';
import type { Chart } from '../report/document.ts';
import { svgChart } from '../report/svgChart.ts';
import { readComparison } from './comparisonTables.ts';
import { newClients } from './featbitTables.ts';

/** The colors of options, columns of the comparison, and servers. */
const COLOURS = {
  ...OPTIONS,
  host: OPTIONS.t2,
  'serverless-default': OPTIONS.serverless,
  'serverless-raised': '#56b4e9',
  featbitMemory: '#999933',
  featbitRedis: '#999933',
  featbitPostgres: '#999933',
  flagwireBun: '#009e73',
};

/** The charts of README and docs, as `[path from the root, content]`. */
export function renderCharts(ranges: AllRanges): [path: string, content: string][] {
  const charts = { 'p99-by-rate': p99Chart(readComparison()), 'cost-by-connections': costChart(ranges) };
  return [
    ['docs/images/new-clients.svg', barChart('New clients a second on one core', newClients(), COLOURS)],
    ...Object.entries(charts).flatMap(([name, chart]): [string, string][] => [
      [`docs/images/${name}.svg`, svgChart(chart, COLOURS)],
      [`docs/images/${name}-narrow.svg`, svgChart(chart, COLOURS, 'narrow')],
    ]),
  ];
}

/** Eight numbers of connections for each power of ten, up to 10,000. */
const STEPS = [...new Set(Array.from({ length: 33 }, (_, n) => Math.round(10 ** (n / 8))))];

/** The cost of a month. A mark shows where serverless stops to be the cheapest. */
function costChart(ranges: AllRanges): Chart {
  const { connections, usd } = breakEven(SDK_PING_SECONDS, ranges);
  const series = Object.entries(ARCHITECTURES).map(([option, name]) => {
    const points = STEPS.map((at): [number, number] => [at, monthCost(option as Architecture, at, ranges)]);
    return {
      name: option === 't2' ? `${name}, unlimited mode` : name,
      of: option,
      line: option === 'door' ? 1 : 0,
      points,
      rest: '',
    };
  });
  const axes = { x: 'connections open all day (log)', y: 'US dollars (log)', isLogX: true, isLogY: true };
  const levels = [{ name: 'FeatBit on AWS, idle', at: featbitMonth() }];
  const name = `serverless up to ${Math.round(connections).toLocaleString('en')}`;
  return { title: 'Cost of a month', ...axes, series, levels, marks: [{ name, at: [connections, usd] }] };
}
