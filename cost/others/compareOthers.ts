import type { Assumptions } from '../model/assumptions.ts';
import { ENGLISH, type Figures } from '../model/figures.ts';
import type { Workload } from '../model/workload.ts';
import { type Line, priceLines } from '../prices/bill.ts';
import { priceSheetOf, type Region } from '../prices/sheets.ts';
import { tieredCost } from '../prices/tiers.ts';
import { OTHERS, type Other, type OtherPrice } from './others.ts';
import { ourPart } from './ourPart.ts';
import { quantitiesOf } from './quantities.ts';

/** What another choice costs a month. */
export interface OtherCost extends Pick<Other, 'key' | 'name' | 'sdks' | 'fit' | 'leftOut' | 'prices'> {
  /** US dollars of what is known; undefined where nothing is. */
  readonly usd?: number;
  /** Whether something has a price besides that the load does not tell how much of it there is. */
  readonly isAtLeast: boolean;
  /** Why it cannot serve the load as it is. */
  readonly problem?: string;
}

/** Whether FeatBit's SDKs can use something unmodified, in words. */
export const SDKS_NAMES: Readonly<Record<Other['sdks'], string>> = { yes: 'yes', some: 'in part', no: 'no' };

/** What each of the others costs for a load, in the order of the list. */
export function compareOthers(workload: Workload, assumed: Assumptions): OtherCost[] {
  const quantities = quantitiesOf(workload, assumed);
  const sheet = priceSheetOf(workload.region);
  return OTHERS.map((other) => {
    const { key, name, sdks, fit, leftOut, prices, mostConnections = Number.POSITIVE_INFINITY } = other;
    const ours = ourPart(other, workload, assumed);
    const problem =
      workload.connections > mostConnections
        ? `it takes ${mostConnections.toLocaleString('en')} connections at most`
        : ours.problem;
    const amounts = prices.map(({ counts }) => counts.reduce((sum, each) => sum + (quantities[each] ?? Number.NaN), 0));
    const known = prices.flatMap((price, index) => {
      const quantity = amounts[index] ?? Number.NaN;
      return Number.isNaN(quantity) ? [] : [{ price, quantity }];
    });
    const theirs = known.flatMap(({ price, quantity }) => ('tiers' in price ? [tieredCost(price, quantity)] : []));
    const ofSheet = known.flatMap(({ price, quantity }): Line[] =>
      'sheet' in price ? [{ price: price.sheet, quantity, purpose: 'machines', what: price.what }] : [],
    );
    const lines = [...ours.lines, ...ofSheet];
    const isKnown = theirs.length > 0 || lines.length > 0;
    const usd = theirs.reduce((sum, each) => sum + each, priceLines(lines, sheet, workload.freeTier).total);
    return {
      ...{ key, name, sdks, fit, prices, isAtLeast: amounts.some(Number.isNaN) },
      ...(leftOut === undefined ? {} : { leftOut }),
      ...(isKnown ? { usd } : {}),
      ...(problem === undefined ? {} : { problem }),
    };
  });
}

/** What it costs in words, for the period of the figures: the least it can be, about what it is, or nothing where no price could be confirmed. */
export function costInWords({ usd, isAtLeast, leftOut, problem }: OtherCost, say: Figures = ENGLISH): string {
  if (problem !== undefined) return `not possible: ${problem}`;
  if (usd === undefined) return 'not confirmed';
  if (isAtLeast) return usd > 0 ? `at least ${say.cost(usd)}` : 'not told by this load';
  return leftOut === undefined ? say.cost(usd) : `about ${say.cost(usd)}`;
}

/** A price in words, with where and when it was read; prices of ours are those of the region's sheet. */
export function priceInWords(price: OtherPrice, region: Region): { text: string; source: string; asOf: string } {
  if (!('sheet' in price) && !('tiers' in price))
    return { text: `${price.what}: not confirmed`, source: price.source, asOf: price.asOf };
  const { tiers, per, source, asOf } = 'sheet' in price ? priceSheetOf(region).prices[price.sheet] : price;
  const steps = tiers.map(({ usd, upTo }) =>
    upTo === undefined ? `$${usd}` : `$${usd} up to ${upTo.toLocaleString('en')}`,
  );
  return {
    text: `${price.what}: ${steps.join(', then ')}${per === 1 ? '' : ` for ${per.toLocaleString('en')}`}`,
    source,
    asOf,
  };
}
