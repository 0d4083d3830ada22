import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { rangesOf } from '../../cost/assumptions/rangesOf.ts';
import { reportOn } from '../../cost/model/report/report.ts';
import { figuresIn, money } from '../../cost/model/workload/figures.ts';
import { PRESETS } from '../../cost/model/workload/presets.ts';
import { parseWorkload } from '../../cost/model/workload/workload.ts';
import { controlsOf, readControls } from './logic/controls.ts';
import { business, type CostPage, openCostPage, ranges, textOf } from './testing/costPage.ts';

jest.setTimeout(120_000);

let costPage: CostPage;
beforeAll(async () => {
  costPage = await openCostPage();
});
afterAll(() => costPage.close());
const open: CostPage['open'] = (how) => costPage.open(how);

describe('the controls of the cost page', () => {
  test('includes selected levers in all figures and in the address', async () => {
    const page = await open();
    const dollars = async (selector: string) => Number((await textOf(page, selector)).replace(/[^0-9.]/g, ''));
    const saves = await dollars('tr:has(#lever-ping) td:nth-child(2)');
    const before = await dollars('#totals tbody tr:first-child td:nth-child(3)');
    await page.focus('#lever-ping');
    await page.keyboard.press('Space');
    expect(await dollars('#totals tbody tr:first-child td:nth-child(3)')).toBeCloseTo(before - saves, 1);
    expect(await page.evaluate('document.activeElement.id')).toBe('lever-ping');
    expect(await page.evaluate('location.hash')).toBe('#levers=ping');
    const { verdict } = reportOn(business, rangesOf(ranges), { levers: ['ping'] });
    expect(await textOf(page, '#summary')).toContain(verdict.headline);
    const again = await open({ fragment: '#levers=ping,unheard' });
    expect(await again.$eval('#lever-ping', (box) => (box as unknown as { checked: boolean }).checked)).toBe(true);
    expect(await textOf(again, '#totals')).toBe(await textOf(page, '#totals'));
    await again.close();
    await page.close();
  });

  test('shows costs by year, except prices', async () => {
    const page = await open({ fragment: '#period=year' });
    const say = figuresIn('en', 'year');
    const { verdict, architectures } = reportOn(business, rangesOf(ranges), { figures: say });
    expect(verdict.headline).toMatch(/\/year$/);
    expect(await textOf(page, '#summary')).toContain(verdict.headline);
    for (const { bill, isPossible } of architectures)
      if (isPossible) expect(await textOf(page, '#totals')).toContain(money(12 * bill.total));
    expect(await textOf(page, '#totals caption')).toBe('US dollars a year');
    await page.close();
  });

  test('reads numbers in the locale’s format, and refuses other text', async () => {
    const page = await open();
    const type = async (text: string) => {
      await page.click('#field-connections', { count: 3 });
      await page.keyboard.type(text);
    };
    await type('1,200');
    expect(await textOf(page, '#summary')).toContain('1,200 connections');
    await type('1,20x');
    expect(await page.$eval('#problem', (each) => each.hasAttribute('hidden'))).toBe(true);
    await page.keyboard.press('Tab');
    expect(await textOf(page, '#problem')).toBe('Peak connections: it must be a number, such as 1,000');
    await page.close();
    const german = await open({ language: 'de-DE', fragment: '#connections=1500' });
    expect(await german.$eval('#field-connections', (field) => (field as unknown as { value: string }).value)).toBe(
      '1.500',
    );
    expect(await textOf(german, '#totals')).toMatch(/\d,\d\d\s\$/);
    await german.close();
  });

  test('includes designs that need a quota increase only if selected', async () => {
    const page = await open({ fragment: '#connections=200000' });
    const serverless = async () => (await textOf(page, '#totals tbody tr:first-child')).replace(/\s+/g, ' ');
    expect(await serverless()).toMatch(/^serverlessafter a quota increase–/);
    await page.click('#field-any');
    expect(await serverless()).toMatch(/^serverlessafter a quota increase\$/);
    expect(await page.evaluate('location.hash')).toContain('any=true');
    await page.close();
  });

  test('copies a link with all controls', async () => {
    const page = await open({ fragment: '#flags=7' });
    const flags = parseWorkload({ ...PRESETS['small-business'].workload, flags: 7 });
    const given = controlsOf(flags);
    await page.evaluate(`navigator.clipboard.writeText = async (text) => { window.copied = text; }`);
    await page.click('#copy');
    await page.waitForFunction('window.copied !== undefined');
    const [, fragment] = String(await page.evaluate('window.copied')).split('#');
    expect(readControls(String(fragment))).toEqual(given);
    await page.close();
  });

  test('has no errors', () => {
    expect(costPage.problems).toEqual([]);
  });
});
