import parts from './featbitParts.json' with { type: 'json' };
import { type PriceKey, unitPrice } from './priceSheet.ts';
import { priceSheetOf } from './sheets.ts';

/**
 * What FeatBit's Terraform (featbit/featbit-terraform-aws, commit 912ac47) starts in two zones, at prices of us-east-1. Storage, requests,
 * logs and data transfer are left out, because they depend on use. Each part has its units a month, US dollars for one unit, when that price
 * was read, and whether a second place confirms it. Parts with a `price` have that of the sheet.
 */
export const FEATBIT_PARTS = parts.map((part) => {
  if (part.price === undefined) return part;
  const { what, units } = part;
  const sheet = priceSheetOf('us-east-1');
  const key = part.price as PriceKey;
  const { source, asOf, isConfirmed } = sheet.prices[key];
  return { what, units, usd: unitPrice(sheet, key), source, asOf, isConfirmed };
});

/** US dollars a month for FeatBit's deployment on AWS without clients. */
export function featbitMonth(): number {
  return FEATBIT_PARTS.reduce((sum, { units, usd }) => sum + units * usd, 0);
}
