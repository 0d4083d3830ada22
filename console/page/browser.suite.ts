import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { until } from '../../shared/testing/until.ts';
import type { ConsolePage } from './testing/consolePage.ts';
import { ConsoleWorld, ShownEnvironment } from './testing/consoleWorld.ts';

jest.setTimeout(120_000);

let world: ConsoleWorld;
let shop: ShownEnvironment;
beforeAll(async () => {
  world = await ConsoleWorld.open();
});
afterAll(() => world?.close());

describe('a new user, by the page alone', () => {
  let page: ConsolePage;
  beforeAll(async () => {
    page = await world.browser.open(world.address);
  });
  afterAll(() => page.close());

  test('makes an environment, and is shown its keys once', async () => {
    await page.choose('Environment', 'New environment …');
    await page.write('Name', 'shop');
    await page.click('Create environment', 'button');
    await page.says('New keys', 'dialog');
    expect(await page.text('dialog')).toMatch(/client.*[\w-]{44}/s);
    await page.click('Done');
    await page.says('Three steps to your first flag');
    await page.says('You are in shop', '.steps');
    shop = new ShownEnvironment(world, /#\/([^/]+)/.exec(page.page.url())?.[1] ?? '');
  });

  test('makes a flag, which begins off', async () => {
    await page.click('Create your own');
    await page.write('Name', 'New checkout');
    await page.says('The flag starts off: everybody gets false. Turned on, everybody gets true.', 'dialog');
    await page.write('Tags', 'checkout, web');
    await page.click('Create flag');
    await page.says('New checkout', 'h1');
    await page.says('Created new-checkout', '.announcements');
    await page.says('Serving false (off) · ', 'main');
    expect(await shop.read('new-checkout')).toMatchObject({
      name: 'New checkout',
      isEnabled: false,
      variationType: 'boolean',
      tags: ['checkout', 'web'],
    });
  });

  test('makes a segment with a user and a rule', async () => {
    await page.view('Segments');
    await page.click('New segment');
    await page.write('Name', 'Beta');
    await page.click('Create segment');
    await page.says('Beta', 'h1');
    await page.write('Add to included users', 'ann');
    await page.page.keyboard.press('Enter');
    await page.click('Add rule');
    await page.write('Attribute of condition 1', 'email');
    await page.choose('Operator of condition 1', 'ends-with');
    await page.write('Value of condition 1', '@acme.com');
    await page.click('Save …');
    await page.says('email ends-with @acme.com', 'dialog');
    await page.click('Save');
    await page.says('Saved Beta');
  });

  test('gives the flag two rules and a rollout, all of it seen before it is saved', async () => {
    await page.view('Flags');
    await page.click('New checkout', 'link');
    await page.click('Add rule');
    await page.write('Rule name', 'Testers');
    await page.choose('Operator of condition 1', 'in segment');
    await page.click('Beta', 'checkbox');
    await page.click('Add to draft');
    await page.click('Add rule');
    await page.write('Rule name', 'Adults');
    await page.write('Attribute of condition 1', 'age');
    await page.choose('Operator of condition 1', '>=');
    await page.write('Value of condition 1', 'old');
    await page.click('Add to draft');
    await page.says('"age >= old" would never match: "old" is not a number', '.condition');
    await page.hasFocus('Value of condition 1');
    await page.write('Value of condition 1', '18');
    await page.click('Add to draft');
    await page.click('Edit the default rule');
    await page.choose('Serve', 'Percentage rollout …');
    await page.write('Percentage of true', '10');
    await page.says(/true 10 %\s*false 90 %/, '.rollout-fields');
    await page.click('Add to draft');
    await page.says('3 unsaved changes');
    expect((await shop.read('new-checkout'))?.rules).toEqual([]);
    await page.click('Save …');
    await page.says(/In \S+\./, 'dialog');
    for (const line of ['in segment Beta → true', 'age >= 18 → true', 'true 10 %, false 90 %']) {
      await page.says(line, 'dialog');
    }
    await page.write('Reason (optional, kept in history)', 'first customers');
    await page.click('Save');
    await page.says('Saved new-checkout');
    await page.says(/Serving false [(]off[)] · .*changed by \S+ /, '.serving');
    expect((await shop.read('new-checkout'))?.rules).toMatchObject([
      { name: 'Testers', conditions: [{ property: 'User is in segment' }] },
      { name: 'Adults', conditions: [{ property: 'age', op: 'BiggerEqualThan', value: '18' }] },
    ]);
    expect((await shop.read('new-checkout'))?.fallthrough.variations).toMatchObject([
      { rollout: [0, 0.1] },
      { rollout: [0.1, 1] },
    ]);
  });

  test('turns the flag on for a connected SDK', async () => {
    await shop.connectSdk('ann');
    await page.click('Toggle new-checkout');
    await page.says('off', 'dialog');
    await page.click('Turn on');
    await page.says(/Turned on new-checkout · live on 1 of 1 SDK( in [\d.]+ m?s)? · Undo/, '.announcements');
  });

  test('sees who connected, and whom the change reached', async () => {
    await page.view('Live');
    await page.says('push new-checkout to 1 in', '.events');
    await page.says('client SDK', '.events');
    expect(await page.text('.events')).toContain('sync ann');
    await page.click('Pause');
    await page.says('Resume (0 missed)');
    await page.says(/client SDK: a browser\s+ann/, '.connection-table');
  });

  test('evaluates users, and sees why: the segment, the rule, the share', async () => {
    await page.view('Evaluate');
    const answer = async (keyId: string) => {
      await page.write('User key (keyId)', keyId);
      await page.page.$eval('.results details', (each) => each.setAttribute('open', ''));
      return page.text('.results');
    };
    expect(await answer('ann')).toContain('rule 1 "Testers" matches: in segment Beta (Beta includes the user)');
    expect(await answer('carl')).toMatch(/keyId "carl" is at [\d.]+ % of the users, between 10 % and 100 %/);
    await page.click('Add attribute');
    await page.write('Name of attribute 1', 'age');
    await page.write('Value of attribute 1', '30');
    await page.says('rule 2 "Adults" matches: age >= 18 (age is "30")', '.results');
  });

  test('evaluates users as in the past, and sees of which version', async () => {
    await page.view('Evaluate');
    await page.write('User key (keyId)', 'ann');
    const local = (ms: number) => new Date(ms - new Date(ms).getTimezoneOffset() * 60_000).toISOString().slice(0, 19);
    const field = await page.page.waitForSelector('input[type=datetime-local]');
    const setTime = (time: string) =>
      field?.evaluate((element, value) => {
        Object.assign(element, { value });
        element.dispatchEvent(new Event('input', { bubbles: true }));
      }, time);
    await setTime(local(Date.now()));
    await page.says('Evaluated with the version of', 'main');
    await page.says('new-checkout', '.results');
    await setTime('2020-01-01T00:00:00');
    await page.says('The time is before the first change.', 'main');
    await page.says('No flag matches.', 'main');
    await setTime('2100-01-01T00:00:00');
    await page.says('the time is in the future', 'main');
    expect(world.browser.problems.splice(0)).toEqual([expect.stringContaining('404 (Not Found)')]);
    await setTime('');
    await page.says('new-checkout', '.results');
  });

  test('sees who did it, and takes it back', async () => {
    await page.view('History');
    await page.says('console — first customers', '.history');
    await page.says('turned on flag new-checkout', '.history');
    await page.says(/live on \d+ of \d+ SDK/, '.history');
    const [flip] = await page.page.$$('.change');
    expect(await flip?.evaluate((each) => each.textContent)).toMatch(/you.*turned on flag new-checkout.*Switchoffon/s);
    await (await flip?.$('::-p-text(Undo)'))?.click();
    await page.says(/Switch\s*on\s*off/, 'dialog');
    await page.write('Reason (optional, kept in history)', 'too early');
    await page.click('Undo', 'button');
    await until(async () => (await shop.read('new-checkout'))?.isEnabled === false);
    await page.says(/undid the change of \S+ \d\d:\d\d — too early/, '.history');
    await page.view('Flags');
    await page.says('off', '.list');
  });

  test('sees an estimate of the cost with enough data, or with entered numbers', async () => {
    await page.view('Cost');
    await page.says('Estimate: a month on AWS');
    await page.says(/Provisional: the live figures are from \d of 10 minutes/);
    await page.write('Peak connections', '10');
    await page.write('New connections an hour', '5');
    await page.write('Changes a day', '2');
    await page.says(/serverless — \$\d+\/month/);
    await page.says(/serverless\s*yes\s*\$[\d.]+\s*\$[\d.]+ – \$[\d.]+/);
  });
});

describe('two at once', () => {
  beforeAll(async () => {
    shop = await world.makeShop('two');
  });

  test('shows what the other person saved, and reapplies an edit to it', async () => {
    const page = await shop.open('flags/new-checkout');
    await page.click('Toggle new-checkout');
    await page.says('off', 'dialog');
    await shop.change('new-checkout', { description: 'by another' });
    await page.click('Turn on');
    await page.says('Someone else changed this flag', 'dialog');
    await page.says(/Description.*by another/s, 'dialog');
    // The browser writes down what was answered.
    expect(world.browser.problems.splice(0)).toEqual([expect.stringContaining('409 (Conflict)')]);
    expect(await shop.read('new-checkout')).toMatchObject({ isEnabled: false, description: 'by another' });
    await page.click('Reapply my changes');
    await page.says(/Switch\s*off\s*on/, 'dialog');
    await page.click('Turn on');
    await page.says('Turned on new-checkout');
    await page.says('Serving false for 1 user, true for Testers and Adults, else true 10 %, false 90 % · ', '.serving');
    expect(await shop.read('new-checkout')).toMatchObject({ isEnabled: true, description: 'by another' });
    await page.close();
  });

  test('a change that comes while somebody edits is noticed before it is saved', async () => {
    const page = await shop.open('flags/new-checkout?settings');
    await page.write('Name', 'Checkout');
    await page.says('1 unsaved change');
    await shop.change('new-checkout', { name: 'New checkout' });
    await page.says('someone else changed it in the meantime');
    await page.click('Save …');
    await page.click('Reapply my changes');
    await page.says('You both changed: name', 'dialog');
    await page.says(/Name\s*New checkout\s*Checkout/, 'dialog');
    await page.click('Cancel');
    expect((await shop.read('new-checkout'))?.name).toBe('New checkout');
    await page.close();
  });
});

test('pages asked no other host for anything, and had no error', () => {
  expect([...world.browser.hosts].filter((host) => host !== '')).toEqual([new URL(world.address).host]);
  expect(world.browser.problems).toEqual([]);
});
