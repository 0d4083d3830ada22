import type { AllRanges } from '../../cost/assumptions/rangesOf.ts';
import { breakEven, monthCost } from '../../cost/docs/costTables.ts';
import { ARCHITECTURES, type Architecture } from '../../cost/model/report/compare.ts';
import { featbitMonth } from '../../cost/prices/featbitMonth.ts';
import { SDK_PING_SECONDS } from '../../shared/protocol/ping.ts';
import { comparisonCharts } from '../compare/comparisonCharts.ts';
import type { Chart, Series } from '../report/document.ts';
import { colourNames, svgChart } from '../report/svgChart.ts';
import { readComparison } from './comparisonTables.ts';
import { numberAt, readResults, valueAt } from './results.ts';

/** The charts of README and docs, as `[path from the root, content]`. */
export function renderCharts(ranges: AllRanges): [path: string, content: string][] {
  const charts = { 'p99-by-rate': p99Chart(), 'cost-by-connections': costChart(ranges) };
  const colours = colourNames(Object.values(charts));
  return Object.entries(charts).map(([name, chart]) => [`docs/images/${name}.svg`, svgChart(chart, colours)]);
}

/** The comparison, and FeatBit's server measured in another run. */
function p99Chart(): Chart {
  const { p99 } = comparisonCharts(readComparison());
  const results = readResults('featbit/servers');
  const of = (rate: number) => `warm.results.${rate}.featbitMemory.syncP99Ms`;
  const rates = [1_000, 1_100, 1_200];
  const featbit: Series = {
    ...{ name: 'FeatBit here, slower core', of: 'featbit', line: 1, rest: '' },
    points: rates.map((rate) => [rate, numberAt(results, of(rate))]),
    ranges: rates.map((rate) => {
      const [low = Number.NaN, , high = Number.NaN] = valueAt(results, of(rate)) as number[];
      return [rate, low, high];
    }),
  };
  const [published, ...designs] = p99.series;
  return { ...p99, series: [...(published ? [published] : []), featbit, ...designs] };
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
    levels: [{ name: 'FeatBit on AWS, without clients', at: featbitMonth() }],
    marks: [{ name: `serverless up to ${Math.round(connections).toLocaleString('en')}`, at: [connections, usd] }],
  };
}
