import type { ComponentChildren } from 'preact';
import type { AllRanges } from '../../../../cost/assumptions/rangesOf.ts';
import { APP_CONFIG, appConfigTable } from '../../../../cost/model/report/appConfig.ts';
import { count } from '../../../../cost/model/workload/figures.ts';
import { priceSheetOf } from '../../../../cost/prices/sheets.ts';
import { DataTable } from '../../../ui/dataTable.tsx';
import type { ReportProps } from './tables.tsx';

/** The cost of AWS AppConfig and of serverless, both for the servers of the load. */
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
        <DataTable id="app-config" caption="For the servers of your load only" head={head} rows={rows} />
      ) : (
        <p>Your load has no servers.</p>
      )}
      <p>
        <a href="https://developers.cloudflare.com/flagship/" rel="noreferrer">
          Cloudflare Flagship
        </a>{' '}
        evaluates flags in Workers. It is in public beta. Its price could not be confirmed.
      </p>
    </>
  );
}

/** All assumptions, with their ranges and sources. */
export function AssumptionTable({ ranges }: { readonly ranges: AllRanges }) {
  return (
    <DataTable
      id="assumptions"
      caption="All assumptions"
      head={['assumption', 'expected', 'low to high', 'source']}
      rows={Object.values(ranges).map(({ meaning, expected, low, high, unit, source }) => [
        meaning,
        `${digits(expected)} ${unit}`,
        low === high ? '–' : `${digits(low)} to ${digits(high)}`,
        withLinks(source),
      ])}
    />
  );
}

/** The prices of the region, each with its source. */
export function PriceTable({ report, figures }: ReportProps) {
  const { name, prices } = priceSheetOf(report.workload.region);
  return (
    <DataTable
      id="prices"
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
