import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
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
  await other.change('new-checkout', { isEnabled: true });
});
afterAll(() => world?.close());

/** The text of the entry that the header shows. */
const headerOf = (page: ConsolePage) =>
  page.page.$eval('.top-main select', (list) => {
    const { options, selectedIndex } = list as unknown as { options: { text: string }[]; selectedIndex: number };
    return options[selectedIndex]?.text;
  });

test.each(['Cancel', 'Escape'])('names the edited environment after a new one is not made, by %s', async (way) => {
  const page = await shop.open('flags');
  await page.says('new-checkout', 'main');
  await page.choose('Environment', 'New environment …');
  await page.says('New environment', 'dialog');
  expect(await headerOf(page)).toBe('shop');
  if (way === 'Escape') await page.page.keyboard.press('Escape');
  else await page.click(way);
  await page.page.waitForSelector('dialog', { hidden: true });
  expect(await headerOf(page)).toBe('shop');
  await page.close();
});

test('keeps the flag and its tab in another environment', async () => {
  const page = await shop.open('flags/new-checkout?settings');
  await page.says('shop off', '.strip');
  await page.says('other on', '.strip');
  // The benchmark has no such flag.
  await page.says('benchmark missing', '.strip');
  await page.choose('Environment', 'other');
  await page.says('other on', '.strip [aria-current]');
  expect(page.page.url()).toBe(other.at('flags/new-checkout?settings'));
  await page.click('shop off', 'link');
  await page.says('shop off', '.strip [aria-current]');
  expect(await headerOf(page)).toBe('shop');
  expect(page.page.url()).toBe(shop.at('flags/new-checkout?settings'));
  await page.close();
});

test('shows the list and a sentence where another environment does not have the flag', async () => {
  const page = await shop.open('flags/new-checkout');
  await page.says('new-checkout', 'h1');
  await page.choose('Environment', 'benchmark');
  await page.says('There is no flag “new-checkout” in benchmark.', 'main');
  await page.says('returns true', '.list.flags');
  await page.write('Search flags', 'segment');
  await page.lacks('There is no flag', 'main');
  expect(page.page.url()).toMatch(/\/flags\?q=segment$/);
  await page.close();
});

test('never shows the content of one environment under the name of another', async () => {
  const page = await shop.open('flags');
  await page.says('new-checkout', '.list.flags');
  await page.page.evaluate(`{
    globalThis.seen = [];
    const note = () =>
      seen.push([document.querySelector('.top-main select').value, document.querySelector('main').innerText]);
    new MutationObserver(note).observe(document, { subtree: true, childList: true, characterData: true });
  }`);
  await page.choose('Environment', 'benchmark');
  await page.says('returns true', '.list.flags');
  const seen = (await page.page.evaluate('seen')) as [string, string][];
  expect(seen.filter(([env, text]) => env !== shop.id && text.includes('new-checkout'))).toEqual([]);
  expect(seen.some(([env, text]) => env !== shop.id && text.includes('returns true'))).toBe(true);
  await page.close();
});

test.each([390, 1_440])('lists the state in other environments, in a window of %d pixels', async (width) => {
  const page = await shop.open('flags', { width });
  await page.says('on in other', '.list.flags');
  expect([await page.violations(), await page.overflow()]).toEqual([[], 0]);
  await page.close();
});

test('pages had no error', () => expect(world.browser.problems).toEqual([]));
