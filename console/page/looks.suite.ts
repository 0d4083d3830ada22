import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { cleanEnvironment, ofRepository, RunningProcess } from '../../dev/support/runningProcess.ts';
import { LOOKS, takePicture } from '../../dev/support/tools/browser.ts';
import { until } from '../../shared/testing/until.ts';
import { ConsoleWorld, type ShownEnvironment } from './testing/consoleWorld.ts';
import { aFlag } from './testing/documents.ts';

jest.setTimeout(120_000);

let world: ConsoleWorld;
let shop: ShownEnvironment;
beforeAll(async () => {
  world = await ConsoleWorld.open();
  shop = await world.makeShop('shop');
});
afterAll(() => world?.close());

describe('dangerous input', () => {
  test('shows a name that is HTML as text', async () => {
    const name = '<img src=x onerror="document.title=1"><b>bold';
    await world.store.documents.writeFlag(shop.id, 'html', () =>
      aFlag({ key: 'html', name, tags: [name], description: name }),
    );
    const page = await shop.open('flags/html');
    await page.says(name, 'h1');
    for (const view of ['Evaluate', 'History', 'Keys', 'Flags']) {
      await page.view(view);
      await page.says(view === 'Flags' ? name : 'html');
    }
    expect(await page.page.$$eval('img, b b', (all) => all.length)).toBe(0);
    await shop.change('html', { isArchived: true });
    await page.close();
  });

  test('asks for the name of a production environment', async () => {
    const page = await shop.open('settings');
    await page.click('Edit the environment');
    await page.click('Production: confirm each change by typing the name', 'checkbox');
    await page.click('Save environment');
    await page.says('Environment saved.');
    await page.page.waitForSelector('header.production');
    await page.view('Flags');
    await page.click('Toggle new-checkout');
    await page.says('This is a production environment.', 'dialog');
    const isDisabled = () => page.page.$eval('dialog [type=submit]', (each) => each.hasAttribute('disabled'));
    expect(await isDisabled()).toBe(true);
    await page.write('This is a production environment. Type “shop” to confirm.', 'shop');
    await until(async () => !(await isDisabled()));
    await page.click('Turn on');
    await until(async () => (await shop.read('new-checkout'))?.isEnabled === true);
    await page.close();
  });

  test('refuses a page of another site, with or without the token', async () => {
    const token = decodeURIComponent(world.address.split('token=')[1] ?? '');
    const url = new URL(`api/environments/${shop.id}`, world.address.split('#')[0]).href;
    const ask = (headers: Record<string, string>) => fetch(url, { headers: { 'x-console-token': token, ...headers } });
    expect((await ask({})).status).toBe(200);
    expect((await ask({ origin: 'http://127.0.0.1:1' })).status).toBe(403);
    expect((await ask({ 'x-console-token': 'guessed' })).status).toBe(401);
    const page = await world.browser.open('data:text/html,<title>another site</title>');
    const asked = page.page.evaluate(
      `fetch(${JSON.stringify(url)}, { headers: { 'x-console-token': ${JSON.stringify(token)} } })`,
    );
    await expect(asked).rejects.toThrow(/Failed to fetch/);
    world.browser.problems.splice(0);
    await page.close();
  });

  test('explains for a token of another start that the terminal shows the link', async () => {
    const page = await world.browser.open(`${world.address.split('#')[0]}#token=old`);
    await page.says('Open the one that the terminal shows now.');
    world.browser.problems.splice(0);
    await page.close();
  });

  test('explains for a missing token that the terminal shows the link', async () => {
    const page = await world.browser.open(new URL('/', world.address).href);
    await page.says('This address has no access token');
    await page.says('Open the link that the terminal shows. It has the access token.');
    expect(await page.text()).not.toContain('expired');
    world.browser.problems.splice(0);
    await page.close();
  });
});

describe.each(LOOKS)('the console on %s', (_, width, scheme) => {
  const views = [
    'overview',
    'flags',
    'flags?q=check',
    ...['', '?variations', '?usage', '?history', '?settings'].map((tab) => `flags/new-checkout${tab}`),
    'segments',
    'segments/beta-id',
    'compare',
    'evaluate',
    'history',
    'live',
    'keys',
    'cost',
    'settings',
  ];

  test('fits every view into the page, without accessibility problems', async () => {
    const page = await shop.open('flags', { width, scheme });
    // Until then it shows another environment, and for a moment none.
    await page.says('new-checkout', 'main');
    for (const view of views) {
      await page.page.goto(shop.at(view));
      await page.says(/\S/, 'h1');
      await page.says(/\S/, 'main h2, main li');
      expect([view, await page.violations(), await page.overflow()]).toEqual([view, [], 0]);
      await takePicture(page.page, `console-${view.replace(/\W/g, '-')}-${width}-${scheme}`, { fullPage: true });
    }
    // Header and tabs leave a phone, 844 pixels high, its page.
    if (width < 720) expect(await page.topOf('main')).toBeLessThanOrEqual(120);
    await page.page.goto(shop.at('flags'));
    await page.click('Select new-checkout');
    await page.says('1 selected');
    await page.click('Turn off');
    await page.says('Turn off 1 flag', 'dialog');
    expect([await page.violations(), await page.overflow()]).toEqual([[], 0]);
    await takePicture(page.page, `console-batch-${width}-${scheme}`);
    await page.page.goto(shop.at('flags/new-checkout'));
    await page.click('Edit rule Adults');
    await page.choose('Then serve', 'Percentage rollout …');
    expect([await page.violations(), await page.overflow()]).toEqual([[], 0]);
    await page.click('Add to draft');
    await page.tab('Settings');
    await page.write('Description', 'x');
    await page.menu('Archive');
    await page.says('Archive new-checkout', 'dialog');
    expect([await page.violations(), await page.overflow()]).toEqual([[], 0]);
    await takePicture(page.page, `console-review-${width}-${scheme}`);
    await page.click('Cancel');
    await page.click('Discard');
    await page.says('Discard changes to', 'dialog');
    expect([await page.violations(), await page.overflow()]).toEqual([[], 0]);
    await page.click('Discard changes');
    await page.page.goto(shop.at('flags'));
    await page.click('New flag');
    await page.choose('Type', 'json');
    await page.write('Value of variation 1', '{');
    expect([await page.violations(), await page.overflow()]).toEqual([[], 0]);
    await page.close();
  });
});

test('pages asked no other host for anything, and had no error', () => {
  expect([...world.browser.hosts].filter((host) => host !== '')).toEqual([new URL(world.address).host]);
  expect(world.browser.problems).toEqual([]);
});

test('fits a flag of npm start into the width of a page of GitHub, and of a phone', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'flagwire-picture-'));
  const command = ofRepository('dev/local/main.ts', ['--port', '0', '--data', directory]);
  const started = new RunningProcess(command, { environment: cleanEnvironment() });
  try {
    await started.printed('Flip the flag');
    const page = await world.browser.open(/http:\S+\/console\/#token=\S+/.exec(started.output)?.[0] ?? '');
    await page.view('Flags');
    await page.click('new-checkout', 'link');
    for (const [name, width, height] of [
      ['console', 838, 925],
      ['console-narrow', 390, 844],
    ] as const) {
      await page.page.setViewport({ width, height, deviceScaleFactor: 2 });
      await page.says('created by npm start', '.serving');
      await page.says('production', '.strip');
      expect(await page.overflow()).toBe(0);
      // A click leaves the pointer on the navigation.
      await page.page.mouse.move(width - 8, height - 10);
      for (const [scheme, end] of [
        ['light', ''],
        ['dark', '-dark'],
      ] as const) {
        await page.page.emulateMediaFeatures([
          { name: 'prefers-color-scheme', value: scheme },
          { name: 'prefers-reduced-motion', value: 'reduce' },
        ]);
        await takePicture(page.page, `${name}${end}`);
      }
    }
    await page.close();
  } finally {
    await started.stop('SIGTERM');
    rmSync(directory, { recursive: true });
  }
});

test('keeps the choice of light or dark, and says if the server cannot be reached', async () => {
  const page = await shop.open('flags');
  await page.says('Flags', 'h1');
  await page.page.locator('.top-end button').click();
  await page.choose('Light or dark', 'dark theme');
  await page.page.reload();
  await page.says('Flags', 'h1');
  expect(await page.page.evaluate('document.documentElement.style.colorScheme')).toBe('dark');
  await page.says('up to date', '.stream');
  await world.stopServer();
  await page.says('not connected: trying again', '.stream');
  await page.click('Toggle new-checkout');
  await page.write('This is a production environment. Type “shop” to confirm.', 'shop');
  await page.click('Turn off');
  await page.says('Cannot reach the console server. Is `npm start` still running?', 'dialog');
  await page.close();
});
