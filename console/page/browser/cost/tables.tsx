import { useMemo } from 'preact/hooks';
import { ARCHITECTURES, type Architecture, readiness } from '../../../../cost/model/report/compare.ts';
import type { LeverName } from '../../../../cost/model/report/levers.ts';
import { MIN_SAVED } from '../../../../cost/model/report/levers.ts';
import { type CostReport, notesOf } from '../../../../cost/model/report/report.ts';
import { type Figures, PERIODS } from '../../../../cost/model/workload/figures.ts';
import { PURPOSE_NAMES, PURPOSES } from '../../../../cost/prices/bill.ts';
import { DescriptionList } from '../../../ui/blocks.tsx';
import { Chart, type ChartData } from '../../../ui/chart.tsx';
import { DataTable } from '../../../ui/dataTable.tsx';

/** Okabe and Ito's colours, which most colour-blind people can distinguish. */
const COLOURS: Readonly<Record<Architecture, string>> = {
  serverless: '#0072b2',
  door: '#8a6fc7',
  t2: '#d55e00',
  fargate: '#cc79a7',
};

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
        caption={`US dollars a ${figures.period}`}
        head={[
          'option',
          'ready to deploy',
          'expected',
          'between',
          'idle',
          'pings’ share',
          'a million data-syncs',
          'a million pushes',
        ]}
        rows={architectures.map((each) => [
          <>
            <span class="dot" style={{ background: COLOURS[each.architecture] }} />
            {each.isPossible ? each.name : <s>{each.name}</s>}
          </>,
          readiness(each),
          ...[
            figures.cost(each.bill.total),
            figures.range(each),
            figures.cost(each.idle),
            figures.share(each.heartbeatShare),
            figures.money(each.millionSyncs),
            figures.money(each.millionPushes),
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
      caption={`US dollars a ${figures.period} by purpose`}
      head={['for', ...possible.map(({ name }) => name)]}
      rows={PURPOSES.map((purpose) => [
        PURPOSE_NAMES[purpose],
        ...possible.map(({ architecture, purposes: { [purpose]: usd } }) => (
          <span class="cost-bar" style={{ '--part': `${(usd / most) * 100}%`, '--tint': COLOURS[architecture] }}>
            {figures.cost(usd)}
          </span>
        )),
      ])}
    />
  );
}

/** A switch for each lever, with what it saves. */
export function LeverTable({
  report: { levers, savedTogether },
  figures,
  onSwitch,
}: ReportProps & { readonly onSwitch: (on: LeverName[]) => void }) {
  const cells = (saved: Readonly<Record<Architecture, number>>) =>
    (Object.keys(ARCHITECTURES) as Architecture[]).map((each) =>
      saved[each] > MIN_SAVED ? figures.cost(saved[each]) : '–',
    );
  const on = levers.filter(({ isOn }) => isOn).map(({ lever }) => lever);
  const rows = levers.map(({ lever, name, tradeOff, isOn, saved }) => {
    const toggle = () => onSwitch(isOn ? on.filter((each) => each !== lever) : [...on, lever]);
    return [
      <label key={lever} class="check">
        <input type="checkbox" id={`lever-${lever}`} checked={isOn} onChange={toggle} />
        <span>{tradeOff ? `${name}. Trade-off: ${tradeOff}` : name}</span>
      </label>,
      ...cells(saved),
    ];
  });
  return (
    <DataTable
      caption={`US dollars saved a ${figures.period}`}
      head={['setting', ...Object.values(ARCHITECTURES)]}
      rows={[...rows, ['all selected', ...cells(savedTogether)]]}
    />
  );
}

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

/** A power of ten in few characters: `0.1`, `10k`, `1M`. */
function short(at: number): string {
  return new Intl.NumberFormat('en', { notation: 'compact', maximumSignificantDigits: 1 }).format(at).replace('K', 'k');
}
