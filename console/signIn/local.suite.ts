import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { type LocalStack, startLocal } from '../../dev/emulator/emulator.ts';
import { seedExamples } from '../../dev/local/seed.ts';
import { startSignIn } from '../../dev/local/signIn.ts';
import { LOOKS, takePicture } from '../../dev/support/tools/browser.ts';
import type { Workspace } from '../../dev/verify/conformance/workspace.ts';
import { observe } from '../../dev/verify/deployment/report.ts';
import { signInObservations } from '../../dev/verify/deployment/signIn.ts';
import { readConfig } from '../../infra/config/config.ts';
import { synthesizedTemplates } from '../../infra/testing/synthesizedTemplates.ts';
import { until } from '../../shared/testing/until.ts';
import { PAGE_PATH } from '../api.ts';
import { ConsoleBrowser, type ConsolePage } from '../page/testing/consolePage.ts';

jest.setTimeout(120_000);
process.env['POWERTOOLS_LOG_LEVEL'] ??= 'SILENT';

/* What `npm start -- --sign-in` starts: the function of a deployment, under its roles, and a provider. */

const folder = mkdtempSync(join(tmpdir(), 'flagwire-sign-in-'));
let site: Awaited<ReturnType<typeof startSignIn>>;
let stack: LocalStack;
let browser: ConsoleBrowser;
let origin: string;
let page: ConsolePage;

/** Waits for a text, also while the page is left for another one. */
const shows = (text: string) =>
  until(
    () => page.text().catch(() => ''),
    (shown) => shown.includes(text),
  );

beforeAll(async () => {
  site = await startSignIn();
  const templates = site.complete(synthesizedTemplates(readConfig(site.settings)));
  const { readMetric } = site;
  stack = await startLocal({ templates, log: () => {}, readMetric });
  [origin = ''] = stack.furtherHttpUrls;
  await seedExamples(stack, folder, 'shop');
  browser = await ConsoleBrowser.launch();
});
afterAll(async () => {
  await browser?.close();
  await stack?.close();
  await site?.provider.close();
  delete process.env['CONSOLE_PAGE'];
  rmSync(folder, { recursive: true });
});
async function signInAs(person: string, look = {}): Promise<void> {
  page = await browser.open(`${origin}${PAGE_PATH}`, look);
  await page.click('Sign in', 'button');
  await shows('Who signs in?');
  await page.click(`Sign in as ${person}`);
  await shows(`${person}@example.com`);
}

/** Opens the dialog that turns a flag on or off. */
async function toggle(): Promise<void> {
  await page.view('Flags');
  await page.click('Toggle new-checkout');
  await page.says('new-checkout', 'dialog');
}

describe('the local provider and the console with sign-in', () => {
  afterEach(() => page.close());

  test('let a viewer see everything, and name whom to ask for more', async () => {
    site.tell({ type: 'sync', at: Date.now(), connection: 'c', user: '', flags: 1, segments: 0, ms: 312 });
    await signInAs('viewer');
    await page.view('Live');
    await page.says('95 % within 0.3 s', 'main');
    await page.lacks('does not offer', 'main');
    await page.view('Flags');
    await page.says('ask those who deploy this console to name one of your groups as editors.', 'main');
    const enabled = `[...document.querySelectorAll('main :is([role=switch], [type=checkbox]), main .primary')].filter((each) => !each.disabled)`;
    expect(await page.page.evaluate(`${enabled}.length`)).toBe(0);
    await page.click('new-checkout', 'link');
    await page.says('Default rule', 'main');
    await page.lacks('Add rule', 'main');
    expect(await page.page.evaluate(`${enabled}.length`)).toBe(0);
    expect(await page.violations()).toEqual([]);
  });

  test('let an editor change flags of one environment, and no keys', async () => {
    await signInAs('editor');
    await toggle();
    await page.click('Turn off');
    await page.says('false (off)', 'main');
    await page.view('History');
    await page.says('verified', 'main');
    await page.view('Keys');
    await page.says('Only administrators of this console can change keys', 'main');
    await page.page.waitForSelector('main button.primary:disabled');
    await page.choose('Environment', 'production');
    await page.view('Flags');
    await page.says('You can view production.', 'main');
  });

  test('let an administrator create a key', async () => {
    await signInAs('administrator');
    await page.view('Keys');
    await page.click('New key', 'button');
    await page.click('Create key', 'button');
    await page.says('Created key');
  });

  test.each(LOOKS)('are accessible on %s', async (name, width, scheme) => {
    page = await browser.open(`${origin}${PAGE_PATH}`, { width, scheme });
    await page.click('Sign in', 'button');
    await shows('Who signs in?');
    expect(await page.violations()).toEqual([]);
    expect(await page.overflow()).toBeLessThanOrEqual(0);
    await takePicture(await page.page.$('main'), `local provider ${name}`);
  });
});

describe('npm run verify', () => {
  const look = (name: string) =>
    observe(signInObservations(origin, { name, password: 'p' }), {} as never, {} as Workspace, () => {});

  test('signs in a person with a name and a password, and out again', async () => {
    site.provider.page = (query) => {
      const hidden = [...query].map(([field, value]) => `<input type="hidden" name="${field}" value="${value}">`);
      return `<form>${hidden.join('')}<input name="as"><input name="p" type="password"><button>Sign in</button></form>`;
    };
    expect(await look('editor')).toMatchObject([
      { answer: '200, 401', isPromised: true },
      { answer: 'editor@example.com; 200, 401', isPromised: true },
    ]);
  });

  test('refuses a provider that asks for more', async () => {
    site.provider.page = () => '<title>Enter the code</title><input type="tel">';
    const [, finding] = await look('editor');
    expect(finding).toMatchObject({
      answer: expect.stringMatching(/shows “Enter the code”\. The person must be able to sign in with .* without MFA$/),
      isPromised: false,
    });
  });
});
