import { ARCHITECTURES, type Architecture, readiness } from '../../../../cost/model/report/compare.ts';
import type { LeverName } from '../../../../cost/model/report/levers.ts';
import { MIN_SAVED } from '../../../../cost/model/report/leverTable.ts';
import { type ArchitectureReport, type CostReport, notesOf } from '../../../../cost/model/report/report.ts';
import type { Figures } from '../../../../cost/model/workload/figures.ts';
import { PURPOSE_NAMES, PURPOSES } from '../../../../cost/prices/bill.ts';
import { DataTable } from '../../../ui/dataTable.tsx';
import { DescriptionList } from '../../../ui/descriptionList.tsx';

/** Okabe and Ito's colours, which most colour-blind people can distinguish. */
export const COLOURS: Readonly<Record<Architecture, string>> = {
  serverless: '#0072b2',
  door: '#8a6fc7',
  t2: '#d55e00',
  fleet: '#009e73',
  fargate: '#cc79a7',
  spot: '#b08900',
};

/** Colours of the purposes of a bill, which also keep their order. */
const PURPOSE_COLOURS = ['#d55e00', '#0072b2', '#009e73', '#56b4e9', '#cc79a7', '#e69f00', '#7f7f7f'];

/** A report and the format of its figures. */
export interface ReportProps {
  readonly report: CostReport;
  readonly figures: Figures;
}

/** The recommended option, its cost and command, and answers to the payer's questions. */
export function VerdictView({ report: { verdict } }: Pick<ReportProps, 'report'>) {
  const { headline, range, about, command, cheaper, answers } = verdict;
  return (
    <>
      <div id="summary" class="verdict" aria-live="polite">
        <p>
          <b>{headline}</b> {range && `(${range})`}
        </p>
        <p class="hint">{about}</p>
        {command && <code>{command}</code>}
        <DescriptionList items={answers.map(({ question, answer }) => [question, answer])} />
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
          <ArchitectureName key="name" of={each} hasSwatch />,
          readiness(each),
          expected(each, figures),
          ...[
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

/** A bar for each option, in proportion to the most expensive, split by purpose; and every item. */
export function Breakdown({ report: { architectures }, figures }: ReportProps) {
  const possible = architectures.filter(({ isPossible }) => isPossible);
  const most = Math.max(...possible.map(({ bill }) => bill.total));
  return (
    <>
      <ul class="legend">
        {PURPOSES.map((purpose, index) => (
          <li key={purpose}>
            <Swatch colour={PURPOSE_COLOURS[index]} />
            {PURPOSE_NAMES[purpose]}
          </li>
        ))}
      </ul>
      {architectures.map((each) => (
        <div key={each.name} class="cost-bar">
          <ArchitectureName of={each} />
          <span class="cost-bar-parts" aria-hidden="true">
            {each.isPossible &&
              PURPOSES.map((purpose, index) => (
                <span
                  key={purpose}
                  title={`${PURPOSE_NAMES[purpose]}: ${figures.cost(each.purposes[purpose])}`}
                  hidden={each.purposes[purpose] <= 0}
                  style={{
                    width: `${(each.purposes[purpose] / most) * 100}%`,
                    background: PURPOSE_COLOURS[index] ?? '',
                  }}
                />
              ))}
          </span>
          <span class="cost-bar-total">{expected(each, figures)}</span>
        </div>
      ))}
      <details>
        <summary>As a table</summary>
        <DataTable
          caption={`US dollars a ${figures.period} by purpose`}
          head={['for', ...architectures.map(({ name }) => name)]}
          rows={PURPOSES.map((purpose) => [
            PURPOSE_NAMES[purpose],
            ...architectures.map(({ purposes, isPossible }) => (isPossible ? figures.cost(purposes[purpose]) : '–')),
          ])}
        />
      </details>
      <div id="items">
        {possible.map((each) => (
          <Items key={each.name} of={each} figures={figures} />
        ))}
      </div>
    </>
  );
}

function Items({ of: { name, bill }, figures }: { readonly of: ArchitectureReport; readonly figures: Figures }) {
  const items = bill.items.filter(({ quantity }) => quantity > 0).toSorted((a, b) => b.usd - a.usd);
  return (
    <details>
      <summary>{name}: all items</summary>
      <DataTable
        caption={`${name}: all items of the bill`}
        head={['item', 'for', 'quantity a month', 'unit', `US dollars a ${figures.period}`]}
        rows={items.map(({ what, purpose, quantity, unit, usd }) => [
          what,
          PURPOSE_NAMES[purpose],
          figures.count(quantity),
          unit,
          figures.cost(usd),
        ])}
      />
    </details>
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

function expected({ bill, isPossible }: ArchitectureReport, figures: Figures): string {
  return isPossible ? figures.cost(bill.total) : '–';
}

function ArchitectureName({
  of: { architecture, name, isPossible },
  hasSwatch = false,
}: {
  readonly of: ArchitectureReport;
  readonly hasSwatch?: boolean;
}) {
  return (
    <span>
      {hasSwatch && <Swatch colour={COLOURS[architecture]} />}
      {isPossible ? name : <s>{name}</s>}
    </span>
  );
}

function Swatch({ colour = '' }: { readonly colour?: string | undefined }) {
  return <span class="dot" style={{ background: colour }} />;
}
