import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import { OTHER_NAME } from '../../dev/support/tools/browser.ts';
import type { ConsolePage } from './testing/consolePage.ts';
import { ConsoleWorld } from './testing/consoleWorld.ts';

jest.setTimeout(60_000);

let world: ConsoleWorld;
beforeAll(async () => {
  world = await ConsoleWorld.open('--host-name', OTHER_NAME);
});
afterAll(() => world?.close());

const isFlipShown = (page: ConsolePage) =>
  page.page.$eval('#flip', (each) => !(each as unknown as { hidden: boolean }).hidden);

test('the page that shows a flag flips it with the token, which leaves the address', async () => {
  const page = await world.browser.open(world.address.replace('/console/', '/try'));
  await page.says('true', '#value');
  expect(page.page.url()).toMatch(/\/try$/);
  await page.click('Flip');
  await page.says('false', '#value');
  await page.page.reload();
  await page.says('false', '#value');
  await page.click('Flip');
  await page.says('true', '#value');
  await page.close();
});

test('is opened with the flag of the last view by a link of the Keys page', async () => {
  const console = await world.browser.open(world.address);
  await console.view('Flags');
  await console.click('returns true', 'link');
  await console.says('returns-true', 'main');
  await console.view('Keys');
  const address = await console.page.$eval('a[href^="/try"]', (each) => each.getAttribute('href'));
  expect(address).toBe('/try?flag=returns-true');
  // The link opens another tab, which has no session of this one.
  await console.page.evaluate('sessionStorage.clear()');
  await console.page.goto(new URL(address ?? '', world.address).href);
  await console.says('true', '#value');
  expect(await isFlipShown(console)).toBe(true);
  const other = (await world.makeShop('other')).at('keys');
  await console.page.goto(other);
  await console.says('Keys of this environment', 'main');
  expect(await console.page.$('a[href^="/try"]')).toBeNull();
  await console.close();
});

test('has no button without the token, and its client key changes nothing', async () => {
  const page = await world.browser.open(new URL('/try', world.address).href);
  await page.says('true', '#value');
  expect(await isFlipShown(page)).toBe(false);
  const { client } = JSON.parse(readFileSync(join(world.directory, 'keys.json'), 'utf8'));
  for (const token of [client, '']) {
    const status = await page.page.evaluate(
      `fetch('/console/api/environments', { headers: { 'x-console-token': ${JSON.stringify(token)} } }).then(({ status }) => status)`,
    );
    expect(status).toBe(401);
  }
  world.browser.problems.splice(0);
  await page.close();
});

test('changes nothing by another name of this machine, also with the token', async () => {
  const page = await world.browser.open(world.address.replace('/console/', '/try').replace('127.0.0.1', OTHER_NAME));
  await page.says('true', '#value');
  await page.click('Flip');
  await page.says('The flag was not flipped: the console is at http://127.0.0.1', '#state');
  world.browser.problems.splice(0);
  await page.close();
});

test('pages had no error', () => expect(world.browser.problems).toEqual([]));
