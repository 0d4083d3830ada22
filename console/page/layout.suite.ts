import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import type { ConsolePage } from './testing/consolePage.ts';
import { ConsoleWorld, type ShownEnvironment } from './testing/consoleWorld.ts';

jest.setTimeout(120_000);

let world: ConsoleWorld;
let shop: ShownEnvironment;
let other: ShownEnvironment;
beforeAll(async () => {
  world = await ConsoleWorld.open();
  shop = await world.makeShop('shop');
  other = await world.makeShop('other');
  for (const isEnabled of [true, false, true]) await shop.change('new-checkout', { isEnabled });
});
afterAll(() => world?.close());

/** What is wider than the content of its card. What scrolls in a box of its own is not. */
const WIDE = `[...document.querySelectorAll('main .card, main .list > li')].flatMap((card) => {
  const { paddingLeft, paddingRight } = getComputedStyle(card);
  const { left, right } = card.getBoundingClientRect();
  const isInside = ({ left: from, right: to }) =>
    from >= left + parseFloat(paddingLeft) - 1.5 && to <= right - parseFloat(paddingRight) + 1.5;
  const scrolls = (each) => each !== card && (getComputedStyle(each).overflowX !== 'visible' || scrolls(each.parentElement));
  return [...card.querySelectorAll('*')]
    .filter((each) => each.checkVisibility() && !scrolls(each.parentElement) && !scrolls(each))
    .filter((each) => !isInside(each.getBoundingClientRect()))
    .map((each) => each.outerHTML.slice(0, 120));
})`;

/** Fields of one line by their heights. */
const HEIGHTS = `{
  const fields = [...document.querySelectorAll('main :is(input:not([type=checkbox], [type=radio]), select)')];
  [...new Set(fields.map((each) => Math.round(each.getBoundingClientRect().height * 10) / 10).filter(Boolean))];
}`;

/** Buttons and the choices next to a heading that are far wider than their text. */
const STRETCHED = `[...document.querySelectorAll('main :is(button, .card-head select)')]
  .filter((each) => each.getBoundingClientRect().width > 330)
  .map((each) => each.outerHTML.slice(0, 120));`;

const ask = (page: ConsolePage, question: string) => page.page.evaluate(question);

describe.each([1_440, 1_280, 390])('the console in a window of %d pixels', (width) => {
  test.each([
    ['overview', 'Overview'],
    ['flags', 'Flags'],
    ['flags/new-checkout', 'new-checkout'],
    ['segments/beta-id', 'Beta'],
    ['evaluate', 'Evaluate'],
    ['history', 'History'],
    ['live', 'Live'],
    ['keys', 'Keys'],
  ])('%s fits its cards, and has fields of one height', async (view, title) => {
    const page = await shop.open(view, { width });
    await page.says(title, 'h1');
    await page.says(/\S/, 'main h2, main li');
    if (['history', 'flags/new-checkout'].includes(view)) await page.says('Receipt', '.history');
    expect([await ask(page, WIDE), await ask(page, STRETCHED)]).toEqual([[], []]);
    expect(((await ask(page, HEIGHTS)) as number[]).length).toBeLessThanOrEqual(1);
    await page.close();
  });

  test('a difference between environments fits its card', async () => {
    const page = await shop.open(`compare/${other.id}`, { width });
    await page.page.locator('.compared summary').click();
    await page.says('Switch', '.compared table');
    expect([await ask(page, WIDE), await page.overflow()]).toEqual([[], 0]);
    await page.close();
  });
});
