import { ARCHITECTURES, type Architecture, readiness } from '../../../../cost/model/report/compare.ts';
import type { LeverName } from '../../../../cost/model/report/levers.ts';
import { MIN_SAVED } from '../../../../cost/model/report/leverTable.ts';
import { type CostReport, notesOf } from '../../../../cost/model/report/report.ts';
import type { Figures } from '../../../../cost/model/workload/figures.ts';
import { PURPOSE_NAMES, PURPOSES } from '../../../../cost/prices/bill.ts';
import { DescriptionList } from '../../../ui/blocks.tsx';
import { DataTable } from '../../../ui/dataTable.tsx';

/** Okabe and Ito's colours, which most colour-blind people can distinguish. */
export const COLOURS: Readonly<Record<Architecture, string>> = {
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
