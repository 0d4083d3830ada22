import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { type CostPage, openCostPage, textOf } from './testing/costPage.ts';

jest.setTimeout(120_000);

let costPage: CostPage;
beforeAll(async () => {
  costPage = await openCostPage();
});
afterAll(() => costPage.close());
const open: CostPage['open'] = (how) => costPage.open(how);

describe('the controls of the cost page', () => {
  test('shows what each setting saves, as its field changes the figures', async () => {
    const page = await open();
    const dollars = async (from: typeof page, selector: string) =>
      Number((await textOf(from, selector)).replace(/[^0-9.]/g, ''));
    const total = '#totals tbody tr:first-child td:nth-child(3)';
    const saves = await dollars(page, '#levers tbody tr:first-child td:nth-child(2)');
    const set = await open({ fragment: '#clientPing=60&serverPing=60' });
    expect(await dollars(set, total)).toBeCloseTo((await dollars(page, total)) - saves, 1);
    expect(await textOf(page, '#levers')).toContain('ping interval');
    expect(await textOf(set, '#levers')).not.toContain('ping interval');
    await set.close();
    await page.close();
  });

  test('keeps the last number while a field has none, and shows it afterwards', async () => {
    const page = await open();
    await page.click('#field-connections', { count: 3 });
    await page.keyboard.type('1200');
    expect(await textOf(page, '#summary')).toContain('1,200 connections');
    const shown = () => page.$eval('#field-connections', (field) => (field as unknown as { value: string }).value);
    await page.click('#field-connections', { count: 3 });
    await page.keyboard.press('Backspace');
    expect([await shown(), await textOf(page, '#summary')]).toEqual(['', expect.stringContaining('1,200 connections')]);
    await page.keyboard.press('Tab');
    expect(await shown()).toBe('1200');
    await page.close();
    const german = await open({ language: 'de-DE' });
    expect(await textOf(german, '#totals')).toMatch(/\d,\d\d\s\$/);
    await german.close();
  });

  test('includes serverless beyond the default quotas only with higher quotas', async () => {
    for (const [quota, row] of [
      ['', /^serverlessafter a quota increase–/],
      ['&requestQuota=20000', /^serverlessyes\$/],
    ] as const) {
      const page = await open({ fragment: `#connections=200000${quota}` });
      expect((await textOf(page, '#totals tbody tr:first-child')).replace(/\s+/g, ' ')).toMatch(row);
      await page.close();
    }
  });

  test('has no errors', () => {
    expect(costPage.problems).toEqual([]);
  });
});
