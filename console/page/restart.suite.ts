import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { openTryPage } from '../../dev/local/tryPage.ts';
import { LOOKS, OTHER_NAME } from '../../dev/support/tools/browser.ts';
import type { Flag } from '../../shared/flags/flag.ts';
import { ConsolePage } from './testing/consolePage.ts';
import { ConsoleWorld, type ShownEnvironment } from './testing/consoleWorld.ts';

jest.setTimeout(180_000);

const BENCHMARK = '226b9bf8-4af3-4ffa-9b01-162270e4cd40';

let world: ConsoleWorld;
let shop: ShownEnvironment;
beforeAll(async () => {
  world = await ConsoleWorld.open('--host', '0.0.0.0', '--host-name', OTHER_NAME);
  shop = await world.makeShop('shop');
});
afterAll(() => world?.close());

describe('the console over a restart of npm start', () => {
  let page: ConsolePage;
  beforeAll(async () => {
    page = await shop.open('flags/new-checkout?settings');
    // A page with drafts asks before it is left.
    page.page.on('dialog', (dialog) => void dialog.accept());
    await page.write('Name', 'Checkout');
    await page.says('1 unsaved change');
    await world.stopServer();
    await page.says('not connected: trying again', '.stream');
    await world.startServer();
  });
  afterAll(async () => {
    // The browser writes down refused requests, and those to a server that is away.
    world.browser.problems.splice(0);
    await page.close();
  });

  test('an open tab connects again, with its draft', async () => {
    await page.says('up to date', '.stream');
    await page.says('1 unsaved change');
  });

  test('a draft outlives a reload, and can be saved', async () => {
    await page.page.reload();
    await page.says('1 unsaved change');
    await page.click('Save …');
    await page.click('Save');
    await page.says('Saved new-checkout');
    expect(await shop.read('new-checkout')).toMatchObject({ name: 'Checkout' });
    await page.page.reload();
    await page.says('Checkout', 'h1');
    expect(await page.text()).not.toContain('unsaved change');
  });

  test('a bookmark opens the console in a new tab', async () => {
    const tab = new ConsolePage(await page.page.browserContext().newPage());
    await tab.page.goto(shop.at('flags'));
    await tab.says('new-checkout', '.list');
    await tab.page.close();
  });

  test('a tab whose link has expired takes a new link', async () => {
    const expired = await world.browser.open(`${world.address.split('#')[0]}#token=old`);
    await expired.says('This console link has expired');
    await expired.says('Open the one that the terminal shows now.');
    const reloaded = expired.page.waitForNavigation({ waitUntil: 'load' });
    await expired.page.evaluate(`location.href = ${JSON.stringify(world.address)}`);
    await reloaded;
    await expired.page.waitForSelector('aria/Environment');
    await expired.says('Overview', 'h1');
    await expired.close();
  });
});

test('ignores the answer to a read that a newer read has replaced', async () => {
  const page = await shop.open('settings');
  await page.says('days', '.facts');
  // The answers to the first and the third read are held back.
  await page.page.evaluate(`{
    const { fetch } = globalThis;
    let reads = 0;
    globalThis.held = [];
    globalThis.fetch = async (path, init) => {
      const answer = await fetch(path, init);
      const isHeld = init.method === 'GET' && /environments\\/[^/]+$/.test(path) && ++reads !== 2;
      if (isHeld) await new Promise((release) => held.push(release));
      return answer;
    };
  }`);
  const holds = (count: number) => page.page.waitForFunction(`held.length === ${count}`);
  await shop.change('new-checkout', { description: 'one' });
  await holds(1);
  await page.click('Edit the environment');
  await page.write('Days to keep history', '33');
  await page.click('Save environment');
  await page.says('33 days', '.facts');
  await shop.change('new-checkout', { description: 'two' });
  await holds(2);
  await page.page.evaluate('held[0]()');
  await page.page.evaluate('new Promise((done) => setTimeout(done, 100))');
  expect(await page.text('.facts')).toContain('33 days');
  await page.close();
});

describe('/try', () => {
  const own = () => new URL('/try', world.address).href;
  const flip = (isEnabled: boolean) =>
    world.store.documents.writeFlag(BENCHMARK, 'returns-true', (flag) => ({ ...(flag as Flag), isEnabled }));

  test('shows a flip', async () => {
    await flip(true);
    const page = await world.browser.open(own());
    await page.says('true', '#value');
    await flip(false);
    await page.says('false', '#value');
    await flip(true);
    await page.says('true', '#value');
    expect(await page.violations()).toEqual([]);
    await page.close();
  });

  test('shows another flag, and says where there is none', async () => {
    const page = await world.browser.open(`${own()}?flag=no-such-flag`);
    await page.says('This environment has no flag "no-such-flag".');
    await page.close();
  });

  // Browsers keep parts of their API from pages of other machines' HTTP.
  test('shows a flip to a phone on the network', async () => {
    const url = new URL(own());
    url.hostname = OTHER_NAME;
    const page = await world.browser.open(url.href, { width: 390 });
    expect(await page.page.evaluate('isSecureContext')).toBe(false);
    await page.says('true', '#value');
    await flip(false);
    await page.says('false', '#value');
    await page.close();
  });

  test.each(LOOKS)('is whole on %s, with a QR code on a desk', async (_, width, scheme) => {
    const answer = openTryPage('none', 'http://192.168.1.20:5100/try', 'new-checkout');
    const server = createServer((request, response) => void answer(request, response));
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const page = await world.browser.open(`http://127.0.0.1:${(server.address() as AddressInfo).port}/try`, {
      width,
      scheme,
    });
    for (const value of ['', 'true', 'false']) {
      await page.page.evaluate(`document.body.dataset.value = '${value}'`);
      expect([value, await page.violations(), await page.overflow()]).toEqual([value, [], 0]);
    }
    expect((await page.text()).includes('192.168.1.20')).toBe(width > 640);
    world.browser.problems.splice(0);
    await page.close();
    server.closeAllConnections();
    server.close();
  });
});

test('pages had no error', () => {
  expect(world.browser.problems).toEqual([]);
});
