import { expect, jest, test } from '@jest/globals';
import { LOOKS, OTHER_NAME, takePicture } from '../../dev/support/tools/browser.ts';
import { store } from '../../shared/store/testing/testStore.ts';
import { until } from '../../shared/testing/until.ts';
import { PAGE_PATH } from '../api.ts';
import { SignInWorld } from './testing/signInWorld.ts';

jest.setTimeout(120_000);
const world = SignInWorld.use();

test('a person signs in, and returns to the view', async () => {
  await world.openAs('readers', 'history');
  await world.page.says('History', 'h1');
  expect(world.page.page.url()).toBe(world.at('history'));
  expect(await world.page.page.evaluate('document.cookie')).toBe('');
  expect(await world.page.page.evaluate('document.querySelector(".top i, .top b")')).toBeNull();
});

test.each(['%0A', '%E2%82%AC', '%E0%A4%A', '%'])('a link with the token %s changes nothing', async (given) => {
  await world.open(`${world.origin}${PAGE_PATH}#token=${given}`);
  await world.showsSignIn();
  expect(await world.page.page.evaluate('location.hash + Object.keys(sessionStorage)')).not.toContain('token');
});

test.each([
  ['readers', true],
  ['web team', false],
  ['admins', false],
])('a member of %s sees whether the environment is read-only: %s', async (group, isReadOnly) => {
  await world.openAs(group);
  await world.page.says('new-checkout', 'main');
  expect((await world.page.text('main')).includes('You can view <b>shop</b>.')).toBe(isReadOnly);
});

test('a change shows its verified author', async () => {
  await world.openAs('web team', 'flags/new-checkout');
  await world.page.click('Toggle new-checkout');
  await world.page.click('Turn on');
  await world.page.view('History');
  await world.page.says('verified', 'main');
});

test('a person without access sees the groups, and can sign out', async () => {
  world.issuer.person = { sub: 'ann', groups: ['<script>', 'Readers'] };
  await world.open('flags');
  await world.page.click('Sign in', 'button');
  await world.page.says('The token has these groups: "<script>", "Readers".');
  await world.signOut();
});

test('after a sign-out, the way back shows no flags', async () => {
  await world.openAs('readers');
  await world.page.says('new-checkout', 'main');
  await world.signOut();
  await world.page.page.goBack();
  await world.showsSignIn();
  await world.page.lacks('new-checkout');
});

test('another site can neither frame the page nor send a form', async () => {
  await world.openAs('admins');
  const { port } = new URL(world.origin);
  const before = (await store.environments.list()).length;
  const foreign = await world.page.page.browserContext().newPage();
  await foreign.goto(`http://${OTHER_NAME}:${new URL(world.issuer.url).port}/page`);
  await foreign.setContent(`<iframe src="${world.origin}${PAGE_PATH}"></iframe>
    <form method="post" enctype="text/plain" action="http://127.0.0.1:${port}/console/api/environments">
    <input name='{"name":"forged","x":"' value='"}'></form>`);
  const frame = await until(() => foreign.frames()[1]?.url());
  expect(frame).not.toContain(PAGE_PATH);
  await foreign.evaluate('document.forms[0].submit()');
  await until(() => foreign.url().includes('/console/api/'));
  expect(await foreign.evaluate('document.body.innerText')).toContain('sign-in-required');
  expect(await store.environments.list()).toHaveLength(before);
});

test.each(LOOKS)('is accessible on %s', async (name, width, scheme) => {
  await world.open('flags', { width, scheme });
  await world.page.says('Sign in to Flagwire');
  expect(await world.page.violations()).toEqual([]);
  await takePicture(world.page.page, `sign-in ${name}`);
  await world.page.close();
  await world.openAs('readers', 'flags', { width, scheme });
  await world.page.says('new-checkout', 'main');
  expect(await world.page.violations()).toEqual([]);
  expect(await world.page.overflow()).toBeLessThanOrEqual(0);
  await takePicture(world.page.page, `signed in ${name}`);
  await world.openAccount();
  await world.page.says('viewer', '.top .menu');
  expect(await world.page.violations()).toEqual([]);
  await takePicture(world.page.page, `account ${name}`);
});
