import { afterAll, afterEach, beforeAll, beforeEach, expect, jest, test } from '@jest/globals';
import { freePort } from '../../dev/support/freePort.ts';
import { LOOKS, OTHER_NAME, takePicture } from '../../dev/support/tools/browser.ts';
import { store, useStore } from '../../shared/store/testing/testStore.ts';
import { testSystemEffects } from '../../shared/store/testing/testTables.ts';
import { until } from '../../shared/testing/until.ts';
import { PAGE_PATH } from '../api.ts';
import { type ServedConsole, serveConsole } from '../serve.ts';
import { SHOP, signedInConsole, useIssuer } from '../signIn/testing/signedInConsole.ts';
import { buildPage } from './build.ts';
import { ConsoleBrowser, type ConsolePage } from './testing/consolePage.ts';
import { shopDocuments } from './testing/documents.ts';

jest.setTimeout(120_000);
useStore(testSystemEffects);
const issuer = useIssuer();

let browser: ConsoleBrowser;
let served: ServedConsole;
let page: ConsolePage;
let origin: string;
const at = (place: string) => `${origin}${PAGE_PATH}#/${SHOP}/${place}`;

beforeAll(async () => {
  await store.environments.create('<b>shop</b>', SHOP);
  await store.documents.import(SHOP, shopDocuments());
  const port = await freePort();
  origin = `http://127.0.0.1:${port}`;
  served = await serveConsole(signedInConsole(issuer.it, { origin, buildPage }), port);
  browser = await ConsoleBrowser.launch();
});
afterAll(async () => {
  await browser?.close();
  await served?.close();
});

/** Opens a view, where a member of a group signs in. */
async function openAs(group: string, place = 'flags', look = {}): Promise<void> {
  issuer.it.person = { sub: '<i>ann</i>', groups: [group] };
  page = await browser.open(at(place), look);
  await page.click('Sign in', 'button');
  await shows('<i>ann</i>');
}

/** Waits for a text, also while the page is left for the sign-in. */
async function shows(expected: string): Promise<void> {
  await until(
    () => page.text().catch(() => ''),
    (text) => text.includes(expected),
  );
}

const showsSignIn = () => shows('Sign in to Flagwire');

/** Opens the menu of the person who has access. */
const openAccount = () => page.page.locator('.top-end button').click();

async function signOut(): Promise<void> {
  if (await page.page.$('.top-end button')) await openAccount();
  await page.click('Sign out', 'button');
  await showsSignIn();
}

beforeEach(() => {
  browser.problems.length = 0;
});
afterEach(() => page?.close());

test('a person signs in, and returns to the view', async () => {
  await openAs('readers', 'history');
  await page.says('History', 'h1');
  expect(page.page.url()).toBe(at('history'));
  expect(await page.page.evaluate('document.cookie')).toBe('');
  expect(await page.page.evaluate('document.querySelector(".top i, .top b")')).toBeNull();
});

test.each(['%0A', '%E2%82%AC', '%E0%A4%A', '%'])('a link with the token %s changes nothing', async (given) => {
  page = await browser.open(`${origin}${PAGE_PATH}#token=${given}`);
  await showsSignIn();
  expect(await page.page.evaluate('location.hash + Object.keys(sessionStorage)')).not.toContain('token');
});

test.each([
  ['readers', true],
  ['web team', false],
  ['admins', false],
])('a member of %s sees whether the environment is read-only: %s', async (group, isReadOnly) => {
  await openAs(group);
  await page.says('new-checkout', 'main');
  expect((await page.text('main')).includes('You can view <b>shop</b>.')).toBe(isReadOnly);
});

test('a change shows its verified author', async () => {
  await openAs('web team', 'flags/new-checkout');
  await page.click('Toggle new-checkout');
  await page.click('Turn on');
  await page.view('History');
  await page.says('verified', 'main');
});

test('a person without access sees the groups, and can sign out', async () => {
  issuer.it.person = { sub: 'ann', groups: ['<script>', 'Readers'] };
  page = await browser.open(at('flags'));
  await page.click('Sign in', 'button');
  await page.says('The token has these groups: "<script>", "Readers".');
  await signOut();
});

test('after a sign-out, the way back shows no flags', async () => {
  await openAs('readers');
  await page.says('new-checkout', 'main');
  await signOut();
  await page.page.goBack();
  await showsSignIn();
  await page.lacks('new-checkout');
});

test('a session that ends during an edit is renewed in another window, and the draft stays', async () => {
  await openAs('web team', 'flags/new-checkout?settings');
  await page.write('Description', 'a draft');
  await page.page.deleteCookie(...['session', 'refresh'].map((name) => ({ name: `__Host-${name}`, url: origin })));
  await page.says('Your session has ended', 'dialog');
  await page.click('Sign in again', 'button');
  await page.lacks('Your session has ended');
  await page.says('1 unsaved change');
  await until(
    () => page.page.browserContext().pages(),
    (pages) => pages.length === 1,
  );
});

/** Signs in as a member of a group in another tab. */
async function signInElsewhere(sub: string, group: string): Promise<void> {
  issuer.it.person = { sub, groups: [group] };
  const other = await page.page.browserContext().newPage();
  await other.goto(`${origin}/sign-in`);
}

test('a sign-in as somebody else shows their name on open pages', async () => {
  await openAs('web team');
  await signInElsewhere('bob', 'readers');
  await shows('You can view <b>shop</b>.');
  await page.says('bob', 'header');
});

test.each(['readers', 'nobody'])('a sign-in as one of %s takes drafts and keys off open pages', async (group) => {
  await openAs('admins', 'keys');
  await page.click('New key', 'button');
  await page.click('Create key', 'button');
  await page.says('Created key');
  await page.click('Done', 'button');
  await page.page.goto(at('flags/new-checkout?settings'));
  await page.write('Description', 'of ann');
  await page.page.keyboard.press('Tab');
  await page.says('1 unsaved change');
  await page.page.evaluate('globalThis.isSamePage = true');
  await signInElsewhere('bob', group);
  await page.page.bringToFront();
  await shows(group === 'readers' ? 'You can view <b>shop</b>.' : 'You have no access');
  expect(await page.page.evaluate('[globalThis.isSamePage ?? null, sessionStorage.getItem("unsaved")]')).toEqual([
    null,
    '[]',
  ]);
  await page.lacks('unsaved change');
  await page.lacks('<i>ann</i>', 'header');
});

test('a sign-out in another tab closes hidden pages, and forgets their drafts', async () => {
  await openAs('web team', 'flags/new-checkout?settings');
  await page.write('Description', 'not saved');
  await page.page.keyboard.press('Tab');
  await page.says('1 unsaved change');
  const other = await page.page.browserContext().newPage();
  await other.goto(at('flags'));
  await other.locator('.top-end button').click();
  await other.locator('button ::-p-text(Sign out)').click();
  await showsSignIn();
  await page.lacks('not saved');
  await signInElsewhere('bob', 'web team');
  await shows('bob');
  await page.page.goto(at('flags/new-checkout?settings'));
  await page.says('Description', 'main');
  await page.lacks('unsaved change');
});

test('a sign-out forgets unsaved changes', async () => {
  await openAs('web team', 'flags/new-checkout?settings');
  await page.write('Description', 'not saved');
  await page.page.keyboard.press('Tab');
  await page.says('1 unsaved change');
  page.page.once('dialog', (asked) => void asked.accept());
  await signOut();
  await page.click('Sign in', 'button');
  await page.says('Overview', 'h1');
  await page.page.goto(at('flags/new-checkout?settings'));
  await page.says('Description', 'main');
  await page.lacks('unsaved change');
});

/** Replaces the session's token by an expired one. */
async function expire(): Promise<void> {
  await page.page.setCookie({
    name: '__Host-session',
    url: origin,
    path: '/',
    secure: true,
    httpOnly: true,
    value: await issuer.it.sign({ ...issuer.it.person, iat: 1e9, exp: 1e9 + 60 }),
  });
}

/** Holds the provider's next answer with tokens. */
function holdTokens() {
  const realFetch = globalThis.fetch;
  const held = Promise.withResolvers<void>();
  const found = { isHeld: false, release: held.resolve };
  globalThis.fetch = (async (...request: Parameters<typeof fetch>) => {
    const [url, init] = request;
    if (!String(url).endsWith('/token')) return realFetch(url, init);
    // Without the time limit, which a busy machine would reach.
    const answer = await realFetch(url, { ...init, signal: null });
    globalThis.fetch = realFetch;
    found.isHeld = true;
    await held.promise;
    return answer;
  }) as typeof fetch;
  return found;
}

test('a sign-out lasts, also if another page is renewing the session', async () => {
  await openAs('readers');
  const context = page.page.browserContext();
  const other = await context.newPage();
  await expire();
  const tokens = holdTokens();
  await other.goto(at('flags'));
  await until(() => tokens.isHeld);
  await page.page.bringToFront();
  await openAccount();
  await page.click('Sign out', 'button');
  await until(() => page.page.evaluate('navigator.locks.query().then(({ pending }) => pending.length > 0)'));
  tokens.release();
  await showsSignIn();
  expect((await context.cookies()).map(({ name }) => name)).toEqual([]);
});

test('a page waits for a renewal of another page, and its former document no longer', async () => {
  await openAs('readers');
  const other = await page.page.browserContext().newPage();
  await expire();
  const tokens = holdTokens();
  await other.goto(at('flags'));
  await until(() => tokens.isHeld);
  // Hidden pages do not poll.
  await page.page.bringToFront();
  // One of them is the other page's second request.
  const isWaiting = 'navigator.locks.query().then(({ pending }) => pending.length > 1)';
  const waits = () => until(() => page.page.evaluate(isWaiting).catch(() => false));
  await waits();
  await page.page.goto(`${origin}/sign-in`);
  await waits();
  // The browser keeps the former document. It would get the lock and never end.
  const clients =
    'navigator.locks.query().then(({ held, pending }) => new Set([...held, ...pending].map(({ clientId }) => clientId)).size)';
  expect(await page.page.evaluate(clients)).toBe(2);
  tokens.release();
});

test('a session with an expired token is renewed without a question', async () => {
  await openAs('web team', 'flags/new-checkout?settings');
  await page.write('Description', 'a second draft');
  await expire();
  await page.click('Save …');
  await page.click('Save', 'button');
  await page.says('Saved');
});

test('a session does not end while the provider has an outage', async () => {
  await openAs('web team', 'flags/new-checkout?settings');
  await page.write('Description', 'a third draft');
  const paths: string[] = [];
  issuer.it.onRequest = (path) => paths.push(path);
  issuer.it.isDown = true;
  await expire();
  // The page goes on to ask.
  await until(() => paths.filter((path) => path === '/token').length > 1);
  await page.lacks('Your session has ended');
  await page.click('Save …');
  await page.click('Save', 'button');
  await page.says('The identity provider does not answer.', 'dialog');
  expect(await page.text('dialog')).not.toContain('session has ended');
  issuer.it.isDown = false;
  await page.click('Save', 'button');
  await page.says('Saved');
});

test('another site can neither frame the page nor send a form', async () => {
  await openAs('admins');
  const { port } = new URL(origin);
  const before = (await store.environments.list()).length;
  const foreign = await page.page.browserContext().newPage();
  await foreign.goto(`http://${OTHER_NAME}:${new URL(issuer.it.url).port}/page`);
  await foreign.setContent(`<iframe src="${origin}${PAGE_PATH}"></iframe>
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
  page = await browser.open(at('flags'), { width, scheme });
  await page.says('Sign in to Flagwire');
  expect(await page.violations()).toEqual([]);
  await takePicture(page.page, `sign-in ${name}`);
  await page.close();
  await openAs('readers', 'flags', { width, scheme });
  await page.says('new-checkout', 'main');
  expect(await page.violations()).toEqual([]);
  expect(await page.overflow()).toBeLessThanOrEqual(0);
  await takePicture(page.page, `signed in ${name}`);
  await openAccount();
  await page.says('viewer', '.top .menu');
  expect(await page.violations()).toEqual([]);
  await takePicture(page.page, `account ${name}`);
});
