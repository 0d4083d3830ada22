import { PRICE_KEYS, type PriceKey, type PriceSheet } from '../prices/priceSheet.ts';
import { lookUp, type ProductReader } from './priceList.ts';

/** The result of looking up one price. */
interface PriceCheck {
  readonly key: PriceKey;
  readonly what: string;
  readonly outcome: 'same' | 'changed' | 'not found';
  /** The price, for a change before and after; why it was not found. */
  readonly detail: string;
}

/** The checks of all prices, and the sheet with what they found. */
interface SheetRefresh {
  readonly sheet: PriceSheet;
  readonly checks: readonly PriceCheck[];
}

/**
 * Looks up every price of a sheet. A price that is found becomes confirmed, with the date from which AWS lists it. One that is not found stays as
 * it is.
 *
 * @param onCheck is called after each price
 */
export async function refreshSheet(
  read: ProductReader,
  sheet: PriceSheet,
  onCheck: (check: PriceCheck) => void,
): Promise<SheetRefresh> {
  const prices = { ...sheet.prices };
  const checks: PriceCheck[] = [];
  for (const key of PRICE_KEYS) {
    const price = prices[key];
    const add = (outcome: PriceCheck['outcome'], detail: string) => {
      const check = { key, what: price.what, outcome, detail };
      checks.push(check);
      onCheck(check);
    };
    try {
      const { tiers, asOf } = await lookUp(read, sheet, price);
      const [before, after] = [describe(price.tiers), describe(tiers)];
      prices[key] = { ...price, tiers, asOf, isConfirmed: true };
      add(before === after ? 'same' : 'changed', before === after ? after : `${before} → ${after}`);
    } catch (error) {
      add('not found', (error as Error).message);
    }
  }
  return { sheet: { ...sheet, prices }, checks };
}

function describe(tiers: PriceSheet['prices'][PriceKey]['tiers']): string {
  return tiers.map(({ upTo, usd }) => (upTo === undefined ? `$${usd}` : `$${usd} up to ${upTo}`)).join(', ');
}
