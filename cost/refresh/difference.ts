import { PRICE_KEYS, type PriceKey, type PriceSheet } from '../prices/priceSheet.ts';
import { lookUp, type ProductReader } from './priceList.ts';

/** What became of one price. */
interface Looked {
  readonly key: PriceKey;
  readonly what: string;
  readonly outcome: 'same' | 'changed' | 'not found';
  /** For a change: how it was and how it is; for what was not found: why. */
  readonly detail: string;
}

/** What a refresh found, and the sheet as it would then be. */
interface Refreshed {
  readonly sheet: PriceSheet;
  readonly looked: readonly Looked[];
}

/**
 * Looks up every price of a sheet. What was found becomes confirmed, with the date from which AWS lists it; what was not is
 * left as it is.
 *
 * @param told is called with each price when it was looked up
 */
export async function refresh(
  read: ProductReader,
  sheet: PriceSheet,
  told: (looked: Looked) => void,
): Promise<Refreshed> {
  const prices = { ...sheet.prices };
  const looked: Looked[] = [];
  for (const key of PRICE_KEYS) {
    const price = prices[key];
    const note = (outcome: Looked['outcome'], detail: string) => {
      const each = { key, what: price.what, outcome, detail };
      looked.push(each);
      told(each);
    };
    try {
      const { tiers, asOf } = await lookUp(read, sheet, price);
      const [before, after] = [describe(price.tiers), describe(tiers)];
      prices[key] = { ...price, tiers, asOf, isConfirmed: true };
      note(before === after ? 'same' : 'changed', before === after ? after : `${before} → ${after}`);
    } catch (error) {
      note('not found', (error as Error).message);
    }
  }
  return { sheet: { ...sheet, prices }, looked };
}

function describe(tiers: PriceSheet['prices'][PriceKey]['tiers']): string {
  return tiers.map(({ upTo, usd }) => (upTo === undefined ? `$${usd}` : `$${usd} up to ${upTo}`)).join(', ');
}
