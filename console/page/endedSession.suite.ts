import { expect, jest, test } from '@jest/globals';
import { until } from '../../shared/testing/until.ts';
import { SignInWorld } from './testing/signInWorld.ts';

jest.setTimeout(120_000);
const world = SignInWorld.use();

test('a session that ends during an edit is renewed in another window, and the draft stays', async () => {
  await world.openAs('web team', 'flags/new-checkout?settings');
  await world.page.write('Description', 'a draft');
  await world.page.page.deleteCookie(
    ...['session', 'refresh'].map((name) => ({ name: `__Host-${name}`, url: world.origin })),
  );
  await world.page.says('Your session has ended', 'dialog');
  await world.page.click('Sign in again', 'button');
  await world.page.lacks('Your session has ended');
  await world.page.says('1 unsaved change');
  await until(
    () => world.page.page.browserContext().pages(),
    (pages) => pages.length === 1,
  );
});

test('a sign-in as somebody else shows their name on open pages', async () => {
  await world.openAs('web team');
  await world.signInElsewhere('bob', 'readers');
  await world.page.says('You can view <b>shop</b>.');
  await world.page.says('bob', 'header');
});

test.each(['readers', 'nobody'])('a sign-in as one of %s takes drafts and keys off open pages', async (group) => {
  await world.openAs('admins', 'keys');
  await world.page.click('New key', 'button');
  await world.page.click('Create key', 'button');
  await world.page.says('Created key');
  await world.page.click('Done', 'button');
  await world.page.page.goto(world.at('flags/new-checkout?settings'));
  await world.page.write('Description', 'of ann');
  await world.page.page.keyboard.press('Tab');
  await world.page.says('1 unsaved change');
  await world.page.page.evaluate('globalThis.isSamePage = true');
  await world.signInElsewhere('bob', group);
  await world.page.page.bringToFront();
  await world.page.says(group === 'readers' ? 'You can view <b>shop</b>.' : 'You have no access');
  expect(await world.page.page.evaluate('[globalThis.isSamePage ?? null, sessionStorage.getItem("unsaved")]')).toEqual([
    null,
    '[]',
  ]);
  await world.page.lacks('unsaved change');
  await world.page.lacks('<i>ann</i>', 'header');
});

test('a sign-out in another tab closes hidden pages, and forgets their drafts', async () => {
  await world.openAs('web team', 'flags/new-checkout?settings');
  await world.page.write('Description', 'not saved');
  await world.page.page.keyboard.press('Tab');
  await world.page.says('1 unsaved change');
  const other = await world.page.page.browserContext().newPage();
  await other.goto(world.at('flags'));
  await other.locator('.top-end button').click();
  await other.locator('button ::-p-text(Sign out)').click();
  await world.showsSignIn();
  await world.page.lacks('not saved');
  await world.signInElsewhere('bob', 'web team');
  await world.page.says('bob');
  await world.page.page.goto(world.at('flags/new-checkout?settings'));
  await world.page.says('Description', 'main');
  await world.page.lacks('unsaved change');
});

test('a sign-out forgets unsaved changes', async () => {
  await world.openAs('web team', 'flags/new-checkout?settings');
  await world.page.write('Description', 'not saved');
  await world.page.page.keyboard.press('Tab');
  await world.page.says('1 unsaved change');
  world.page.page.once('dialog', (asked) => void asked.accept());
  await world.signOut();
  await world.page.click('Sign in', 'button');
  await world.page.says('Overview', 'h1');
  await world.page.page.goto(world.at('flags/new-checkout?settings'));
  await world.page.says('Description', 'main');
  await world.page.lacks('unsaved change');
});

/** Replaces the session's token by an expired one. */
async function expire(): Promise<void> {
  await world.page.page.setCookie({
    name: '__Host-session',
    url: world.origin,
    path: '/',
    secure: true,
    httpOnly: true,
    value: world.seal(await world.issuer.sign({ ...world.issuer.person, iat: 1e9, exp: 1e9 + 60 })),
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

/** Opens another page. The first is hidden then, and does not poll: the other renews the session. */
async function openOther() {
  const other = await world.page.page.browserContext().newPage();
  await until(() => world.page.page.evaluate('document.hidden'));
  return other;
}

/** Shows the test's page until it waits for the renewal of another page. */
async function waitsForRenewal(): Promise<void> {
  const state = `navigator.locks.request('own', async () => {
    const { held, pending } = await navigator.locks.query();
    const own = held.find(({ name }) => name === 'own').clientId;
    return pending.some(({ clientId }) => clientId === own) ? 'waits' : document.visibilityState;
  })`;
  await until(
    async () => {
      await world.page.page.bringToFront();
      return world.page.page.evaluate(state).catch(String);
    },
    (current) => current === 'waits',
  );
}

test('a sign-out lasts, also if another page is renewing the session', async () => {
  await world.openAs('readers');
  const other = await openOther();
  await expire();
  const tokens = holdTokens();
  await other.goto(world.at('flags'));
  await until(() => tokens.isHeld);
  await world.page.page.bringToFront();
  await world.openAccount();
  await world.page.click('Sign out', 'button');
  await waitsForRenewal();
  tokens.release();
  await world.showsSignIn();
  expect((await world.page.page.browserContext().cookies()).map(({ name }) => name)).toEqual([]);
});

test('a page waits for a renewal of another page, and its former document no longer', async () => {
  await world.openAs('readers');
  const other = await openOther();
  await expire();
  const tokens = holdTokens();
  await other.goto(world.at('flags'));
  await until(() => tokens.isHeld);
  await waitsForRenewal();
  await world.page.page.goto(`${world.origin}/sign-in`);
  await waitsForRenewal();
  // The browser keeps the former document. It would get the lock and never end.
  const clients =
    'navigator.locks.query().then(({ held, pending }) => new Set([...held, ...pending].map(({ clientId }) => clientId)).size)';
  expect(await world.page.page.evaluate(clients)).toBe(2);
  tokens.release();
});

test('a session with an expired token is renewed without a question', async () => {
  await world.openAs('web team', 'flags/new-checkout?settings');
  await world.page.write('Description', 'a second draft');
  await expire();
  await world.page.click('Save …');
  await world.page.click('Save', 'button');
  await world.page.says('Saved');
});

test('a session does not end while the provider has an outage', async () => {
  await world.openAs('web team', 'flags/new-checkout?settings');
  await world.page.write('Description', 'a third draft');
  const paths: string[] = [];
  world.issuer.onRequest = (path) => paths.push(path);
  world.issuer.isDown = true;
  await expire();
  // The page goes on to ask.
  await until(() => paths.filter((path) => path === '/token').length > 1);
  await world.page.lacks('Your session has ended');
  await world.page.click('Save …');
  await world.page.click('Save', 'button');
  await world.page.says('The identity provider does not answer.', 'dialog');
  expect(await world.page.text('dialog')).not.toContain('session has ended');
  world.issuer.isDown = false;
  await world.page.click('Save', 'button');
  await world.page.says('Saved');
});
