import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import { until } from '../../shared/testing/until.ts';
import { ConsoleWorld } from './testing/consoleWorld.ts';
import { aFlag } from './testing/documents.ts';

jest.setTimeout(120_000);

let world: ConsoleWorld;
beforeAll(async () => {
  world = await ConsoleWorld.open();
});
afterAll(() => world?.close());

test('waits for the first SDK, and flips a flag where it connects', async () => {
  const shop = await world.makeShop('first');
  const page = await shop.open('overview');
  await page.says('Three steps to your first flag');
  await page.says('Listening for a connection …');
  await page.says('npm install', '.empty');
  expect([await page.violations(), await page.overflow()]).toEqual([[], 0]);
  const sdk = await shop.connectSdk('u1');
  await page.says('Client SDK: a browser connected. Flip it:');
  expect(await page.violations()).toEqual([]);
  await page.click('Toggle new-checkout');
  await page.click('Turn on', 'button');
  await page.says('turned on new-checkout', '.history');
  await page.says('live on 1 of 1 SDK', '.history');
  expect((await shop.read('new-checkout'))?.isEnabled).toBe(true);
  const undo = await page.page.waitForSelector('.history button');
  await undo?.focus();
  await page.page.keyboard.press('Enter');
  await page.says(/Switch\s*on\s*off/, 'dialog');
  await page.click('Undo', 'button');
  await until(async () => (await shop.read('new-checkout'))?.isEnabled === false);
  await page.says('turned off new-checkout', '.history');
  await page.view('Live');
  await page.says(/connections:?/, '.u-legend');
  await page.says(/messages pushed/, '.u-legend');
  expect([await page.violations(), await page.overflow()]).toEqual([[], 0]);
  await Promise.all([page.close(), sdk.close()]);
});

test('offers a flag whose value changes, and shows the value that the SDK received', async () => {
  const shop = await world.makeShop('flip');
  const only = (id: string) => ({
    fallthrough: { ...aFlag().fallthrough, variations: [{ id, rollout: [0, 1] as const, exptRollout: 1 }] },
  });
  // The first flag serves the same on and off.
  for (const [key, id] of [
    ['a-banner', 'off'],
    ['checkout', 'on'],
  ] as const) {
    const document = aFlag({ key, name: key, rules: [], targetUsers: [], ...only(id) });
    await world.store.documents.writeFlag(shop.id, key, () => document);
  }
  const page = await shop.open('flags/a-banner');
  await page.says('a-banner', 'h1');
  await page.view('Overview');
  await page.says("'checkout'", '.snippet');
  expect(await page.page.$$eval('.steps .done', (all) => all.length)).toBe(2);
  const sdk = await shop.connectSdk('u1');
  await page.says('connected. Flip it:', '.empty .stream');
  expect(await page.page.$$eval('.steps .done', (all) => all.length)).toBe(3);
  await page.click('Toggle checkout');
  await page.click('Turn on', 'button');
  await page.says(/The SDK received true · live on 1 of 1 SDK/, '.empty');
  expect([await page.violations(), await page.overflow()]).toEqual([[], 0]);
  await Promise.all([page.close(), sdk.close()]);
});

test('shows the first steps in an environment without flags', async () => {
  const { environment } = await world.store.environments.create('empty');
  const page = await world.browser.open(world.address);
  await page.says('Overview', 'h1');
  await page.page.goto(`${world.address.split('#')[0]}#/${environment.id}/overview`);
  await page.click('Create sample flag');
  await page.click('Create flag');
  await page.says('Welcome banner', 'h1');
  await page.close();
});

test('pages asked no other host for anything, and had no error', () => {
  expect([...world.browser.hosts].filter((host) => host !== '')).toEqual([new URL(world.address).host]);
  expect(world.browser.problems).toEqual([]);
});
