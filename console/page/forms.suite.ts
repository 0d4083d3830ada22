import { afterAll, afterEach, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { until } from '../../shared/testing/until.ts';
import type { ConsolePage } from './testing/consolePage.ts';
import { ConsoleWorld, ShownEnvironment } from './testing/consoleWorld.ts';
import { aFlag, aSegment } from './testing/documents.ts';

jest.setTimeout(120_000);

/** The environment that `npm start` imports. */
const BENCHMARK_ENV_ID = '226b9bf8-4af3-4ffa-9b01-162270e4cd40';

let world: ConsoleWorld;
let shop: ShownEnvironment;
beforeAll(async () => {
  world = await ConsoleWorld.open();
});
afterAll(() => world?.close());

/** Pastes a text into the field that has the focus, as the clipboard does. */
function paste(page: ConsolePage, text: string): Promise<unknown> {
  return page.page.evaluate(`{
    const clipboardData = new DataTransfer();
    clipboardData.setData('text', ${JSON.stringify(text)});
    document.activeElement.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }));
  }`);
}

const count = (page: ConsolePage, selector: string) => page.page.$$eval(selector, (all) => all.length);

describe('lists that are long', () => {
  beforeAll(async () => {
    shop = await world.makeShop('lists');
    const keyIds = Array.from({ length: 2_000 }, (_, n) => `user-${n}`);
    await shop.change('new-checkout', { targetUsers: [{ variationId: 'on', keyIds }] });
    for (let n = 0; n < 60; n++) {
      await world.store.documents.writeSegment(shop.id, `s${n}`, () => aSegment({ id: `s${n}`, name: `Segment ${n}` }));
    }
  });

  test('take a column that is pasted, and say what was added and what was there', async () => {
    const page = await shop.open('flags/new-checkout');
    await page.click('Add to users served false');
    await paste(page, 'bob\ncarl\ndave\nbob\n');
    await page.says('Added 3. Already listed: 1.', '.targets');
    await page.click('Save …');
    await page.says('bob, carl, dave', 'dialog');
    await page.close();
  });

  test('show 100 of 2,000 users, of which each is found and removed', async () => {
    const page = await shop.open('flags/new-checkout');
    await page.says('Showing 100 of 2,000.', '.targets');
    expect(await count(page, '.targets .chip')).toBe(100);
    await page.write('Search users served true', 'user-1999');
    await page.says('1 of 2,000 found.', '.targets');
    await page.click('Remove user-1999 from users served true');
    await page.says('1 unsaved change');
    await page.hasFocus('Add to users served true');
    await page.close();
  });

  test('offer 61 segments in natural order, and a search', async () => {
    const page = await shop.open('flags/new-checkout');
    await page.click('Edit rule Testers');
    const names = (await page.text('.segment-choice')).split('\n').filter(Boolean);
    expect(names.slice(0, 4)).toEqual(['Beta', 'Segment 0', 'Segment 1', 'Segment 2']);
    await page.write('Search segments', 'ment 59');
    await page.click('Segment 59', 'checkbox');
    await page.write('Search segments', 'nothing');
    expect((await page.text('.segment-choice')).split('\n').filter(Boolean)).toEqual(['Beta', 'Segment 59']);
    await page.close();
  });
});

describe('an edit', () => {
  let page: ConsolePage;
  beforeAll(async () => {
    shop = await world.makeShop('edits');
  });
  afterEach(() => page?.close());

  test('shows what is wrong with a condition next to it', async () => {
    page = await shop.open('flags/new-checkout');
    await page.click('Edit rule Adults');
    await page.click('Add condition');
    await page.write('Attribute of condition 2', 'score');
    await page.choose('Operator of condition 2', '<');
    await page.write('Value of condition 2', 'high');
    await page.click('Add to draft');
    await page.says('"score < high" would never match: "high" is not a number', '.condition:nth-of-type(2)');
    await page.hasFocus('Value of condition 2');
    expect(await count(page, '.condition .problem')).toBe(1);
    await page.write('Value of condition 2', '3');
    await page.click('Add to draft');
    await page.says('and score < 3', '.rules');
  });

  test('keeps the focus with a rule that it moves to an end', async () => {
    page = await shop.open('flags/new-checkout');
    await page.click('Move Testers down');
    await page.hasFocus('Move Testers up');
    await page.page.keyboard.press('Enter');
    await page.hasFocus('Move Testers down');
    await page.click('Remove rule Testers');
    await page.hasFocus('Add rule');
  });

  test('takes typed list text with the click on the review, though that click moves it', async () => {
    page = await shop.open('flags/new-checkout?settings');
    await page.write('Description', 'a draft');
    await page.says('1 unsaved change');
    await page.click('Add to tags');
    await page.page.keyboard.type('typed-only');
    await page.page.evaluate('scrollTo(0, document.body.scrollHeight)');
    await page.page.locator('.draft-bar .primary').click();
    await page.says('typed-only', 'dialog');
    await page.click('Cancel');
    await page.hasFocus('Save …');
    await page.says('2 unsaved changes');
  });

  test('shows one message while percentages do not sum to 100 %', async () => {
    page = await shop.open('flags/new-checkout');
    await page.click('Edit the default rule');
    await page.write('Percentage of true', '60');
    await page.write('Percentage of false', '30');
    await page.click('Add to draft');
    await page.hasFocus('Percentage of true');
    await page.says('The percentages sum to 90 %. They must sum to 100 %.', '.problem');
    expect(await count(page, '.problem')).toBe(1);
    await page.write('Percentage of false', '40');
    await until(async () => (await count(page, '.problem')) === 0);
    await page.click('Add to draft');
    await page.says('1 unsaved change');
    await page.click('Edit rule Adults');
    await page.choose('Then serve', 'Percentage rollout …');
    await page.write('Percentage of true', '12.345');
    await page.click('Add to draft');
    await page.hasFocus('Percentage of true');
    await page.says('Enter percentages with at most two decimals', '.problem');
    expect(await count(page, '.problem')).toBe(1);
  });

  test('is discarded only after its changes were shown', async () => {
    page = await shop.open('flags/new-checkout?settings');
    await page.write('Description', 'a draft');
    await page.click('Discard');
    await page.says('Discard changes to new-checkout?', 'dialog');
    await page.says('a draft', 'dialog');
    await page.click('Cancel');
    await page.says('1 unsaved change');
    await page.click('Discard');
    await page.click('Discard changes');
    await page.says('Discarded the changes to new-checkout.');
    expect(await count(page, '.draft-bar')).toBe(0);
  });

  test('forgets a taken key once the key of a new flag is changed', async () => {
    page = await shop.open('flags');
    await page.click('New flag');
    await page.write('Key', 'new-checkout');
    await page.says('A flag with this key already exists.', 'dialog .problem');
    await page.write('Key', 'banner');
    await until(async () => !(await page.text('dialog')).includes('already exists'));
    await page.says('You cannot change the type later.', 'dialog');
    await page.choose('Type', 'json');
    await page.click('Create flag');
    await page.says('Add at least two variations, each with a value.', 'dialog');
    await page.write('Value of variation 1', '{"color":');
    await page.says('Not valid JSON, for example', 'dialog');
    await page.write('Value of variation 1', '{"color":"red"}');
    await page.write('Value of variation 2', '{}');
    await page.says('everybody gets Variation 2. Turned on, everybody gets Variation 1.', 'dialog');
    await page.click('Create flag');
    await page.says('banner', 'h1');
    expect((await shop.read('banner'))?.variations.map(({ name }) => name)).toEqual(['Variation 1', 'Variation 2']);
  });

  test.each([
    [
      'flags',
      'New flag',
      'Key',
      'has space!',
      'Use letters, digits, dots, underscores or hyphens; at most 128 characters.',
    ],
    ['segments', 'New segment', 'Name', 'Beta', 'A segment with this name already exists.'],
  ])(
    'shows in %s what is wrong with a name under its field while it is typed',
    async (place, button, label, text, message) => {
      page = await shop.open(place);
      await page.click(button);
      await page.write(label, text);
      await page.says(message, 'dialog .field .problem');
      const [isInvalid, about] = (await page.page.evaluate(`{
      const field = document.querySelector('dialog [aria-invalid=true]');
      [field.ariaInvalid, document.getElementById(field.getAttribute('aria-describedby')).innerText];
    }`)) as [string, string];
      expect([isInvalid, about]).toEqual(['true', expect.stringContaining(message)]);
      expect(await page.page.$eval('dialog [type=submit]', (each) => each.hasAttribute('disabled'))).toBe(true);
    },
  );

  test('is announced as saved without covering what ends the page', async () => {
    page = await shop.open('flags/new-checkout?settings');
    await page.write('Name', 'Announced');
    await page.click('Save …');
    await page.click('Save');
    await page.says('Saved new-checkout', '.announcements');
    for (const view of ['Segments', 'Evaluate', 'Keys']) {
      await page.view(view);
      await page.page.evaluate('scrollTo(0, document.body.scrollHeight)');
      expect([view, await page.page.evaluate(COVERED)]).toEqual([view, []]);
    }
  });
});

/** What can be used of a view and lies below what is announced. */
const COVERED = `{
  const said = document.querySelector('.announcements').getBoundingClientRect();
  const isBelow = ({ left, right, top, bottom }) =>
    left < said.right && right > said.left && top < said.bottom && bottom > said.top;
  [...document.querySelectorAll('main :is(input, select, textarea, button, a), nav a')]
    .filter((each) => isBelow(each.getBoundingClientRect()))
    .map((each) => each.outerHTML);
}`;

describe('the history', () => {
  beforeAll(async () => {
    shop = await world.makeShop('history');
    await shop.change('new-checkout', { isEnabled: true });
    await world.store.documents.writeFlag(shop.id, 'other', () => aFlag({ key: 'other' }));
  });

  test('shows each change with its time, and filters by person, document, action and day', async () => {
    const page = await shop.open('history');
    const changes = () => count(page, '.change');
    await page.says('created flag other', '.history');
    await page.says('turned on flag new-checkout', '.history');
    await page.says(/^(today|yesterday) \d\d:\d\d$/, '.history time');
    expect(await changes()).toBe(3);
    await page.choose('Change', 'turned on');
    await until(async () => (await changes()) === 1);
    await page.choose('Change', 'any');
    await until(async () => (await changes()) === 3);
    const enter = async (label: string, text: string) => {
      await page.click(label);
      await page.typeInPlace(text);
      await page.page.keyboard.press('Enter');
    };
    await enter('Flag or segment', 'Beta');
    await until(async () => (await changes()) === 1);
    await enter('Flag or segment', 'nothing');
    await page.says('No flag or segment is called “nothing”.');
    await enter('Flag or segment', '');
    await enter('Person', 'nobody-of-this-name');
    await page.says('No changes found.');
    await page.close();
  });

  test('says how documents came that are older than their environment', async () => {
    const page = await new ShownEnvironment(world, BENCHMARK_ENV_ID).open('flags/returns-true');
    await page.says(/created by .+ (just now|seconds ago|\d+ minutes? ago)/, '.serving');
    await page.view('Flags');
    await page.says(/returns-true[\s\S]*created/, '.list');
    expect(await page.text('.list')).not.toMatch(/years ago|imported/);
    await page.close();
  });

  test('says what was done last to a flag and to a segment', async () => {
    const page = await shop.open('flags/new-checkout');
    await page.says(/turned on by .+ (just now|seconds ago)/, '.serving');
    await page.page.goto(shop.at('segments/beta-id'));
    await page.says(/created by .+ (just now|seconds ago)/, '.lead');
    await page.close();
  });

  test('shows times in one form in the browser’s time zone, like the time to evaluate at', async () => {
    const page = await shop.open('history');
    await page.page.emulateTimezone('Asia/Tokyo');
    await page.page.reload();
    await page.says(/\d\d:\d\d/, '.history time');
    const at = await page.page.$eval('.history time', (each) => each.dateTime);
    const inTokyo = new Date(at).toLocaleTimeString('en-GB', { timeZone: 'Asia/Tokyo', timeStyle: 'short' });
    await page.says(new RegExp(`^(today|tomorrow|yesterday) ${inTokyo}$`), '.history time');
    await page.view('Evaluate');
    await page.write('At (local time, optional)', at.slice(0, 16));
    const title = await page.page.$eval('input[type="datetime-local"]', (each) => each.title);
    expect(Date.parse(at) - Date.parse(title)).toBeGreaterThan(8 * 3_600_000);
    await page.close();
  });
});

test('shows events and connections from before the page was opened', async () => {
  shop = await world.makeShop('live');
  const early = await shop.connectSdk('ann');
  const late = await shop.open('live');
  await late.says('sync ann', '.events');
  await late.says(/client SDK: a browser\s+ann/, '.connection-table');
  await late.close();
  await early.close();
});

test('pages had no error', () => expect(world.browser.problems).toEqual([]));
