import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { until } from '../../shared/testing/until.ts';
import type { ConsolePage } from './testing/consolePage.ts';
import { ConsoleWorld, type ShownEnvironment } from './testing/consoleWorld.ts';

jest.setTimeout(120_000);

let world: ConsoleWorld;
let many: ShownEnvironment;
let thousands: ShownEnvironment;
beforeAll(async () => {
  world = await ConsoleWorld.open();
  many = await world.makeMany('many 300', 300);
  thousands = await world.makeMany('many 3000', 3_000);
});
afterAll(() => world?.close());

/** How many flags are rendered, without the row above them. */
const rows = (page: ConsolePage) => page.page.$$eval('.list.flags > li', (all) => all.length - 1);
const scrolled = (page: ConsolePage) => page.page.evaluate('scrollY') as Promise<number>;

async function scrollTo(page: ConsolePage, top: number): Promise<void> {
  await page.page.evaluate(`scrollTo(0, ${top})`);
  await until(
    () => scrolled(page),
    (now) => now === top,
  );
}

describe('a list of 300 flags', () => {
  test('says how many it shows, and keeps its search in the address', async () => {
    const page = await many.open('flags');
    await page.says('300 flags', '.list-count');
    await page.write('Search flags', 'billing');
    await page.says('30 of 300 flags', '.list-count');
    await page.choose('State', 'off');
    await page.says('0 of 300 flags', '.list-count');
    await page.choose('State', 'on');
    await page.choose('Sort', 'sort by last change');
    expect(page.page.url()).toMatch(/\/flags\?q=billing&state=on&sort=changed$/);
    expect(await page.text('.list.flags > li:nth-child(2)')).toContain('billing-290');
    await page.page.reload();
    await page.says('30 of 300 flags', '.list-count');
    await page.click('Clear filters');
    await page.says(/^300 flags/, '.list-count');
    expect(page.page.url()).toMatch(/\/flags\?sort=changed$/);
    await page.close();
  });

  test('comes back with its search, and where it was scrolled to', async () => {
    const page = await many.open('flags?q=flag-');
    await page.says('270 of 300 flags', '.list-count');
    await scrollTo(page, 1_200);
    await page.click('flag-27', 'link');
    await page.says('flag-27', 'h1');
    expect(await scrolled(page)).toBe(0);
    const top = async (back: () => Promise<unknown>) => {
      await back();
      await page.says('270 of 300 flags', '.list-count');
      return until(() => scrolled(page));
    };
    const left = await top(() => page.page.goBack());
    expect(left).toBeGreaterThan(300);
    await page.click('flag-27', 'link');
    await page.says('flag-27', 'h1');
    expect(await top(() => page.click('← All flags'))).toBeGreaterThan(300);
    await page.close();
  });

  test('filters by tag, and says what each flag serves', async () => {
    const page = await many.open('flags');
    await page.click('Filter by tag billing');
    await page.says('30 of 300 flags', '.list-count');
    expect(await page.text('.list.flags > li:nth-child(2)')).toContain('1 user, else false');
    await page.click('Remove filter tag billing');
    await page.choose('Tag', 'billing');
    await page.says('30 of 300 flags', '.list-count');
    expect(page.page.url()).toContain('?tag=billing');
    await page.choose('Type', 'json');
    await page.says('No flag matches.');
    await page.close();
  });

  test('has its filters behind a button on a phone', async () => {
    const page = await many.open('flags', { width: 390 });
    await page.click('Filters');
    await page.choose('State', 'on');
    await page.says('30 of 300 flags', '.list-count');
    expect([await page.violations(), await page.overflow()]).toEqual([[], 0]);
    await page.page.keyboard.press('Escape');
    await page.hasFocus('Filters (1)');
    await page.close();
  });

  test('is searched by a key', async () => {
    const page = await many.open('flags');
    await page.says('300 flags', '.list-count');
    await page.page.keyboard.press('/');
    await page.hasFocus('Search flags');
    await page.page.keyboard.type('flag-2/');
    await page.says('0 of 300 flags', '.list-count');
    await page.close();
  });

  test('turns several flags off at once, seen before they are saved', async () => {
    const page = await many.open('flags?state=on&q=billing-1');
    await page.says('11 of 300 flags', '.list-count');
    await page.click('Select all 11');
    await page.click('Select billing-10');
    await page.says('10 selected');
    await page.click('Turn off');
    await page.says('billing-100', 'dialog .keys');
    await page.write('Reason (optional, kept in history)', 'incident');
    await page.click('Turn off 10 flags', 'button');
    await page.says('Turned off 10 flags');
    await page.says('1 of 300 flags', '.list-count');
    expect(await many.read('billing-100')).toMatchObject({ isEnabled: false });
    expect(await many.read('billing-10')).toMatchObject({ isEnabled: true });
    await page.choose('State', 'any state');
    await page.click('Select all 11');
    await page.click('Turn off');
    await page.says('Turn off 1 flag', 'dialog');
    await page.says('10 flags will not change.', 'dialog');
    await page.click('Cancel');
    await page.view('History');
    await page.says(/turned off flags billing-\d+, billing-\d+/, '.change');
    expect(await page.page.$eval('.change', (each) => each.querySelectorAll('table').length)).toBe(1);
    const [change] = await page.page.$$('.change');
    await (await change?.$('::-p-text(Undo)'))?.click();
    await page.says(/flags billing-\d+, billing-\d+/, 'dialog');
    expect(await page.page.$$eval('dialog table', (each) => each.length)).toBe(1);
    await page.close();
  });

  test('names a flag that somebody else changed meanwhile, and keeps it selected', async () => {
    const page = await many.open('flags?q=flag-20');
    await page.click('Select flag-201');
    await page.click('Select flag-202');
    await page.click('Add tag …');
    await page.write('Tag', 'checked');
    await page.says('flag-201', 'dialog .keys');
    await many.change('flag-202', { description: 'by another' });
    await page.click('Add tag “checked” to 2 flags', 'button');
    await page.says('Saved 1 flag. 1 flag not saved', '.announcements');
    await page.says('still selected: flag-202', '.announcements');
    await page.says('1 selected');
    expect(
      await page.page.$eval('[aria-label="Select flag-202"]', (box) => (box as never as { checked: boolean }).checked),
    ).toBe(true);
    expect(await many.read('flag-201')).toMatchObject({ tags: ['checked'] });
    expect(await many.read('flag-202')).toMatchObject({ tags: [], description: 'by another' });
    await page.close();
  });
});

describe('a list of 3,000 flags', () => {
  test('renders what is scrolled to', async () => {
    const page = await thousands.open('flags');
    await page.says('3000 flags', '.list-count');
    expect(await rows(page)).toBe(100);
    await page.page.evaluate('scrollTo(0, document.documentElement.scrollHeight)');
    await until(async () => (await rows(page)) > 100);
    expect(await rows(page)).toBeLessThan(500);
    await page.write('Search flags', 'flag-2999');
    await page.says('1 of 3000 flags', '.list-count');
    expect(await rows(page)).toBe(1);
    await page.close();
  });

  test('moves no row when the states in other environments arrive', async () => {
    const page = await thousands.open('overview');
    const asked: (() => Promise<void>)[] = [];
    await page.page.setRequestInterception(true);
    page.page.on('request', (request) => {
      if (request.url().endsWith('/elsewhere')) asked.push(() => request.continue());
      else void request.continue();
    });
    await page.view('Flags');
    await page.says('3000 flags', '.list-count');
    const top = () => page.page.$eval('.list.flags > li:nth-child(100)', (row) => row.getBoundingClientRect().top);
    const before = await top();
    for (const send of await until(
      () => asked,
      ({ length }) => length > 0,
    ))
      await send();
    await page.says('in many 300', '.list.flags');
    expect(await top()).toBe(before);
    await page.close();
  });

  test('edits 200 at most', async () => {
    const page = await thousands.open('flags?state=on');
    await page.click('Select all 300');
    await page.says('300 selected: select at most 200');
    expect(await page.page.$$eval('.draft-bar button:disabled', (all) => all.length)).toBe(5);
    await page.close();
  });

  test('is evaluated for a user as far as it is scrolled to', async () => {
    const page = await thousands.open('evaluate');
    await page.page.waitForSelector('.results > li');
    expect(await page.page.$$eval('.results > li', (all) => all.length)).toBe(100);
    await page.page.evaluate('scrollTo(0, document.documentElement.scrollHeight)');
    await until(() => page.page.$$eval('.results > li', (all) => all.length > 100));
    await page.close();
  });
});

describe('the first screen', () => {
  test('says that nothing needs attention, or what does, with a link', async () => {
    const page = await many.open('overview');
    await page.says('Nothing needs your attention.');
    await page.says('Checked just now');
    await many.change('flag-1', {
      rules: [
        {
          id: 'r',
          name: 'Old',
          dispatchKey: null,
          includedInExpt: false,
          variations: [{ id: 'on', rollout: [0, 1], exptRollout: 1 }],
          conditions: [{ property: 'User is in segment', op: null, value: '["gone"]' }],
        },
      ],
    });
    await page.click('Flag flag-1 refers to a segment that does not exist: gone', 'link');
    await page.says('flag-1', 'h1');
    await page.close();
  });

  test('links a firing alarm to CloudWatch', async () => {
    const page = await many.open('flags');
    const url =
      'https://eu-west-1.console.aws.amazon.com/cloudwatch/home?region=eu-west-1#alarmsV2:alarm/Flagwire-prod-http-5xx';
    const firing = [{ name: 'http-5xx', meaning: 'Requests failed. Look at the log.', url, since: 1e12 }];
    const attention = {
      at: Date.now(),
      alarms: { kind: 'read', value: { total: 10, firing } },
    };
    await page.page.setRequestInterception(true);
    page.page.on('request', (request) =>
      request.url().endsWith('/attention')
        ? request.respond({ contentType: 'application/json', body: JSON.stringify(attention) })
        : request.continue(),
    );
    await page.view('Overview');
    await page.says('Requests failed. Look at the log.');
    const link = await page.page.waitForSelector('::-p-aria(Alarm http-5xx[role="link"])');
    expect(await link?.evaluate((element) => [element.getAttribute('href'), element.getAttribute('target')])).toEqual([
      url,
      '_blank',
    ]);
    expect(await page.violations()).toEqual([]);
    await page.close();
  });

  test('is of the environment used last; production opens only where it was chosen', async () => {
    const page = await world.browser.open(world.address);
    await page.says('Overview', 'h1');
    const shown = () =>
      page.page.$eval('header select', (each) => (each as unknown as HTMLSelect).selectedOptions[0]?.text);
    const names = await page.page.$$eval('header select:first-of-type option', (all) =>
      all.map((each) => each.textContent),
    );
    expect(names.filter((name) => name?.startsWith('many'))).toEqual(['many 300', 'many 3000']);
    await page.choose('Environment', 'many 3000');
    await page.says(/300\s*on\s*2\.7k\s*off/);
    const other = await page.page.browserContext().newPage();
    await other.goto(world.address);
    await other.waitForFunction('document.querySelector("h1")?.innerText === "Overview"');
    await until(() => other.url().includes(thousands.id));
    expect(await shown()).toBe('many 3000');
    await page.close();
  });
});

/** A list of the page, which has types of its own. */
interface HTMLSelect {
  readonly selectedOptions: readonly { readonly text: string }[];
}

test('pages asked no other host for anything, and had no error', () => {
  expect([...world.browser.hosts].filter((host) => host !== '')).toEqual([new URL(world.address).host]);
  expect(world.browser.problems).toEqual([]);
});
