import { describe, expect, test } from '@jest/globals';
import { PRICE_KEYS, type PriceKey } from '../prices/priceSheet.ts';
import { priceSheetOf } from '../prices/sheets.ts';
import { lookUp, type ProductReader, refreshSheet } from './refreshPrices.ts';

const sheet = priceSheetOf('us-east-1');

/** A product as the Price List has it. */
const product = (usd: readonly (readonly [begin: string, end: string, usd: string])[]) =>
  JSON.stringify({
    product: { sku: 'S', attributes: { usagetype: 'x' } },
    terms: {
      OnDemand: {
        'S.T': {
          effectiveDate: '2026-10-01T00:00:00Z',
          priceDimensions: Object.fromEntries(
            usd.map(([beginRange, endRange, USD], index) => [
              `S.T.${index}`,
              { beginRange, endRange, pricePerUnit: { USD } },
            ]),
          ),
        },
      },
    },
  });

/** Answers for one usage type, as AWS has it, and nothing for all others. */
const only =
  (usageType: string, ...products: readonly string[]): ProductReader =>
  async (_, filters) =>
    filters.some(([field, value]) => field === 'usagetype' && value === usageType) ? products : [];

const look = (key: PriceKey, read: ProductReader) => lookUp(read, sheet, sheet.prices[key]);

describe('a price in the Price List', () => {
  test('is found by its usage type with the region’s prefix, tier by tier, for the sheet’s unit', async () => {
    const messages = product([
      ['1000000000', 'Inf', '0.0000008000'],
      ['0', '1000000000', '0.0000010000'],
    ]);
    expect(await look('webSocketMessage', only('USE1-ApiGatewayMessage', messages))).toEqual({
      tiers: [{ upTo: 1e9, usd: 1 }, { usd: 0.8 }],
      asOf: '2026-10-01',
    });
  });

  test('is found without the prefix too, and without what is free at first', async () => {
    const storage = product([
      ['0', '25', '0.0000000000'],
      ['25', 'Inf', '0.2500000000'],
    ]);
    expect((await look('tableStorage', only('TimedStorage-ByteHrs', storage))).tiers).toEqual([{ usd: 0.25 }]);
  });

  test('is the plain Linux machine’s, and only where it is priced', async () => {
    const seen: (readonly (readonly [string, string])[])[] = [];
    const reserved = product([['0', 'Inf', '0.0000000000']]);
    const read: ProductReader = async (_, filters) => {
      seen.push(filters);
      return [reserved, product([['0', 'Inf', '0.0116000000']])];
    };
    expect((await look('t2MicroHour', read)).tiers).toEqual([{ usd: 0.0116 }]);
    expect(Object.fromEntries(seen[0] ?? [])).toMatchObject({
      operatingSystem: 'Linux',
      tenancy: 'Shared',
      regionCode: 'us-east-1',
    });
  });

  test('names a price that is missing or ambiguous', async () => {
    await expect(look('alarm', async () => [])).rejects.toThrow(
      'AmazonCloudWatch lists no price for USE1-CW:AlarmMonitorUsage',
    );
    const two = only('USE1-CW:AlarmMonitorUsage', product([['0', 'Inf', '0.1']]), product([['0', 'Inf', '0.2']]));
    await expect(look('alarm', two)).rejects.toThrow('2 different prices');
  });
});

describe('a refresh', () => {
  test('shows what differs, confirms what it found, and leaves alone what it did not', async () => {
    const lines: string[] = [];
    const read: ProductReader = async (service, filters) => {
      const [, usageType] = filters.find(([field]) => field === 'usagetype') ?? [];
      if (usageType === 'USE1-CW:MetricMonitorUsage')
        return [
          product([
            ['0', '10000', '0.35'],
            ['10000', '250000', '0.1'],
            ['250000', '1000000', '0.05'],
            ['1000000', 'Inf', '0.02'],
          ]),
        ];
      return service === 'AmazonVPC' && usageType === 'PublicIPv4:InUseAddress'
        ? [product([['0', 'Inf', '0.005']])]
        : [];
    };
    const { sheet: after, changed: count, missing } = await refreshSheet(read, sheet, (line) => lines.push(line));
    const lineOf = (key: PriceKey) => lines.find((line) => line.includes(` ${sheet.prices[key].what}: `));
    const [before, changed] = ['$0.3', '$0.35'].map(
      (first) => `${first} up to 10000, $0.1 up to 250000, $0.05 up to 1000000, $0.02`,
    );
    expect(lineOf('customMetric')).toMatch(/^ {2}changed {3}\w/);
    expect(lineOf('customMetric')).toContain(`: ${before} → ${changed}`);
    expect(lineOf('publicIpv4Hour')).toMatch(/^ {2}same {6}\w.*: \$0\.005$/);
    expect(lineOf('alarm')).toMatch(/^ {2}not found \w/);
    expect(after.prices.customMetric).toMatchObject({ isConfirmed: true, asOf: '2026-10-01' });
    expect(after.prices.publicIpv4Hour).toMatchObject({ isConfirmed: true, asOf: '2026-10-01' });
    expect(after.prices.alarm).toEqual(sheet.prices.alarm);
    expect([lines.length, count, missing]).toEqual([PRICE_KEYS.length, 1, PRICE_KEYS.length - 2]);
  });
});
