import { useMemo } from 'preact/hooks';
import { ARCHITECTURES, type Architecture } from '../../../../cost/model/report/compare.ts';
import { count, PERIODS } from '../../../../cost/model/workload/figures.ts';
import { Chart, type ChartData } from '../../../ui/chart.tsx';
import { COLOURS, type ReportProps } from './tables.tsx';

const DASHES: Readonly<Record<Architecture, number[]>> = {
  serverless: [],
  door: [6, 2],
  t2: [2, 3],
  fargate: [12, 3, 3, 3],
};

/** The order of drawing. */
const DRAWN: readonly Architecture[] = ['serverless', 'fargate', 't2', 'door'];

/** A chart of costs by connections on logarithmic axes, with the numbers at which the choice changes. */
export function CostByConnections({ report, figures }: ReportProps) {
  const { architectures, crossings, curve, workload } = report;
  const chart = useMemo((): ChartData => {
    const usdOf = (each: Architecture) => {
      const { isPossible = false, bill } = architectures.find(({ architecture }) => architecture === each) ?? {};
      return isPossible && bill ? figures.cost(bill.total) : '–';
    };
    const signs = crossings.map(({ connections }, index) => ({ at: connections, sign: String(index + 1) }));
    const lines = DRAWN.map((each) => ({
      name: ARCHITECTURES[each],
      colour: COLOURS[each],
      dash: DASHES[each],
      points: curve.flatMap(({ connections, usd: { [each]: usd } }): [number, number][] =>
        usd === undefined ? [] : [[connections, usd * PERIODS[figures.period]]],
      ),
      format: figures.money,
      summary: usdOf(each),
    }));
    return {
      y: `US dollars a ${figures.period}`,
      isLog: true,
      lines: lines.filter(({ points }) => points.length > 0),
      marks: [...signs, { at: workload.connections, sign: '▼' }],
      formatX: (at) => `${figures.count(at)} connections`,
      tickX: short,
      tickY: (usd) => `$${short(usd)}`,
    };
  }, [report, figures]);
  return (
    <div class="answer-chart">
      <p class="hint">By peak connections. ▼ is your load. At each number, the choice changes.</p>
      <Chart
        id="by-connections"
        label="Cost by connections, both logarithmic. The crossings and the costs at your load are listed below"
        chart={chart}
      />
    </div>
  );
}

/** The numbers of connections at which the choice changes. */
export function Crossings({ report: { crossings }, figures }: ReportProps) {
  return (
    <ol class="hint bullets">
      {crossings.map(({ from, to, connections, usd, reason }) => (
        <li key={connections}>
          From {figures.count(connections)} connections: {ARCHITECTURES[to]} ({figures.cost(usd)}), because{' '}
          {ARCHITECTURES[from]} {reason}.
        </li>
      ))}
    </ol>
  );
}

function short(at: number): string {
  if (at >= 1e9) return `${at / 1e9} B`;
  if (at >= 1e6) return `${at / 1e6} M`;
  if (at >= 1e3) return `${at / 1e3} k`;
  return count(at);
}
