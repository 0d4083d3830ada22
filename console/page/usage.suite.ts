import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import { ConsoleWorld, type ShownEnvironment } from './testing/consoleWorld.ts';

jest.setTimeout(120_000);

let world: ConsoleWorld;
let shop: ShownEnvironment;
beforeAll(async () => {
  world = await ConsoleWorld.open();
  shop = await world.makeShop('usage');
});
afterAll(() => world?.close());

test('the page of a flag shows its evaluations by time and variation, as a graph and as a table', async () => {
  const { value } = await world.store.secrets.create(shop.id, 'events', 'server');
  const event = (id: string) => ({ featureFlagKey: 'new-checkout', variation: { id, value: id } });
  const variations = [event('on'), event('on'), event('on'), event('off')];
  const tracked = await fetch(new URL('/api/public/insight/track', world.address), {
    method: 'POST',
    headers: { authorization: value, 'content-type': 'application/json' },
    body: JSON.stringify([{ user: { keyId: 'u1' }, variations }]),
  });
  expect(tracked.status).toBe(200);
  const page = await shop.open('flags/new-checkout', { width: 390 });
  await page.says('4 evaluations.');
  await page.says('Last seen: ');
  await page.says('true 75 %', '.usage-bars + .shares');
  expect(await page.page.$$eval('.usage-bars > div', (bars) => bars.length)).toBe(24);
  await page.choose('Period', '30 days');
  await page.page.waitForFunction('document.querySelectorAll(".usage-bars > div").length === 30');
  await page.page.evaluate('document.querySelector("details:has(.data-table)").open = true');
  await page.says(/\d{4}-\d\d-\d\d/, 'details .data-table');
  expect([await page.violations(), await page.overflow()]).toEqual([[], 0]);
  await page.close();
});
