import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { rangesOf } from '../../cost/assumptions/rangesOf.ts';
import { reportOn } from '../../cost/model/report/report.ts';
import { money, range } from '../../cost/model/workload/figures.ts';
import { PRESETS } from '../../cost/model/workload/presets.ts';
import { parseWorkload } from '../../cost/model/workload/workload.ts';
import { LOOKS, takePicture, violationsOf } from '../../dev/support/tools/browser.ts';
import { business, type CostPage, openCostPage, ranges, textOf } from './testing/costPage.ts';

jest.setTimeout(120_000);

let costPage: CostPage;
beforeAll(async () => {
  costPage = await openCostPage();
});
afterAll(() => costPage.close());
const open: CostPage['open'] = (how) => costPage.open(how);

describe.each(LOOKS)('the cost page on %s', (_, width, scheme) => {
  test('fits the window, draws its chart, and has no accessibility violations', async () => {
    const page = await open({ width, scheme });
    for (const details of await page.$$('details')) await details.evaluate((each) => each.setAttribute('open', ''));
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(width);
    expect(await page.$$eval('canvas', (all) => all.length)).toBe(1);
    expect(await violationsOf(page)).toEqual([]);
    for (const details of await page.$$('details')) await details.evaluate((each) => each.removeAttribute('open'));
    if (width > 1_000) expect(await page.evaluate('document.documentElement.scrollHeight')).toBeLessThanOrEqual(3_000);
    await takePicture(page, `cost-${width}-${scheme}`, { fullPage: true });
    // The picture of cost/README.md.
    const clip = { x: 0, y: 0, width, height: 1_640 };
    if (width > 1_000 && scheme === 'light') await takePicture(page, 'page', { clip });
    await page.close();
  });
});

describe('the page', () => {
  test('shows the figures of the model, to the cent', async () => {
    const page = await open();
    const shown = await textOf(page, '#totals');
    const { architectures } = reportOn(business, rangesOf(ranges));
    for (const { bill, low, high, name, isPossible } of architectures) {
      expect(shown).toContain(name);
      if (!isPossible) continue;
      expect(shown).toContain(money(bill.total));
      expect(shown).toContain(range({ low, high }));
    }
    const units = await page.$$eval('#prices tr', (all) => all.map((row) => row.children[2]?.textContent ?? ''));
    expect(units).toContain('1 hour');
    expect(units.filter((unit) => /^1 [\w-]+s(?: |$)/.test(unit))).toEqual([]);
    await page.close();
  });

  test.each(
    Object.values(PRESETS).flatMap((preset) => [
      { ...preset, screen: 'a desk', width: 1_280, height: 900 },
      { ...preset, screen: 'a phone', width: 390, height: 844 },
    ]),
  )('shows choice and command for “$title” at once on $screen', async ({ title, workload, width, height }) => {
    const page = await open({ width, height });
    await page.evaluate(
      `[...document.querySelectorAll('button')].find(({ textContent }) => textContent === ${JSON.stringify(title)}).click()`,
    );
    const { verdict } = reportOn(parseWorkload(workload), rangesOf(ranges));
    const { headline, range, command = '' } = verdict;
    const summary = await textOf(page, '#summary');
    for (const text of [headline, range, command]) expect(summary).toContain(text);
    if (verdict.cheaper) expect(await textOf(page, '#cheaper')).toBe(verdict.cheaper.about + verdict.cheaper.command);
    const bottom = Number(
      await page.evaluate(`document.querySelector('#summary').getBoundingClientRect().bottom + scrollY`),
    );
    expect(bottom).toBeLessThanOrEqual(height);
    await page.close();
  });

  test('reaches presets, fields and choices by keyboard', async () => {
    const page = await open();
    const before = await textOf(page, '#summary');
    await page.keyboard.press('Tab');
    expect(await page.evaluate('document.activeElement.textContent')).toBe('A side project');
    await page.keyboard.press('Enter');
    const side = await textOf(page, '#summary');
    expect(side).not.toBe(before);
    expect(side).toContain('12 connections');

    for (let n = 0; n < 4; n++) await page.keyboard.press('Tab');
    expect(await page.evaluate('document.activeElement.id')).toBe('field-connections');
    // The Tab key selects the number.
    await page.keyboard.type('30');
    expect(await textOf(page, '#summary')).toContain('30 connections');

    // The Tab key reaches everything in its order, and leaves the page at the end.
    const reached: string[] = [];
    for (let n = 0; n < 120; n++) {
      await page.keyboard.press('Tab');
      const tag = String(await page.evaluate('document.activeElement.id || document.activeElement.tagName'));
      if (tag === 'BODY') break;
      reached.push(tag);
    }
    expect(reached).toEqual(expect.arrayContaining(['field-newPerHour', 'field-curve', 'SUMMARY']));
    await page.close();
  });

  test('keeps the controls in its address, and reads them from it', async () => {
    const page = await open({ fragment: '#connections=500&clientPing=60&region=eu-west-1' });
    expect(await textOf(page, '#summary')).toContain('500 connections');
    expect(await textOf(page, '#prices')).toContain('Europe (Ireland)');
    await page.$eval('#field-flags', (field) => {
      (field as unknown as { value: string }).value = '7';
      field.dispatchEvent(new Event('input'));
    });
    expect(await page.evaluate('location.hash')).toBe('#connections=500&clientPing=60&region=eu-west-1&flags=7');
    await page.close();
  });

  test('shows figures for an address with invalid controls', async () => {
    const page = await open({ fragment: '#region=mars&days=90' });
    expect(await textOf(page, '#totals')).toContain('$');
    expect(await textOf(page, '#problem')).toContain('a month is 730 hours');
    await page.close();
  });

  test('names an invalid field, and keeps showing the last figures', async () => {
    const page = await open({ fragment: '#connections=500' });
    const shown = await textOf(page, '#totals');
    const type = (value: string) =>
      page.$eval(
        '#field-days',
        (field, text) => {
          (field as unknown as { value: string }).value = text;
          field.dispatchEvent(new Event('input'));
        },
        value,
      );
    await type('50');
    expect(await textOf(page, '#problem')).toBe('Days a month with this load: a month is 730 hours, 30.4 days');
    expect(await page.$eval('#field-days', (field) => field.getAttribute('aria-invalid'))).toBe('true');
    expect(await textOf(page, '#totals')).toBe(shown);
    await type('30');
    expect(await page.$eval('#problem', (each) => each.hasAttribute('hidden'))).toBe(true);
    await page.close();
  });

  test('requests only itself, and has no errors', () => {
    const requests = costPage.requests.filter((url) => !url.startsWith('data:'));
    expect(new Set(requests)).toEqual(new Set([costPage.address]));
    expect(costPage.problems).toEqual([]);
  });
});
