import type { ComponentChildren } from 'preact';
import type { Range } from '../../../cost/assumptions/rangesOf.ts';
import { APP_CONFIG, appConfigTable } from '../../../cost/model/appConfig.ts';
import { count, type Figures } from '../../../cost/model/figures.ts';
import type { ArchitectureReport, CostReport } from '../../../cost/model/report.ts';
import { PURPOSE_NAMES, PURPOSES } from '../../../cost/prices/bill.ts';
import { priceSheetOf } from '../../../cost/prices/sheets.ts';
import { DataTable } from '../../ui/dataTable.tsx';
import { COLOURS } from './charts.ts';

/** Colours of what a bill is for, told apart by their order as well. */
const PURPOSE_COLOURS = ['#d55e00', '#0072b2', '#009e73', '#56b4e9', '#cc79a7', '#e69f00', '#7f7f7f'];

/** A report, with how its figures are written. */
interface ReportProps {
  readonly report: CostReport;
  readonly figures: Figures;
}

/** The four questions and their answers. */
export function Answers({ report: { answers } }: Pick<ReportProps, 'report'>) {
  return (
    <dl id="summary" aria-live="polite">
      {answers.map(({ question, answer, command }) => (
        <div key={question}>
          <dt>{question}</dt>
          <dd>
            {answer}
            {command && <code>{command}</code>}
          </dd>
        </div>
      ))}
    </dl>
  );
}

/** What each way costs, and what to know of it. */
export function Totals({ report: { architectures }, figures }: ReportProps) {
  const notes = architectures.flatMap(({ name, problems, notes, guesses = [] }) => [
    ...problems.map((problem) => `${name} is ruled out: ${problem}.`),
    ...[...notes, ...guesses].map((note) => `${name}: ${note}.`),
  ]);
  return (
    <>
      <div id="totals">
        <DataTable
          caption={`US dollars a ${figures.period}`}
          head={[
            'way to run it',
            'expected',
            'between',
            'idle',
            'pings’ share',
            'a million data-syncs',
            'a million pushes',
            'machines',
          ]}
          rows={architectures.map((each) => [
            <ArchitectureName key="name" of={each} hasSwatch />,
            expected(each, figures),
            ...[
              figures.range(each),
              figures.cost(each.idle),
              figures.share(each.heartbeatShare),
              figures.money(each.millionSyncs),
              figures.money(each.millionPushes),
              each.machines > 0 ? figures.count(each.machines) : '–',
            ].map((figure) => (each.isPossible ? figure : '–')),
          ])}
        />
      </div>
      <ul id="notes">
        {notes.map((note) => (
          <li key={note}>{note}</li>
        ))}
      </ul>
      <details id="commands">
        <summary>What deploys each</summary>
        <dl>
          {architectures
            .filter(({ isPossible }) => isPossible)
            .map(({ name, command }) => (
              <div key={name}>
                <dt>{name}</dt>
                <dd>
                  <code>{command}</code>
                </dd>
              </div>
            ))}
        </dl>
      </details>
    </>
  );
}

/** A bar for each architecture, as long as its bill beside the most expensive, divided by what it is for; and every item. */
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
          caption={`The same as a table, US dollars a ${figures.period}`}
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
      <summary>{name}: every item</summary>
      <DataTable
        caption={`${name}: every item of the bill`}
        head={['item', 'for', 'quantity a month', 'of', `US dollars a ${figures.period}`]}
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

/** What AWS AppConfig costs for the servers of the load, and the serverless way for the same servers. */
export function AppConfig({ report: { appConfig }, figures }: ReportProps) {
  const { head, rows } = appConfig ? appConfigTable(appConfig, figures) : { head: [], rows: [] };
  return (
    <>
      <p>
        AWS AppConfig serves servers: an agent next to your code polls every {APP_CONFIG.pollSeconds} seconds. Browsers
        and phones need a proxy of your own. It{' '}
        <a href={APP_CONFIG.source} rel="noreferrer">
          costs
        </a>{' '}
        {figures.money(1e6 * APP_CONFIG.requestUsd)} for a million polls and{' '}
        {figures.money(1e3 * APP_CONFIG.receivedUsd)} for a thousand configurations received in us-east-1. Insight
        events are left out.
      </p>
      {appConfig ? (
        <div id="app-config">
          <DataTable caption="For the servers of your load alone" head={head} rows={rows} />
        </div>
      ) : (
        <p>Your load has no servers.</p>
      )}
    </>
  );
}

/** Everything that is assumed, with its range and where it comes from. */
export function AssumptionTable({ ranges }: { readonly ranges: Readonly<Record<string, Range>> }) {
  return (
    <div id="assumptions">
      <DataTable
        caption="Every assumption"
        head={['what', 'expected', 'low to high', 'from']}
        rows={Object.values(ranges).map(({ meaning, expected, low, high, unit, source }) => [
          meaning,
          `${digits(expected)} ${unit}`,
          low === high ? '–' : `${digits(low)} to ${digits(high)}`,
          withLinks(source),
        ])}
      />
    </div>
  );
}

/** The prices of the region, each with where it is from. */
export function PriceTable({ report, figures }: ReportProps) {
  const { name, prices } = priceSheetOf(report.workload.region);
  return (
    <div id="prices">
      <DataTable
        caption={`List prices in ${name}, US dollars without tax`}
        head={['what', 'price', 'for', 'source', 'as of', 'confirmed']}
        rows={Object.values(prices).map(({ what, tiers, per, unit, source, asOf, isConfirmed }) => [
          what,
          tiers
            .map(({ usd, upTo }) => (upTo === undefined ? `$${usd}` : `$${usd} up to ${figures.count(upTo)}`))
            .join(', then '),
          `${figures.count(per)} ${unit}`,
          <a key="source" href={source} rel="noreferrer">
            {new URL(source).pathname}
          </a>,
          asOf,
          isConfirmed ? 'yes' : 'no',
        ])}
      />
    </div>
  );
}

/** Text whose addresses are links. */
function withLinks(text: string): ComponentChildren {
  return text.split(/(https:\/\/[^\s,)]+)/).map((part, index) =>
    index % 2 === 1 ? (
      <a key={part} href={part} rel="noreferrer">
        {part.replace(/^https:\/\//, '')}
      </a>
    ) : (
      part
    ),
  );
}

function digits(value: number): string {
  return value >= 1_000 ? count(value) : String(Number(value.toPrecision(3)));
}

function expected({ bill, isPossible }: ArchitectureReport, figures: Figures): string {
  return isPossible ? figures.cost(bill.total) : 'not possible';
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
