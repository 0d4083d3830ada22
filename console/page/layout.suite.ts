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

/** What is wider than the content of its card, without what scrolls in a box of its own and the place of a finger around a check box. */
const WIDE = `[...document.querySelectorAll('main .card, main .list > li')].flatMap((card) => {
  const { paddingLeft, paddingRight } = getComputedStyle(card);
  const { left, right } = card.getBoundingClientRect();
  const isInside = ({ left: from, right: to }) =>
    from >= left + parseFloat(paddingLeft) - 1.5 && to <= right - parseFloat(paddingRight) + 1.5;
  const scrolls = (each) => each !== card && (getComputedStyle(each).overflowX !== 'visible' || scrolls(each.parentElement));
  return [...card.querySelectorAll('*')]
    .filter((each) => each.checkVisibility() && !each.matches('.pick') && !scrolls(each.parentElement) && !scrolls(each))
    .filter((each) => !isInside(each.getBoundingClientRect()))
    .map((each) => each.outerHTML.slice(0, 120));
})`;

/** The heights of fields and buttons. A row has those of one height. */
const HEIGHTS = `{
  const controls = [...document.querySelectorAll('main :is(input:not([type=checkbox], [type=radio], [type=range]), select, button, .button)')];
  const inText = '.link, .tag, .chip button';
  const boxes = controls.filter((each) => each.checkVisibility() && !each.matches(inText));
  [...new Set(boxes.map((each) => Math.round(each.getBoundingClientRect().height)))];
}`;

/** The width at the right of the view that it leaves blank, in pixels. */
const UNUSED = `innerWidth - Math.max(...[...document.querySelectorAll('main > *')].map((each) => each.getBoundingClientRect().right))`;

/** On a phone: what is lower than a finger needs. */
const LOW = `[...document.querySelectorAll('#page :is(button, .button, select, input, nav a, summary, label:has(input))')]
  .filter((each) => each.checkVisibility() && !each.matches('.skip, .tag, .link, .chip button, label input, input.hidden'))
  .filter((each) => each.getBoundingClientRect().height < 40)
  .map((each) => each.outerHTML.slice(0, 120));`;

/** What has another size of text than 12, 14, 16, 20 or 28 pixels. */
const SIZES = `[...document.querySelectorAll('#page *')]
  .filter((each) => each.checkVisibility() && each.innerText?.trim())
  .filter((each) => !['12px', '14px', '16px', '20px', '28px'].includes(getComputedStyle(each).fontSize))
  .map((each) => each.outerHTML.slice(0, 120));`;

/** Buttons and the choices next to a heading that are far wider than their text. */
const STRETCHED = `[...document.querySelectorAll('main :is(button, .card-head select)')]
  .filter((each) => each.getBoundingClientRect().width > 330)
  .map((each) => each.outerHTML.slice(0, 120));`;

const ask = (page: ConsolePage, question: string) => page.page.evaluate(question);

describe.each([1_920, 1_280, 390])('the console in a window of %d pixels', (width) => {
  test.each([
    ['overview', 'Overview'],
    ['flags', 'Flags'],
    ['flags/new-checkout', 'new-checkout'],
    ['flags/new-checkout?variations', 'new-checkout'],
    ['flags/new-checkout?usage', 'new-checkout'],
    ['flags/new-checkout?history', 'new-checkout'],
    ['flags/new-checkout?settings', 'new-checkout'],
    ['segments', 'Segments'],
    ['segments/beta-id', 'Beta'],
    ['evaluate', 'Evaluate'],
    ['history', 'History'],
    ['live', 'Live'],
    ['keys', 'Keys'],
    ['settings', 'Settings'],
  ])('%s fits its cards, with controls of one height and texts of five sizes', async (view, title) => {
    const page = await shop.open(view, { width });
    await page.says(title, 'h1');
    await page.says(/\S/, 'main h2, main li');
    if (view.endsWith('history')) await page.says('Receipt', '.history');
    for (const question of [WIDE, STRETCHED, SIZES]) expect(await ask(page, question)).toEqual([]);
    expect(((await ask(page, HEIGHTS)) as number[]).length).toBeLessThanOrEqual(1);
    expect(await page.overflow()).toBe(0);
    if (width < 720) expect(await ask(page, LOW)).toEqual([]);
    if (width > 1_440) expect(await ask(page, UNUSED)).toBeLessThan(64);
    await page.close();
  });

  test('buttons that move a rule are in the row of its name', async () => {
    const page = await shop.open('flags/new-checkout', { width });
    await page.says('Testers', '.rule h3');
    const [title, up] = [await page.topOf('.rule h3'), await page.topOf('[aria-label="Move Testers up"]')];
    expect(Math.abs(title - up)).toBeLessThan(30);
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
