import type { ComponentChildren } from 'preact';
import type { Range } from '../../../cost/assumptions/rangesOf.ts';
import { APP_CONFIG, appConfigTable } from '../../../cost/model/report/appConfig.ts';
import { readiness } from '../../../cost/model/report/compare.ts';
import { type ArchitectureReport, type CostReport, notesOf } from '../../../cost/model/report/report.ts';
import { count, type Figures } from '../../../cost/model/workload/figures.ts';
import { PURPOSE_NAMES, PURPOSES } from '../../../cost/prices/bill.ts';
import { priceSheetOf } from '../../../cost/prices/sheets.ts';
import { DataTable } from '../../ui/dataTable.tsx';
import { COLOURS } from './charts.ts';

/** Colours of the purposes of a bill, which also keep their order. */
const PURPOSE_COLOURS = ['#d55e00', '#0072b2', '#009e73', '#56b4e9', '#cc79a7', '#e69f00', '#7f7f7f'];

/** A report, with how its figures are written. */
interface ReportProps {
  readonly report: CostReport;
  readonly figures: Figures;
}

/** What to choose, its cost, the command for it, and the payer's questions. */
export function VerdictView({ report: { verdict } }: Pick<ReportProps, 'report'>) {
  const { headline, range, about, command, cheaper, answers } = verdict;
  return (
    <>
      <div id="summary" aria-live="polite">
        <p class="headline">
          <b>{headline}</b> {range && `(${range})`}
        </p>
        <p class="about">{about}</p>
        {command && <code>{command}</code>}
        <dl>
          {answers.map(({ question, answer }) => (
            <div key={question}>
              <dt>{question}</dt>
              <dd>{answer}</dd>
            </div>
          ))}
        </dl>
      </div>
      {cheaper && (
        <div id="cheaper">
          <p>{cheaper.about}</p>
          <code>{cheaper.command}</code>
        </div>
      )}
    </>
  );
}

/** What each option costs, and what to know of it. */
export function Totals({ report: { architectures }, figures }: ReportProps) {
  const notes = architectures.flatMap((each) => notesOf(each).map((note) => `${note}.`));
  return (
    <>
      <div id="totals">
        <DataTable
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
            'machines',
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
        <summary>The command for each</summary>
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

/** What AWS AppConfig costs for the servers of the load, and serverless for the same servers. */
export function AppConfig({ report: { appConfig }, figures }: ReportProps) {
  const { head, rows } = appConfig ? appConfigTable(appConfig, figures) : { head: [], rows: [] };
  return (
    <>
      <p>
        AWS AppConfig serves servers: its agent next to your code polls every {APP_CONFIG.pollSeconds} seconds. For
        browsers and phones you write a proxy. It{' '}
        <a href={APP_CONFIG.source} rel="noreferrer">
          costs
        </a>{' '}
        {figures.money(1e6 * APP_CONFIG.requestUsd)} for a million polls and{' '}
        {figures.money(1e3 * APP_CONFIG.receivedUsd)} for a thousand configurations received in us-east-1. Insight
        events are not included.
      </p>
      {appConfig ? (
        <div id="app-config">
          <DataTable caption="For the servers of your load only" head={head} rows={rows} />
        </div>
      ) : (
        <p>Your load has no servers.</p>
      )}
    </>
  );
}

/** All assumptions, with their ranges and sources. */
export function AssumptionTable({ ranges }: { readonly ranges: Readonly<Record<string, Range>> }) {
  return (
    <div id="assumptions">
      <DataTable
        caption="All assumptions"
        head={['assumption', 'expected', 'low to high', 'source']}
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

/** The prices of the region, each with its source. */
export function PriceTable({ report, figures }: ReportProps) {
  const { name, prices } = priceSheetOf(report.workload.region);
  return (
    <div id="prices">
      <DataTable
        caption={`List prices in ${name}, US dollars without tax`}
        head={['item', 'price', 'for', 'source', 'as of', 'confirmed']}
        rows={Object.values(prices).map(({ what, tiers, per, unit, source, asOf, isConfirmed }) => [
          what,
          tiers
            .map(({ usd, upTo }) => (upTo === undefined ? `$${usd}` : `$${usd} up to ${figures.count(upTo)}`))
            .join(', then '),
          per === 1 ? `1 ${unit.replace(/s$/, '')}` : `${figures.count(per)} ${unit}`,
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
