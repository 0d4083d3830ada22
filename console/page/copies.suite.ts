import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import { until } from '../../shared/testing/until.ts';
import { ConsoleWorld, ShownEnvironment } from './testing/consoleWorld.ts';
import { aFlag, aSegment } from './testing/documents.ts';

jest.setTimeout(120_000);

const STATE_TOO = 'targeting and on/off state';

let world: ConsoleWorld;
let shop: ShownEnvironment;
let staging: ShownEnvironment;
beforeAll(async () => {
  world = await ConsoleWorld.open();
  shop = await world.makeShop('shop');
  staging = await world.makeShop('staging');
});
afterAll(() => world?.close());

test('offers to create an environment if there is none, or none to compare with', async () => {
  const alone = await ConsoleWorld.open();
  const { environments } = alone.store;
  const [only] = await environments.list();
  const page = await new ShownEnvironment(alone, only?.id ?? '').open('compare');
  await page.says('There is no other environment', 'main');
  await page.click('New environment', 'button');
  await page.write('Name', only?.name ?? '');
  await page.says('already exists', 'dialog .field .problem');
  await page.write('Name', 'staging');
  await page.click('Create environment', 'button');
  await page.says('Copy what you need now.', 'dialog');
  expect(await page.violations()).toEqual([]);
  await page.close();

  for (const { id } of await environments.list()) await environments.remove(await environments.find(id));
  const empty = await alone.browser.open(alone.address);
  await empty.says('Welcome', 'h1');
  await empty.click('Create environment');
  await empty.write('Name', 'first');
  await empty.page.locator('dialog [type=submit]').click();
  await empty.says('Copy what you need now.', 'dialog');
  await empty.click('Done');
  await empty.says('Three steps to your first flag', 'main');
  await empty.close();
  expect(alone.browser.problems).toEqual([]);
  await alone.close();
});

test('a flag is duplicated, deleted, and brought back by the history', async () => {
  const page = await shop.open('flags/new-checkout');
  await page.menu('Duplicate');
  await page.write('Key', 'new-checkout');
  await page.says('A flag with this key already exists.', 'dialog .problem');
  await page.write('Key', 'second-checkout');
  await page.click('Create flag');
  await page.says('second-checkout', 'h1');
  const [first, second] = [await shop.read('new-checkout'), await shop.read('second-checkout')];
  expect(second).toMatchObject({ rules: first?.rules, fallthrough: first?.fallthrough });
  expect(second?.id).not.toBe(first?.id);

  await page.menu('Delete');
  await page.says('SDKs return the default in your code.', 'dialog');
  expect(await page.text('dialog')).not.toMatch(/yes|none/);
  expect(await page.page.$eval('dialog [type=submit]', (each) => each.className)).toBe('primary danger');
  await page.click('Delete flag');
  await page.says('Flags', 'h1');
  await page.says('Deleted second-checkout');
  expect(await page.text('.list')).not.toContain('second-checkout');
  expect(await shop.read('second-checkout')).toMatchObject({ isArchived: true, isDeleted: true });
  await page.page.goto(shop.at('flags/second-checkout'));
  await page.says('The flag “second-checkout” was deleted');
  await page.click('Undo it in the history', 'link');
  await page.says('second-checkout', '.history');
  const [deletion] = await page.page.$$('.change');
  await (await deletion?.$('::-p-text(Undo)'))?.click();
  await page.click('Undo', 'button');
  await until(async () => (await shop.read('second-checkout'))?.isDeleted === undefined);
  await page.view('Flags');
  await page.says('second-checkout', '.list');
  await page.close();
});

test('a segment is duplicated and deleted, unless flags refer to it', async () => {
  const page = await shop.open('segments/beta-id');
  await page.says('Beta', 'h1');
  await page.menu('Duplicate');
  await page.click('Cancel');
  await page.click('More actions for Beta');
  expect(await page.page.$eval('.menu .danger', (each) => each.hasAttribute('disabled'))).toBe(true);
  await page.click('Duplicate');
  await page.write('Name', 'Gamma');
  await page.click('Create segment');
  await page.says('Gamma', 'h1');
  await page.menu('Delete');
  await page.click('Delete segment');
  await page.says('Segments', 'h1');
  await page.says('Deleted Gamma');
  expect(await page.text('.list')).not.toContain('Gamma');
  await page.close();
});

test('compares environments, and copies selected flags after review and confirmation', async () => {
  await world.store.environments.change({ id: shop.id }, { isProduction: true });
  await staging.change('new-checkout', { isEnabled: true });
  await world.store.documents.writeSegment(staging.id, 'beta-id', (beta) => ({
    ...aSegment(),
    ...beta,
    included: ['bob'],
  }));
  await world.store.documents.writeFlag(staging.id, 'banner', () => aFlag({ key: 'banner', name: 'banner', id: 'b' }));
  const page = await shop.open('compare');
  await page.says('Compare', 'h1');
  await page.choose('Compare with', 'staging');
  await page.says('shop → staging', 'main h2');
  await page.says('Copy to staging', 'main');
  await page.click('⇄ Swap', 'link');
  await page.says('staging → shop', 'main h2');
  // The direction is in the address.
  await page.page.reload();
  await page.says('staging → shop', 'main h2');
  await page.says(/banner\s*only in staging/, '.compared');
  await page.says(/new-checkout\s*different\s*1 setting/, '.compared');
  await page.says(/second-checkout\s*only in shop/, '.compared');
  await page.says(/Beta\s*different\s*1 setting/, '.compared ~ .compared');
  await page.page.locator('.compared summary ::-p-text(new-checkout)').click();
  await page.says(/Field\s*staging\s*shop\s*Switch\s*on\s*off/, '.compared table');
  expect(await page.page.$$eval('.compared :is(del, ins)', (all) => all.length)).toBe(0);
  expect(await page.violations()).toEqual([]);
  await page.click('Copy new-checkout', 'checkbox');
  await page.click('Copy banner', 'checkbox');
  await page.click('Copy 2 to shop');
  await page.says('Each flag stays on or off in shop. A new one is off.', 'dialog');
  expect(await page.text('dialog')).not.toMatch(/Switch\s*off\s*on/);
  await page.choose('Copy', STATE_TOO);
  await page.says(/Switch\s*off\s*on/, 'dialog');
  // What was shown stays, and is not written over what somebody else saves meanwhile.
  await shop.change('new-checkout', { description: 'changed meanwhile' });
  await page.page.waitForFunction(`document.querySelector('.compared')?.innerText.includes('2 settings')`);
  expect(await page.text('dialog')).not.toContain('changed meanwhile');
  await page.page.locator('dialog .notice input').fill('shop');
  await page.click('Copy to shop', 'button');
  await page.says(/was changed by someone else in the meantime.* Cancel, and compare again\./, 'dialog');
  expect(await shop.read('new-checkout')).toMatchObject({ isEnabled: false, description: 'changed meanwhile' });
  expect(await shop.read('banner')).toBeUndefined();
  expect(world.browser.problems.splice(0)).toEqual([expect.stringContaining('409 (Conflict)')]);
  await page.click('Cancel');
  await page.click('Copy 2 to shop');
  await page.choose('Copy', STATE_TOO);
  await page.says('changed meanwhile', 'dialog');
  await page.says('banner', 'dialog');
  expect(await page.violations()).toEqual([]);
  await page.page.locator('dialog .notice input').fill('shop');
  await page.click('Copy to shop', 'button');
  await page.says('Copied 2 flags to shop · Undo');
  expect(await shop.read('new-checkout')).toMatchObject({ isEnabled: true, id: 'flag-id' });
  const banner = await shop.read('banner');
  expect(banner).toMatchObject({ name: 'banner' });
  expect(banner?.id).not.toBe('b');
  await page.says('1 of 3 flags differ.');
  await page.close();
});

test('lists a comparison, and leads to the other direction if nothing can be copied', async () => {
  const empty = await world.store.environments.create('empty');
  const page = await shop.open(`compare/${empty.environment.id}?reversed`);
  await page.says('None of these flags can be copied to shop.', 'main');
  // Pixels between what a row names, and between the middle of its box and of its name.
  const [gaps, offset] = (await page.page.evaluate(`{
    const [box, ...parts] = [...document.querySelectorAll('.compared input, .compared summary > *')]
      .slice(0, 3)
      .map((each) => each.getBoundingClientRect());
    [parts[1].left - parts[0].right, Math.abs((box.top + box.bottom - parts[0].top - parts[0].bottom) / 2)];
  }`)) as [number, number];
  expect(gaps).toBeGreaterThanOrEqual(4);
  expect(offset).toBeLessThanOrEqual(4);
  await page.click('⇄ Swap', 'link');
  await page.says('Copy to empty', 'main');
  await page.click('Copy banner', 'checkbox');
  await page.click('Copy 1 to empty');
  await page.click('Copy to empty', 'button');
  await page.says('Copied 1 flag to empty', '.announcements');
  await page.click('Undo', 'button');
  await page.says('Copy to empty', 'main');
  // The page reads the comparison again after it has announced the copy.
  await page.lacks('banner', '.compared');
  // The flag that is undone is one of the other environment.
  await page.says('Undo the change by', 'dialog');
  await page.page.locator('dialog [type=submit]').click();
  await page.says('Change undone · Undo', '.announcements');
  await page.view('Flags');
  await page.says('banner', '.list');
  expect(await page.text('.list')).not.toContain('archived');
  await page.close();
});

test('a comparison is searched, and offers no more flags than can be copied at once', async () => {
  const many = await world.makeMany('many', 100);
  const page = await shop.open(`compare/${many.id}?reversed`);
  await page.says('You can copy at most 80 flags and segments at once.', 'main');
  await page.click('Select the first 80');
  await page.says('Copy 80 to shop', 'main');
  await page.click('Select none');
  await page.write('Search flags', 'billing');
  await page.says(/10 of \d+ flags found/, 'main');
  expect(await page.text('main')).not.toContain('You can copy at most');
  expect(await page.text('.compared')).not.toContain('flag-1');
  await page.click('Select all');
  expect(await page.violations()).toEqual([]);
  await page.click('Copy 10 to shop');
  await page.says('Copy 10 flags to shop', 'dialog');
  await page.click('Cancel');
  await page.write('Search flags', 'nothing has these words');
  await page.says(/0 of \d+ flags found/, 'main');
  await page.says('Copy to shop', 'main');
  await page.close();
});

test('pages had no error', () => {
  expect(world.browser.problems).toEqual([]);
});
