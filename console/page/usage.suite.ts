import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import { takePicture } from '../../dev/support/tools/browser.ts';
import { readAnnouncement } from '../../shared/runtime/announcement.ts';
import { systemEffects } from '../../shared/runtime/effects.ts';
import { usageKeys } from '../../shared/store/table/keys.ts';
import { createDynamoDb } from '../../shared/store/table/table.ts';
import { openUsage } from '../../shared/store/usage/flagUsage.ts';
import { hourOf } from '../../shared/store/usage/usage.ts';
import { until } from '../../shared/testing/until.ts';
import { ConsoleWorld, type ShownEnvironment } from './testing/consoleWorld.ts';

jest.setTimeout(120_000);

let world: ConsoleWorld;
let shop: ShownEnvironment;
beforeAll(async () => {
  world = await ConsoleWorld.open();
  shop = await world.makeShop('usage');
});
afterAll(() => world?.close());

const HOUR_MS = 3_600_000;

/** Counts evaluations in the 22 hours before this one: 29 in each. Counting has started before. */
async function countEarlier(): Promise<void> {
  const name = readAnnouncement(world.directory)?.flagsTable ?? '';
  // Writes have a second, which a busy machine may not have.
  const timeout = (ms: number) => systemEffects.timeout(60 * ms);
  const effects = { ...systemEffects, timeout, now: () => Date.now() - 48 * HOUR_MS };
  const usage = await openUsage({ client: createDynamoDb(), name, effects });
  await usage?.start(shop.id);
  for (let n = 1; n <= 22; n++) {
    const key = usageKeys.ofFlag(shop.id, 'new-checkout', hourOf(Date.now() - n * HOUR_MS));
    await usage?.add(
      key,
      new Map([
        ['on', 27 - n],
        ['off', 2 + n],
      ]),
    );
  }
}

test('shows evaluations of a flag by time and variation, as a chart and as a table', async () => {
  await countEarlier();
  const { value } = await world.store.secrets.create(shop.id, 'events', 'server');
  const event = (id: string) => ({ featureFlagKey: 'new-checkout', variation: { id, value: id } });
  const variations = [event('on'), event('on'), event('on'), event('off')];
  const tracked = await fetch(new URL('/api/public/insight/track', world.address), {
    method: 'POST',
    headers: { authorization: value, 'content-type': 'application/json' },
    body: JSON.stringify([{ user: { keyId: 'u1' }, variations }]),
  });
  expect(tracked.status).toBe(200);
  const page = await shop.open('flags/new-checkout?usage', { width: 390 });
  await page.says('642 evaluations.');
  await page.lacks('Counted since', 'main');
  await page.says(/Last seen: in the hour from (today|yesterday) \d\d:00\./);
  await page.says(/true:?\s*53.6 %\s*false:?\s*46.4 %\s*changes:?\s*1/, '.u-legend');
  const rows = () => page.page.$$eval('details .data-table tbody tr', (all) => all.length);
  expect(await rows()).toBe(24);
  await page.page.setViewport({ width: 640, height: 1_000 });
  // For the documentation.
  await takePicture(await page.page.waitForSelector('section:has(.chart)'), 'console-usage');
  await page.page.setViewport({ width: 390, height: 900 });
  await page.choose('Period', '30 days');
  await page.says('Counted since 2 days ago.');
  await until(async () => (await rows()) === 30);
  await page.page.evaluate('document.querySelector("details:has(.data-table)").open = true');
  await page.says(/\d{4}-\d\d-\d\d/, 'details .data-table');
  expect([await page.violations(), await page.overflow()]).toEqual([[], 0]);
  await page.close();
});

test('shows the evaluations of an environment in the overview', async () => {
  const page = await shop.open('overview', { width: 390 });
  await page.says(/evaluations in 24 h\s*642/, '.figures');
  await page.says('Evaluations by hour');
  await page.says('after 7 days of counting.');
  expect(await page.page.$$eval('canvas', (all) => all.length)).toBe(1);
  expect([await page.violations(), await page.overflow()]).toEqual([[], 0]);
  await page.close();
});

test('shows in the legend what is under the pointer', async () => {
  const page = await shop.open('flags/new-checkout?usage');
  await page.page.locator('.u-over').hover();
  await page.says(/true:?\s*\d+\s*false:?\s*\d+\s*changes:?\s*–/, '.u-legend');
  await page.close();
});

test('sends a request again that the server does not answer', async () => {
  const page = await shop.open('flags');
  await page.says('new-checkout');
  // Times in the page are 100 times shorter. The first request for the usage gets no answer, and the others have no limit.
  await page.page.evaluate(`{
    const { AbortSignal, fetch, setInterval } = globalThis;
    const timeout = AbortSignal.timeout.bind(AbortSignal);
    AbortSignal.timeout = (ms) => timeout(ms / 100);
    globalThis.setInterval = (action, ms) => setInterval(action, ms / 100);
    let asked = 0;
    globalThis.fetch = (path, init) => {
      if (!path.includes('/usage?') || ++asked > 1) return fetch(path, { ...init, signal: null });
      return new Promise((_, reject) => init.signal?.addEventListener('abort', () => reject(init.signal.reason)));
    };
  }`);
  await page.click('new-checkout', 'link');
  await page.says('evaluations in 24 h', '.serving');
  await page.close();
});
