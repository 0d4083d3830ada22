import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import type { Flag } from '../../../shared/flags/flag.ts';
import { decodeDocument } from '../../../shared/store/item.ts';
import { until } from '../../../shared/testing/until.ts';
import { LocalProcess } from '../../test/conformance/localProcess.ts';
import { ConsoleBrowser, type ConsolePage } from './testing/consolePage.ts';
import { aFlag } from './testing/documents.ts';

jest.setTimeout(120_000);

const directory = mkdtempSync(join(tmpdir(), 'flagwire-console-'));
let running: LocalProcess;
let browser: ConsoleBrowser;
/** As the terminal prints it. */
let address: string;
/** Of the environment that a new user made by the page. */
let shop: string;

beforeAll(async () => {
  running = await LocalProcess.start(directory, 0);
  address = /http:\S+#token=\S+/.exec(running.output)?.[0] ?? '';
  browser = await ConsoleBrowser.launch();
});
afterAll(async () => {
  await browser?.close();
  await running?.stop('SIGTERM');
  rmSync(directory, { recursive: true });
});

const store = () => running.target().store;
const read = async (key: string): Promise<Flag | undefined> => {
  const stored = await store().documents.find(shop, 'flag', key);
  const result = stored && decodeDocument(stored);
  return result?.ok ? (result.value as Flag) : undefined;
};
const at = (place: string) => `${address.split('#')[0]}#/${shop}/${place}`;
/** Opens a place of the environment, as somebody with the token. */
const open = async (place: string, look = {}): Promise<ConsolePage> => {
  const page = await browser.open(address, look);
  await page.says('Flags', 'h1');
  await page.page.goto(at(place));
  return page;
};

describe('a new user, by the page alone', () => {
  let page: ConsolePage;
  beforeAll(async () => {
    page = await browser.open(address);
  });
  afterAll(() => page.close());

  test('makes an environment, and is shown its keys once', async () => {
    await page.choose('Environment', 'New environment …');
    await page.write('Name', 'shop');
    await page.click('Make it');
    await page.says('The new keys', 'dialog');
    expect(await page.text('dialog')).toMatch(/client.*[\w-]{44}/s);
    await page.click('Done');
    await page.says('Three steps to a flag that flips');
    shop = /#\/([^/]+)/.exec(page.page.url())?.[1] ?? '';
    expect(await page.text('.steps')).toContain('You are in shop');
  });

  test('makes a flag, which begins off', async () => {
    await page.click('Make one of your own');
    await page.write('Key', 'new-checkout');
    await page.click('Next');
    await page.says('Make flag new-checkout', 'dialog');
    await page.click('Save');
    await page.says('new-checkout', 'h1');
    expect(await read('new-checkout')).toMatchObject({ isEnabled: false, variationType: 'boolean' });
  });

  test('makes a segment with a user and a rule', async () => {
    await page.view('Segments');
    await page.click('New segment');
    await page.write('Name', 'Beta');
    await page.click('Next');
    await page.click('Save');
    await page.says('Beta', 'h1');
    await page.write('Add to included users', 'ann');
    await page.page.keyboard.press('Enter');
    await page.click('Add a rule');
    await page.write('Attribute of condition 1', 'email');
    await page.choose('Operator of condition 1', 'ends-with');
    await page.write('Value of condition 1', '@acme.com');
    await page.click('Done');
    await page.click('Review and save');
    await page.says('email ends-with @acme.com', 'dialog');
    await page.click('Save');
    await page.says('Saved segment “Beta”.');
  });

  test('gives the flag two rules and a rollout, all of it seen before it is saved', async () => {
    await page.view('Flags');
    await page.click('new-checkout', 'link');
    await page.click('Add a rule');
    await page.write('Name of the rule', 'Testers');
    await page.choose('Operator of condition 1', 'in segment');
    await page.click('Beta', 'checkbox');
    await page.click('Done');
    await page.click('Add a rule');
    await page.write('Name of the rule', 'Adults');
    await page.write('Attribute of condition 1', 'age');
    await page.choose('Operator of condition 1', '>=');
    await page.write('Value of condition 1', 'old');
    await page.click('Done');
    await page.says('"old" is not a number');
    await page.write('Value of condition 1', '18');
    await page.click('Done');
    await page.click('Edit what everybody else gets');
    await page.choose('They get', 'divided by percentages …');
    await page.write('Percent that get true', '10');
    await page.says('They sum to 10 %; they must sum to 100 %.');
    await page.write('Percent that get false', '90');
    await page.click('Done');
    await page.says('4 unsaved changes');
    expect((await read('new-checkout'))?.rules).toEqual([]);
    await page.click('Review and save');
    for (const line of ['in segment Beta → true', 'age >= 18 → true', 'true 10 % false 90 %']) {
      await page.says(line, 'dialog');
    }
    await page.write('Why (for the history; may stay empty)', 'first customers');
    await page.click('Save');
    await page.says('Saved flag “new-checkout”.');
    expect((await read('new-checkout'))?.rules).toMatchObject([
      { name: 'Testers', conditions: [{ property: 'User is in segment' }] },
      { name: 'Adults', conditions: [{ property: 'age', op: 'BiggerEqualThan', value: '18' }] },
    ]);
    expect((await read('new-checkout'))?.fallthrough.variations).toMatchObject([
      { rollout: [0, 0.1] },
      { rollout: [0.1, 1] },
    ]);
  });

  test('connects an SDK in the page, and sees a flip at once', async () => {
    await page.view('Keys');
    await page.write('User (key id)', 'ann');
    await page.click('Connect');
    await page.says(/new-checkout\s*false\s*flag disabled/, '.preview');
    await page.click('new-checkout is on');
    await page.says('off', 'dialog');
    await page.click('Save');
    await page.says(/new-checkout\s*true\s*Testers/, '.preview');
  });

  test('sees who connected, and whom the change reached', async () => {
    await page.view('Live');
    await page.says('push new-checkout to 1 in', '.events');
    await page.says('client SDK', '.events');
    expect(await page.text('.events')).toContain('sync ann');
    await page.click('Pause');
    await page.says('Go on (0 missed)');
  });

  test('sees why: the segment, the rule, the share', async () => {
    await page.view('Why');
    const answer = async (keyId: string) => {
      await page.write('Key id', keyId);
      await page.page.$eval('.answers details', (each) => each.setAttribute('open', ''));
      return page.text('.answers');
    };
    expect(await answer('ann')).toContain('rule 1 "Testers" holds: in segment Beta (Beta includes the user)');
    expect(await answer('carl')).toMatch(/keyId "carl" is at [\d.]+ % of the users, between 10 % and 100 %/);
    await page.click('Add an attribute');
    await page.write('Name of attribute 1', 'age');
    await page.write('Value of attribute 1', '30');
    await page.says('rule 2 "Adults" holds: age >= 18 (age is "30")', '.answers');
  });

  test('sees who did it, and takes it back', async () => {
    await page.view('History');
    await page.says('first customers', '.history');
    const [flip] = await page.page.$$('.change');
    expect(await flip?.evaluate((each) => each.textContent)).toMatch(/@.*Switchoffon/);
    await (await flip?.$('::-p-text(Undo)'))?.click();
    await page.says(/Switch\s*on\s*off/, 'dialog');
    await page.click('Undo', 'button');
    await until(async () => (await read('new-checkout'))?.isEnabled === false);
    await page.view('Flags');
    await page.says('off', '.list');
  });

  test('sees what it would cost, as an extrapolation', async () => {
    await page.view('Cost');
    await page.says('An extrapolation');
    await page.says(/API Gateway and Lambda\s*\$[\d.]+ – \$[\d.]+\s*\$[\d.]+/);
  });
});

describe('two at once', () => {
  test('what the other saved is shown, and an edit is put on top of it', async () => {
    const page = await open('flags/new-checkout');
    await page.click('new-checkout is on');
    await page.says('off', 'dialog');
    await store().documents.writeFlag(shop, 'new-checkout', (flag) => ({
      ...(flag as Flag),
      description: 'by another',
    }));
    await page.click('Save');
    await page.says('Somebody else changed this flag', 'dialog');
    await page.says(/Description.*by another/s, 'dialog');
    expect(await read('new-checkout')).toMatchObject({ isEnabled: false, description: 'by another' });
    await page.click('Put my edit on top');
    await page.says(/Switch\s*off\s*on/, 'dialog');
    await page.click('Save');
    await page.says('Saved flag');
    expect(await read('new-checkout')).toMatchObject({ isEnabled: true, description: 'by another' });
    await page.close();
  });

  test('a change that comes while somebody edits is noticed before it is saved', async () => {
    const page = await open('flags/new-checkout');
    await page.write('Name', 'Checkout');
    await page.says('1 unsaved change');
    await store().documents.writeFlag(shop, 'new-checkout', (flag) => ({ ...(flag as Flag), name: 'New checkout' }));
    await page.says('somebody else changed it meanwhile');
    await page.click('Review and save');
    await page.click('Put my edit on top');
    await page.says('Both edits changed the same: name', 'dialog');
    await page.says(/Name\s*New checkout\s*Checkout/, 'dialog');
    await page.click('Cancel');
    expect((await read('new-checkout'))?.name).toBe('New checkout');
    await page.close();
  });
});

describe('the keyboard alone', () => {
  test('edits a flag; Escape leaves, and the focus is where it was', async () => {
    const page = await open('flags');
    await page.says('new-checkout', '.list');
    await page.page.evaluate('document.activeElement.blur()');
    await page.tabTo('Skip to the content');
    await page.page.keyboard.press('Enter');
    await page.tabTo('New flag');
    await page.tabTo('new-checkout is on');
    await page.page.keyboard.press('Enter');
    await page.says('Switch off new-checkout', 'dialog');
    expect(await page.focus()).toBe('Save');
    await page.page.keyboard.press('Escape');
    await until(
      () => page.focus(),
      (focus) => focus === 'new-checkout is on',
    );
    await page.page.keyboard.press('Space');
    await page.says('Switch off new-checkout', 'dialog');
    await page.page.keyboard.press('Enter');
    await until(async () => (await read('new-checkout'))?.isEnabled === false);
    await until(
      () => page.focus(),
      (focus) => focus === 'new-checkout is on',
    );
    await page.close();
  });

  test('opens and leaves a rule', async () => {
    const page = await open('flags/new-checkout');
    await page.says('Testers');
    await page.tabTo('Edit rule Testers');
    await page.page.keyboard.press('Enter');
    await page.tabTo('Operator of condition 1');
    await page.page.keyboard.press('Escape');
    await until(
      () => page.focus(),
      (focus) => focus === 'Edit rule Testers',
    );
    await page.close();
  });
});

describe('what is dangerous', () => {
  test('names that are HTML are text', async () => {
    const name = '<img src=x onerror="document.title=1"><b>bold';
    await store().documents.writeFlag(shop, 'html', () =>
      aFlag({ key: 'html', name, tags: [name], description: name }),
    );
    const page = await open('flags/html');
    await page.says(name, 'h1');
    for (const view of ['Why', 'History', 'Keys', 'Flags']) {
      await page.view(view);
      await page.says(view === 'Flags' ? name : 'html');
    }
    expect(await page.page.$$eval('img, b b', (all) => all.length)).toBe(0);
    await store().documents.writeFlag(shop, 'html', (flag) => ({ ...(flag as Flag), isArchived: true }));
    await page.close();
  });

  test('production asks for its name', async () => {
    const page = await open('keys');
    await page.click('Edit the environment');
    await page.click('This is production: ask for its name before each change', 'checkbox');
    await page.click('Save');
    await page.says('Saved the environment.');
    await page.view('Flags');
    await page.click('new-checkout is on');
    await page.says('This changes production.', 'dialog');
    const isDisabled = () => page.page.$eval('dialog [type=submit]', (each) => each.hasAttribute('disabled'));
    expect(await isDisabled()).toBe(true);
    await page.write('This changes production. Type “shop” to go on.', 'shop');
    await until(async () => !(await isDisabled()));
    await page.click('Save');
    await until(async () => (await read('new-checkout'))?.isEnabled === true);
    await page.close();
  });

  test('another site’s page is refused, token or not', async () => {
    const token = decodeURIComponent(address.split('token=')[1] ?? '');
    const url = new URL(`api/environments/${shop}`, address.split('#')[0]).href;
    const ask = (headers: Record<string, string>) => fetch(url, { headers: { 'x-console-token': token, ...headers } });
    expect((await ask({})).status).toBe(200);
    expect((await ask({ origin: 'http://127.0.0.1:1' })).status).toBe(403);
    expect((await ask({ 'x-console-token': 'guessed' })).status).toBe(401);
    const page = await browser.open('data:text/html,<title>another site</title>');
    const asked = page.page.evaluate(
      `fetch(${JSON.stringify(url)}, { headers: { 'x-console-token': ${JSON.stringify(token)} } })`,
    );
    await expect(asked).rejects.toThrow(/Failed to fetch/);
    browser.problems.splice(0);
    await page.close();
  });

  test('a token of another start leads to the terminal', async () => {
    const page = await browser.open(`${address.split('#')[0]}#token=old`);
    await page.says('Open the address that the terminal shows');
    browser.problems.splice(0);
    await page.close();
  });
});

describe.each([
  ['a desk', 1_280, 'light'],
  ['a desk in the dark', 1_280, 'dark'],
  ['a phone', 390, 'light'],
  ['a phone in the dark', 390, 'dark'],
] as const)('on %s', (_, width, scheme) => {
  const pictures = process.env['SCREENSHOTS'] ?? directory;
  const views = ['flags', 'flags/new-checkout', 'segments', 'why', 'history', 'live', 'keys', 'cost'];

  test('every view is whole: nothing is wider than the page, and axe finds nothing wrong', async () => {
    const page = await open('flags', { width, scheme });
    mkdirSync(pictures, { recursive: true });
    for (const view of views) {
      await page.page.goto(at(view));
      await page.says(/\S/, 'h1');
      await page.says(/\S/, 'main h2, main li');
      expect([view, await page.violations(), await page.overflow()]).toEqual([view, [], 0]);
      const name = `console-${view.replace('/', '-')}-${width}-${scheme}.png`;
      await page.page.screenshot({ path: join(pictures, name), fullPage: true });
    }
    await page.page.goto(at('flags/new-checkout'));
    await page.click('Edit rule Adults');
    await page.choose('They get', 'divided by percentages …');
    expect([await page.violations(), await page.overflow()]).toEqual([[], 0]);
    await page.click('Done');
    await page.write('Description', 'x');
    await page.click('Archive');
    await page.says('Archived', 'dialog');
    expect([await page.violations(), await page.overflow()]).toEqual([[], 0]);
    await page.page.screenshot({ path: join(pictures, `console-review-${width}-${scheme}.png`) });
    await page.close();
  });
});

test('pages asked no other host for anything, and had no error', () => {
  expect([...browser.hosts].filter((host) => host !== '')).toEqual([new URL(address).host]);
  expect(browser.problems).toEqual([]);
});

test('the switch for light and dark is kept, and a page that has lost the server says so', async () => {
  const page = await open('flags');
  await page.choose('Light or dark', 'dark');
  await page.page.reload();
  await page.says('Flags', 'h1');
  expect(await page.page.evaluate('document.documentElement.style.colorScheme')).toBe('dark');
  await page.says('up to date', '.stream');
  await running.stop('SIGTERM');
  await page.says('not connected: trying again', '.stream');
  await page.click('new-checkout is on');
  await page.write('This changes production. Type “shop” to go on.', 'shop');
  await page.click('Save');
  await page.says('The console does not answer', 'dialog');
  await page.close();
});
