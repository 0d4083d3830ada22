import { CloudWatchClient, SetAlarmStateCommand } from '@aws-sdk/client-cloudwatch';
import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import { takePicture } from '../../dev/support/tools/browser.ts';
import { until } from '../../shared/testing/until.ts';
import { localTime } from './logic/plans.ts';
import type { ConsolePage } from './testing/consolePage.ts';
import { ConsoleWorld, type ShownEnvironment } from './testing/consoleWorld.ts';

jest.setTimeout(120_000);

let world: ConsoleWorld;
let shop: ShownEnvironment;
let alarms: CloudWatchClient;
beforeAll(async () => {
  world = await ConsoleWorld.open();
  shop = await world.makeShop('plans');
  alarms = new CloudWatchClient();
});
afterAll(async () => {
  alarms?.destroy();
  await world?.close();
});

let guarded: ShownEnvironment;
const GUARDS = 'Guards (optional)';
const WATCH = 'Watch the last step for (optional)';
const plans = () => world.store.plans.list(shop.id, 'all');
const soundOf = async (page: ConsolePage) => [await page.violations(), await page.overflow()];
/** Whether a button is disabled, and why. */
const refusalOf = (page: ConsolePage, name: string) =>
  page.page.$eval(`aria/${name}[role="button"]`, (each) => [
    each.hasAttribute('disabled'),
    each.getAttribute('title') ?? '',
  ]);
const REFUSED = [true, 'A plan is open. Abort it, or wait for its end.'];
const timeline = '.timeline';
const PLAN = 'section:has(.timeline)';
const setAlarm = (AlarmName: string, StateValue: 'OK' | 'ALARM') =>
  alarms.send(new SetAlarmStateCommand({ AlarmName, StateValue, StateReason: 'test' }));

/** Writes a picture of a part of the page, for the documentation. */
async function picture(page: ConsolePage, name: string, selector: string): Promise<void> {
  await page.page.setViewport({ width: 640, height: 1_000 });
  await takePicture(await page.page.waitForSelector(selector), name);
  await page.page.setViewport({ width: 390, height: 900 });
}

test('a gradual rollout is previewed, created, and shown with its steps', async () => {
  const page = await shop.open('flags/new-checkout', { width: 390 });
  await page.click('Gradual rollout …');
  // 10 % have it already, so the first step of the form is 50 %.
  await page.says('true 50 %, false 50 %', 'dialog');
  await page.write('Percentage of step 1', '5');
  await page.says('5 % is too small: 10 % of the users have true already', 'dialog');
  expect(await page.page.$eval('dialog [type=submit]', (each) => each.hasAttribute('disabled'))).toBe(true);
  expect(await soundOf(page)).toEqual([[], 0]);
  await page.write('Percentage of step 1', '20');
  await page.write('Time of step 1', localTime(Date.now() - 3_600_000));
  await page.says('is in the past', 'dialog');
  await page.choose('Start', 'now');
  await page.write('Percentage of step 2', '60');
  await page.click('Add step');
  await page.click('Add step');
  await page.click('Remove step 4');
  await page.hasFocus('Add step');
  await page.write('Reason (optional, kept in history)', 'launch');
  await page.click('Create plan');
  await page.says('Plan: running');
  await page.says('Next: step 2 of 3');
  await page.says('true 20 %, false 80 % → true 60 %, false 40 %', timeline);
  await page.says('launch');
  for (const name of ['Gradual rollout …', 'Gradual rollout … of rule Testers']) {
    expect(await refusalOf(page, name)).toEqual(REFUSED);
  }
  await page.click('Toggle new-checkout');
  await page.says('This pauses the plan (next: step 2 of 3).', 'dialog');
  expect(await refusalOf(page, 'Schedule …')).toEqual(REFUSED);
  expect(await soundOf(page)).toEqual([[], 0]);
  await page.click('Cancel');
  await picture(page, 'console-plan', PLAN);
  expect(await soundOf(page)).toEqual([[], 0]);
  expect((await shop.read('new-checkout'))?.fallthrough.variations[0]?.rollout).toEqual([0, 0.2]);
  await page.close();
});

test('a manual edit pauses it; it is resumed, skipped and aborted, by keyboard too', async () => {
  await shop.change('new-checkout', { description: 'edited' });
  const page = await shop.open('overview');
  await page.says('The plan of flag new-checkout is paused');
  await page.says('Resume the plan, skip its next step, or abort it.');
  await page.click('The plan of flag new-checkout is paused', 'link');
  await page.says(/changed the flag today \d\d:\d\d\./, '.notice.warning');
  expect(await soundOf(page)).toEqual([[], 0]);
  await page.page.evaluate('document.activeElement.blur()');
  await page.tabTo('Resume');
  await page.page.keyboard.press('Enter');
  await page.says('A step whose time has passed follows within minutes.', 'dialog');
  await page.tabTo('Resume the plan');
  await page.page.keyboard.press('Enter');
  await page.says('Plan: running');
  await page.click('Skip next step');
  await page.click('Skip the next step', 'button');
  await page.says('skipped by', timeline);
  await page.says('Next: step 3 of 3');
  await page.click('Abort');
  await page.click('Abort the plan', 'button');
  await page.says('Last plan: aborted by');
  await until(async () => !(await refusalOf(page, 'Gradual rollout …'))[0]);
  expect((await plans()).map(({ state }) => state.kind)).toEqual(['aborted']);
  await page.close();
});

test('a rule grows in steps, and its plan stops when it is removed', async () => {
  const grown = await world.makeShop('grown');
  const page = await grown.open('flags/new-checkout', { width: 390 });
  await page.click('Gradual rollout … of rule Testers');
  await page.says('Gradual rollout of rule “Testers”', 'dialog');
  await page.says('false 10 %, true 90 %', 'dialog');
  expect(await soundOf(page)).toEqual([[], 0]);
  await page.click('Create plan');
  await page.says('Rule “Testers”: true 100 % → false 10 %, true 90 %', timeline);
  const rules = (await grown.read('new-checkout'))?.rules ?? [];
  expect(rules[0]?.variations.map(({ id }) => id)).toEqual(['off', 'on']);
  await grown.change('new-checkout', { rules: rules.slice(1) });
  await page.says(/changed the flag today .*, and the rule of the plan was removed/);
  await page.click('Resume');
  await page.click('Resume the plan', 'button');
  await page.says('undo the removal in the history', 'dialog');
  await page.close();
});

test('an edit is scheduled instead of saved', async () => {
  const page = await shop.open('flags/new-checkout?settings');
  await page.write('Description', 'later');
  await page.click('Save …');
  await page.click('Schedule …');
  await page.says(/Changes to(day|morrow) \d\d:\d\d/, 'dialog');
  await page.click('Back', 'button');
  await page.lacks('Changes to', 'dialog');
  await page.click('Schedule …');
  expect(await soundOf(page)).toEqual([[], 0]);
  await page.write('Time (local)', '2020-01-01T09:00');
  await page.click('Schedule');
  await page.says('is in the past', 'dialog');
  const year = new Date().getFullYear() + 1;
  await page.write('Time (local)', `${year}-01-31T09:00`);
  await page.click('Schedule');
  await page.says('Scheduled for');
  await page.tab('Targeting');
  await page.says('Plan: running');
  await page.says(/Description: .*later/, timeline);
  expect(await page.text('.draft-bar')).toBe('');
  await page.view('Overview');
  await page.says('Planned changes');
  expect((await shop.read('new-checkout'))?.description).toBe('edited');
  const [, planned] = await plans();
  expect(planned?.steps[0]?.at).toBe(new Date(`${year}-01-31T09:00`).getTime());
  await page.close();
});

test('says after a manual change that it has paused a plan, with a way to resume it', async () => {
  const page = await shop.open('flags');
  await page.click('Toggle new-checkout');
  await page.says('This pauses the plan (next: step 1 of 1).', 'dialog');
  await page.click('Turn on');
  await page.says('A plan is paused: resume it', '.announcements');
  await page.click('A plan is paused: resume it', 'link');
  await page.says('Plan: paused');
  await page.click('Resume');
  await page.click('Resume the plan', 'button');
  await page.says('Plan: running');
  await page.close();
});

test('a change of a segment is scheduled, and shown on its page', async () => {
  const page = await shop.open('segments/beta-id');
  await page.write('Description', 'later');
  await page.click('Save …');
  await page.click('Schedule …');
  await page.click('Schedule');
  await page.says('Plan: running');
  await until(async () => (await plans()).some(({ kind }) => kind === 'segment'));
  await page.write('Description', 'now');
  await page.click('Save …');
  await page.says('This pauses the plan (next: step 1 of 1).', 'dialog');
  expect(await refusalOf(page, 'Schedule …')).toEqual(REFUSED);
  await page.close();
});

test('an alarm guards a rollout; what is wrong with it is shown at its field', async () => {
  guarded = await world.makeShop('guarded');
  await guarded.change('new-checkout', { isEnabled: true });
  await setAlarm('payment-errors', 'ALARM');
  await setAlarm('checkout-errors', 'OK');
  const page = await guarded.open('flags/new-checkout', { width: 390 });
  await page.click('Gradual rollout …');
  await page.choose('Start', 'now');
  await page.write('Time of step 2', localTime(Date.now() + 3_600_000));
  const about = async (message: string) => {
    await page.click('Create plan');
    await page.says(message, 'dialog .field:has(textarea)');
    await page.hasFocus(GUARDS);
  };
  await page.write(GUARDS, 'none');
  await about('There is no CloudWatch alarm "none"');
  expect(await soundOf(page)).toEqual([[], 0]);
  await page.write(GUARDS, 'payment-errors');
  await about('Guard "payment-errors" is in ALARM; wait until it is OK');
  await page.write(GUARDS, 'checkout-errors');
  await page.write(WATCH, 'soon');
  await page.says('"soon" is not a duration; write 30s, 30m, 2h or 1d', 'dialog');
  expect(await page.page.$eval('dialog [type=submit]', (each) => each.hasAttribute('disabled'))).toBe(true);
  await page.write(WATCH, '1d');
  expect(await soundOf(page)).toEqual([[], 0]);
  await picture(page, 'console-guard', 'dialog');
  await page.click('Create plan');
  await page.says('Guards: checkout-errors');
  await page.says('end of the watch', timeline);
  await page.close();
});

test('shows what a guard undid, and resumes the plan after the alarm', async () => {
  const page = await guarded.open('flags/new-checkout', { width: 390 });
  await page.says('Plan: running');
  await setAlarm('checkout-errors', 'ALARM');
  await page.says('guard "checkout-errors" is in ALARM; the applied steps were undone');
  await page.says('Wait until the alarm is OK.');
  await page.says('undone', timeline);
  expect(await soundOf(page)).toEqual([[], 0]);
  await picture(page, 'console-guard-fired', PLAN);
  await page.view('Overview');
  await page.says('The plan of flag new-checkout is paused');
  await page.click('The plan of flag new-checkout is paused', 'link');
  await page.click('Resume');
  await page.click('Resume the plan', 'button');
  await page.says('Guard "checkout-errors" is in ALARM; wait until it is OK', 'dialog');
  await setAlarm('checkout-errors', 'OK');
  await page.click('Resume the plan', 'button');
  await page.says('Plan: running');
  await page.close();
});

test('a guard watches the last step, and undoes no manual edit', async () => {
  await setAlarm('late-errors', 'OK');
  const watched = await world.makeShop('watched');
  const page = await watched.open('flags/new-checkout');
  await page.click('Gradual rollout …');
  await page.choose('Start', 'now');
  await page.click('Remove step 2');
  await page.write(GUARDS, 'late-errors');
  await page.write(WATCH, '2h');
  await page.click('Create plan');
  await page.says('Watching until');
  await watched.change('new-checkout', { description: 'edited' });
  await setAlarm('late-errors', 'ALARM');
  const isFired = async () => (await world.store.plans.list(watched.id)).some(({ state }) => 'guard' in state);
  await until(isFired);
  // The flag has no new version, so the page would ask again only later.
  await page.page.reload();
  await page.says(/is in ALARM; nothing was undone, because .* changed the flag/);
  await page.close();
});

test('an alarm guards a scheduled edit', async () => {
  await setAlarm('errors', 'OK');
  const scheduled = await world.makeShop('scheduled');
  const page = await scheduled.open('flags/new-checkout?settings');
  await page.write('Description', 'later');
  await page.click('Save …');
  await page.click('Schedule …');
  await page.write(GUARDS, 'none');
  await page.click('Schedule');
  await page.says('There is no CloudWatch alarm "none"', 'dialog .field:has(textarea)');
  await page.write(GUARDS, 'errors');
  expect(await soundOf(page)).toEqual([[], 0]);
  await page.click('Schedule');
  await page.says('Scheduled for');
  await page.tab('Targeting');
  await page.says('Guards: errors');
  await page.menu('Archive');
  await page.says('Its plan ends with it, with 1 step left.', 'dialog');
  await page.lacks('pauses the plan', 'dialog');
  expect(await page.violations()).toEqual([]);
  await page.click('Archive', 'button');
  await page.says('Last plan: aborted by');
  await page.close();
});

test('a required reason is asked for, also for plans', async () => {
  const page = await shop.open('settings');
  await page.click('Edit the environment');
  await page.click('Require a reason for each change of a flag or segment', 'checkbox');
  await page.click('Save environment');
  await page.says('yes, for each change of a flag or segment');
  await page.page.goto(shop.at('flags/new-checkout'));
  await page.click('Abort');
  await page.click('Abort the plan', 'button');
  await page.says('Last plan: aborted by');
  await page.click('Gradual rollout …');
  const isDisabled = () => page.page.$eval('dialog [type=submit]', (each) => each.hasAttribute('disabled'));
  await page.page.waitForSelector('dialog [type=submit]');
  expect(await isDisabled()).toBe(true);
  await page.write('Reason (required, kept in history)', 'launch');
  await until(async () => !(await isDisabled()));
  await page.click('Cancel');
  await page.close();
});

test('pages had no error', () => {
  expect(world.browser.problems.filter((problem) => !problem.includes('status of 4'))).toEqual([]);
});
