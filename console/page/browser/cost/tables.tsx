import { useMemo } from 'preact/hooks';
import { ARCHITECTURES, type Architecture, COLOURS, readiness } from '../../../../cost/model/report/compare.ts';
import { MIN_SAVED } from '../../../../cost/model/report/levers.ts';
import { type CostReport, notesOf } from '../../../../cost/model/report/report.ts';
import type { Figures } from '../../../../cost/model/workload/figures.ts';
import { PURPOSE_NAMES, PURPOSES } from '../../../../cost/prices/bill.ts';
import { DescriptionList } from '../../../ui/blocks.tsx';
import { Chart, type ChartData } from '../../../ui/chart.tsx';
import { DataTable } from '../../../ui/dataTable.tsx';

/** A report and the format of its figures. */
export interface ReportProps {
  readonly report: CostReport;
  readonly figures: Figures;
}

/** The recommended option, its cost and command. */
export function VerdictView({ report: { verdict } }: Pick<ReportProps, 'report'>) {
  const { headline, range, about, command, cheaper } = verdict;
  return (
    <>
      <div id="summary" class="verdict" aria-live="polite">
        <p>
          <b>{headline}</b> {range && `(${range})`}
        </p>
        <p class="hint">{about}</p>
        {command && <code>{command}</code>}
      </div>
      {cheaper && (
        <div id="cheaper" class="verdict">
          <p>{cheaper.about}</p>
          <code>{cheaper.command}</code>
        </div>
      )}
    </>
  );
}

/** The cost of each option, with notes. */
export function Totals({ report: { architectures }, figures }: ReportProps) {
  const possible = architectures.filter(({ isPossible }) => isPossible);
  const notes = architectures.flatMap((each) => notesOf(each).map((note) => `${note}.`));
  return (
    <>
      <DataTable
        id="totals"
        caption="US dollars a month"
        head={['option', 'ready to deploy', 'expected', 'between', 'idle', 'pings’ share']}
        rows={architectures.map((each) => [
          <>
            <span class="dot" style={{ background: COLOURS[each.architecture] }} />
            {each.isPossible ? each.name : <s>{each.name}</s>}
          </>,
          readiness(each),
          ...[
            figures.money(each.bill.total),
            figures.range(each),
            figures.money(each.idle),
            figures.share(each.heartbeatShare),
          ].map((figure) => (each.isPossible ? figure : '–')),
        ])}
      />
      <ul class="hint bullets">
        {notes.map((note) => (
          <li key={note}>{note}</li>
        ))}
      </ul>
      <details>
        <summary>The command for each</summary>
        <DescriptionList class="facts" items={possible.map(({ name, command }) => [name, <code>{command}</code>])} />
      </details>
    </>
  );
}

/** The cost of each option by purpose, with bars in proportion to the largest figure. */
export function Breakdown({ report: { architectures }, figures }: ReportProps) {
  const possible = architectures.filter(({ isPossible }) => isPossible);
  const most = Math.max(...possible.flatMap(({ purposes }) => Object.values(purposes)));
  return (
    <DataTable
      id="purposes"
      caption="US dollars a month by purpose"
      head={['for', ...possible.map(({ name }) => name)]}
      rows={PURPOSES.map((purpose) => [
        PURPOSE_NAMES[purpose],
        ...possible.map(({ architecture, purposes: { [purpose]: usd } }) => (
          <span class="cost-bar" style={{ '--part': `${(usd / most) * 100}%`, '--tint': COLOURS[architecture] }}>
            {figures.money(usd)}
          </span>
        )),
      ])}
    />
  );
}

/** What each lever saves, without those that save nothing. */
export function LeverTable({ report: { levers, savedTogether }, figures }: ReportProps) {
  const cells = (saved: Readonly<Record<Architecture, number>>) =>
    Object.values(saved).map((usd) => (usd > MIN_SAVED ? figures.money(usd) : '–'));
  const rows = levers.map(({ lever, name, tradeOff, saved }) => [
    <span key={lever} class="lever">
      {tradeOff ? `${name}. Trade-off: ${tradeOff}` : name}
    </span>,
    ...cells(saved),
  ]);
  return (
    <DataTable
      id="levers"
      caption="US dollars saved a month"
      head={['setting', ...Object.values(ARCHITECTURES)]}
      rows={[...rows, ['all of these', ...cells(savedTogether)]].filter((row) => /\d/.test(row.slice(1).join()))}
    />
  );
}

const DASHES: Readonly<Record<Architecture, number[]>> = {
  serverless: [],
  fargate: [],
  t2: [],
  door: [6, 6],
};

/** The order of drawing. The lines of the front door and of one t2.micro nearly coincide. The gaps of the second show the first. */
const DRAWN = Object.keys(DASHES) as Architecture[];

/** A chart of costs by connections on logarithmic axes, with the numbers at which the choice changes. */
export function CostByConnections({ report, figures }: ReportProps) {
  const { architectures, crossings, curve, workload } = report;
  const chart = useMemo((): ChartData => {
    const usdOf = (each: Architecture) => {
      const { isPossible = false, bill } = architectures.find(({ architecture }) => architecture === each) ?? {};
      return isPossible && bill ? figures.money(bill.total) : '–';
    };
    const signs = crossings.map(({ connections }, index) => ({ at: connections, sign: String(index + 1) }));
    const lines = DRAWN.map((each) => ({
      name: ARCHITECTURES[each],
      colour: COLOURS[each],
      dash: DASHES[each],
      points: curve.flatMap(({ connections, usd: { [each]: usd } }): [number, number][] =>
        usd === undefined ? [] : [[connections, usd]],
      ),
      format: figures.money,
      summary: usdOf(each),
    }));
    return {
      y: 'US dollars a month',
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
          From {figures.count(connections)} connections: {ARCHITECTURES[to]} ({figures.money(usd)}), because{' '}
          {ARCHITECTURES[from]} {reason}.
        </li>
      ))}
    </ol>
  );
}

/** A power of ten in few characters: `0.1`, `10k`, `1M`. */
function short(at: number): string {
  return new Intl.NumberFormat('en', { notation: 'compact', maximumSignificantDigits: 1 }).format(at).replace('K', 'k');
}
