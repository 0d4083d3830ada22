import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import { until } from '../../shared/testing/until.ts';
import type { ConsolePage } from './testing/consolePage.ts';
import { ConsoleWorld, type ShownEnvironment } from './testing/consoleWorld.ts';

jest.setTimeout(120_000);

let world: ConsoleWorld;
let shop: ShownEnvironment;
let page: ConsolePage;
beforeAll(async () => {
  world = await ConsoleWorld.open();
  shop = await world.makeShop('keyboard');
  await shop.change('new-checkout', { isEnabled: true });
});
afterAll(() => world?.close());

const press = (...keys: ('Enter' | 'Escape' | 'Space' | 'ArrowRight' | 'ArrowDown' | 'ArrowUp')[]) =>
  keys.reduce((before, key) => before.then(() => page.page.keyboard.press(key)), Promise.resolve());
/** Goes to a field by Tab and types, in place of what is there. */
const type = async (name: string, text: string) => {
  await page.tabTo(name);
  await page.typeInPlace(text);
};
/** Goes to something by Tab and presses Enter. */
const use = async (name: string) => {
  await page.tabTo(name);
  await press('Enter');
};
/** Goes to another view, from wherever the focus is. */
const view = async (name: string) => {
  await page.page.evaluate('document.activeElement.blur()');
  await use(name);
  await page.says(name, 'h1');
};

test('switches a flag; Escape leaves, and the focus is where it was', async () => {
  page = await shop.open('flags');
  await page.says('new-checkout', '.list');
  await page.page.evaluate('document.activeElement.blur()');
  await use('Skip to the content');
  await page.tabTo('New flag');
  await use('Toggle new-checkout');
  await page.says('Turn off new-checkout', 'dialog');
  expect(await page.focus()).toBe('Turn off');
  await press('Escape');
  await page.hasFocus('Toggle new-checkout');
  await press('Space');
  await page.says('Turn off new-checkout', 'dialog');
  await press('Enter');
  await until(async () => (await shop.read('new-checkout'))?.isEnabled === false);
  await page.hasFocus('Toggle new-checkout');
  await page.page.waitForSelector('[role=switch][aria-label="Toggle new-checkout"][aria-checked=false]');
});

test('creates a flag', async () => {
  await view('Flags');
  await use('New flag');
  await page.says('New flag', 'dialog');
  await page.page.keyboard.type('by-keyboard');
  await use('Create flag');
  await page.says('by-keyboard', 'h1');
});

test('adds a rule and a target, moves the rule, and saves them', async () => {
  await type('Add to users served true', 'ann');
  await press('Enter');
  for (const [name, attribute, value] of [
    ['First', 'plan', 'pro'],
    ['Second', 'email', 'a@b.c'],
  ] as const) {
    await use('Add rule');
    await page.typeInPlace(name);
    await type('Attribute of condition 1', attribute);
    await type('Value of condition 1', value);
    await use('Add to draft');
    await page.hasFocus('Add rule');
  }
  await use('Move First down');
  await page.hasFocus('Move First up');
  await use('Save …');
  await page.says(/Rule “Second”[\s\S]*Rule “First”/, 'dialog');
  expect(await page.focus()).toBe('Save');
  await press('Enter');
  await until(async () => ((await shop.read('by-keyboard'))?.rules ?? []).length === 2);
  const stored = await shop.read('by-keyboard');
  expect(stored?.rules.map(({ name }) => name)).toEqual(['Second', 'First']);
  expect(stored?.targetUsers).toMatchObject([{ keyIds: ['ann'] }]);
});

test('Enter in a form shows its changes to save; Escape keeps them as a draft', async () => {
  await use('Edit rule Second');
  await page.typeInPlace('Third');
  await press('Enter');
  await page.says(/Rule “Third”, name\s*Second\s*Third/, 'dialog');
  await press('Escape');
  await page.hasFocus('Edit rule Third');
  await page.says('1 unsaved change');
  await press('Enter');
  await page.typeInPlace('Second');
  await type('Value of condition 1', 'b@b.c');
  await press('Enter');
  await page.says('Save by-keyboard', 'dialog');
  await press('Enter');
  await until(async () => (await shop.read('by-keyboard'))?.rules[0]?.conditions[0]?.value === 'b@b.c');
});

test('switches the flag on', async () => {
  await use('Toggle by-keyboard');
  await page.says('Turn on by-keyboard', 'dialog');
  await press('Enter');
  await until(async () => (await shop.read('by-keyboard'))?.isEnabled);
});

test('leaves a rule as it was', async () => {
  await use('Edit rule Second');
  await page.tabTo('Operator of condition 1');
  await press('Escape');
  await page.hasFocus('Edit rule Second');
  expect((await shop.read('by-keyboard'))?.rules).toHaveLength(2);
});

test('opens a tab and the menu; Escape closes it', async () => {
  await page.page.evaluate('document.querySelector("h1").focus()');
  await use('More actions for by-keyboard');
  await press('ArrowDown');
  await page.hasFocus('Archive');
  await press('ArrowDown');
  await page.hasFocus('Duplicate');
  await press('Escape');
  await page.hasFocus('More actions for by-keyboard');
  await press('ArrowUp');
  await page.hasFocus('Delete');
  await press('ArrowDown', 'ArrowDown', 'Enter');
  await page.says('Duplicate by-keyboard', 'dialog');
  await press('Escape');
  await page.hasFocus('More actions for by-keyboard');
  await use('Variations');
  await page.says('Type boolean.', 'main');
  expect(page.page.url()).toMatch(/by-keyboard\?variations$/);
  await page.page.goBack();
  await page.says('Default rule', 'main');
});

test('closes a dialog on Back', async () => {
  const other = await shop.open('flags');
  await other.click('new-checkout', 'link');
  await other.says('Default rule', 'main');
  await other.click('Toggle new-checkout');
  await other.says('new-checkout', 'dialog');
  await other.page.goBack();
  await other.says('Flags', 'h1');
  await until(async () => (await other.page.$('dialog')) === null);
  await other.close();
});

test('evaluates a user', async () => {
  await view('Evaluate');
  await type('User key (keyId)', 'ann');
  await page.says('targeted', '.results');
});

test('filters the history, and undoes a change', async () => {
  await view('History');
  await page.says('edited flag by-keyboard', '.history');
  await type('Flag or segment', 'by-keyboard');
  await press('Enter');
  await until(async () => (await page.page.$$('.change')).length === 4);
  await page.tabTo(/^Undo the change of/);
  await press('Enter');
  await page.says('Undo the change by', 'dialog');
  await use('Undo');
  await until(async () => (await shop.read('by-keyboard'))?.isEnabled === false);
});

test('creates a key, and chooses a snippet by arrow keys', async () => {
  await view('Keys');
  await use('New key');
  await page.says('New key', 'dialog');
  await page.page.keyboard.type('keyboard');
  await press('Enter');
  await page.says('New key', 'dialog h2');
  await page.says('keyboard (server)', 'dialog');
  await use('Done');
  await page.tabTo('Node');
  await press('ArrowRight');
  await page.says('@featbit/js-client-sdk', '.snippet');
});
