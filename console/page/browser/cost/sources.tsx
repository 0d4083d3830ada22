import type { ComponentChildren } from 'preact';
import type { AllRanges } from '../../../../cost/assumptions/rangesOf.ts';
import { count } from '../../../../cost/model/workload/figures.ts';
import { priceSheetOf } from '../../../../cost/prices/sheets.ts';
import { DataTable } from '../../../ui/dataTable.tsx';
import type { ReportProps } from './tables.tsx';

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
