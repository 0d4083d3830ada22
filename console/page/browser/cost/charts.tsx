import { useMemo } from 'preact/hooks';
import { ARCHITECTURES, type Architecture, type Ranges } from '../../../../cost/model/report/compare.ts';
import { costWithPing } from '../../../../cost/model/report/report.ts';
import { count, type Figures, PERIODS } from '../../../../cost/model/workload/figures.ts';
import { SDK_PING_SECONDS } from '../../../../shared/protocol/ping.ts';
import { Chart, type ChartData } from '../../../ui/chart.tsx';
import { DataTable } from '../../../ui/dataTable.tsx';
import { Section } from '../documents/section.tsx';
import { COLOURS, type ReportProps } from './tables.tsx';

const DASHES: Readonly<Record<Architecture, number[]>> = {
  serverless: [],
  t2: [2, 3],
  fleet: [8, 4],
  fargate: [12, 3, 3, 3],
  spot: [4, 4],
};

/** The order of drawing. One machine costs as much as a fleet of one, so its dots are drawn over the fleet's dashes. */
const DRAWN: readonly Architecture[] = ['serverless', 'spot', 'fargate', 'fleet', 't2'];

/** A chart of costs by connections, with the numbers at which the choice changes. */
export function CostByConnections({ report, figures }: ReportProps) {
  const { crossings, curve, workload } = report;
  const chart = useMemo(() => {
    const signs = crossings.map(({ connections }, index) => ({ at: connections, sign: String(index + 1) }));
    return costChart({
      x: 'peak connections',
      points: curve.map(({ connections, usd }) => ({ at: connections, usd })),
      marks: [...signs, { at: workload.connections, sign: '▼' }],
      format: figures.count,
      figures,
    });
  }, [report, figures]);
  return (
    <Section
      title="Cost by number of connections"
      about="The load grows with the connections. ▼ marks your load. At each number, another option becomes the choice."
    >
      <Chart
        id="by-connections"
        label="Cost by connections, both logarithmic. The crossings are listed below. The costs at your load are in the table above"
        chart={chart}
      />
      <ol class="bullets">
        {crossings.map(({ from, to, connections, usd, reason }) => (
          <li key={connections}>
            From {figures.count(connections)} connections: {ARCHITECTURES[to]} ({figures.cost(usd)}), because{' '}
            {ARCHITECTURES[from]} {reason}.
          </li>
        ))}
      </ol>
    </Section>
  );
}

/** A chart and a table of costs by ping interval. */
export function CostByPing({ report, ranges, figures }: ReportProps & { readonly ranges: Ranges }) {
  const { workload, architectures } = report;
  const possible = architectures.filter(({ isPossible }) => isPossible).map(({ architecture }) => architecture);
  const costs = (pingSeconds: number) =>
    Object.fromEntries(possible.map((each) => [each, costWithPing(each, workload, ranges.expected, pingSeconds)]));
  const chart = useMemo(
    () =>
      costChart({
        x: 'ping interval of every SDK, seconds',
        points: Array.from({ length: 57 }, (_, step) => 600 ** (step / 56)).map((at) => ({ at, usd: costs(at) })),
        format: (at) => `${figures.count(at)} s`,
        figures,
      }),
    [report, figures],
  );
  return (
    <Section
      title="The largest lever: the ping interval"
      about="API Gateway counts each ping and each pong as a message. For hosts they cost little. With JavaScript, Node and .NET you can set the interval: use 60 to 300 seconds. Home routers drop a silent connection after a minute or more, load balancers with TLS after 350 seconds, API Gateway after ten minutes."
    >
      <Chart id="by-ping" label="Cost by ping interval. The figures are in the table below" chart={chart} />
      <DataTable
        caption={`US dollars a ${figures.period} by ping interval`}
        head={['ping interval', ...possible.map((each) => ARCHITECTURES[each])]}
        rows={[1, 10, 15, SDK_PING_SECONDS, 60, 300].map((seconds) => [
          `${seconds} s`,
          ...possible.map((each) => figures.cost(costs(seconds)[each] ?? Number.NaN)),
        ])}
      />
    </Section>
  );
}

/** Costs along an axis, with a line for each architecture. */
interface CostChart {
  readonly x: string;
  readonly points: readonly { readonly at: number; readonly usd: Readonly<Partial<Record<Architecture, number>>> }[];
  readonly marks?: ChartData['marks'];
  readonly format: (at: number) => string;
  readonly figures: Figures;
}

/** Costs on logarithmic axes. */
function costChart({ x, points, marks = [], format, figures }: CostChart): ChartData {
  const lines = DRAWN.map((each) => ({
    name: ARCHITECTURES[each],
    colour: COLOURS[each],
    dash: DASHES[each],
    points: points.flatMap(({ at, usd: { [each]: usd } }): [number, number][] =>
      usd === undefined ? [] : [[at, usd * PERIODS[figures.period]]],
    ),
    format: figures.money,
  }));
  return {
    x,
    y: `US dollars a ${figures.period}`,
    isLogX: true,
    isLogY: true,
    hasGaps: true,
    lines: lines.filter((line) => line.points.length > 0),
    marks,
    formatX: format,
    tickX: short,
    tickY: (usd) => `$${short(usd)}`,
  };
}

function short(at: number): string {
  if (at >= 1e9) return `${at / 1e9} B`;
  if (at >= 1e6) return `${at / 1e6} M`;
  if (at >= 1e3) return `${at / 1e3} k`;
  return count(at);
}
