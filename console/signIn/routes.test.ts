import { describe, expect, test } from '@jest/globals';
import { useTables } from '../../shared/store/testing/testStore.ts';
import { PAGE_PATH } from '../api.ts';
import { ORIGIN, signedInConsole, useIssuer } from './testing/signedInConsole.ts';

useTables();
const issuer = useIssuer();

const ANN = { sub: 'ann-1', email: 'ann@shop.example', email_verified: true, groups: ['readers'] };
const BOB = { ...ANN, sub: 'bob-2', email: 'bob@shop.example' };
const post = { method: 'POST' };

/** A console, whose provider signs in a person. */
function aConsole(person: object = ANN, options: Parameters<typeof signedInConsole>[1] = {}) {
  issuer.it.person = { ...person };
  return signedInConsole(issuer.it, options);
}

/** Answers the console's requests to a path of the provider. @returns a function that ends this */
function answerAt(path: string, answer: () => Response): () => void {
  const real = globalThis.fetch;
  globalThis.fetch = (async (...request: Parameters<typeof fetch>) =>
    String(request[0]).endsWith(path) ? answer() : real(...request)) as typeof fetch;
  return () => {
    globalThis.fetch = real;
  };
}

describe('a sign-in', () => {
  test('leads to the provider with PKCE, a state and a nonce', async () => {
    const response = await aConsole().request('/sign-in');
    const { origin, pathname, searchParams } = new URL(response.headers.get('location') ?? '');
    expect([response.status, origin, pathname]).toEqual([302, issuer.it.url, '/authorize']);
    expect(Object.fromEntries(searchParams)).toEqual({
      client_id: 'console',
      redirect_uri: `${ORIGIN}/sign-in/done`,
      response_type: 'code',
      scope: 'openid profile email offline_access groups',
      state: expect.stringMatching(/^[\w-]{43}$/),
      nonce: expect.stringMatching(/^[\w-]{43}$/),
      code_challenge: expect.stringMatching(/^[\w-]{43}$/),
      code_challenge_method: 'S256',
      max_age: '43200',
    });
    expect(response.headers.get('set-cookie')).toMatch(
      /^__Host-signin=\S+; Max-Age=600; Path=\/; HttpOnly; Secure; SameSite=Lax$/,
    );
    expect(response.headers.get('cache-control')).toBe('no-store');
  });

  test('knows the issuer with a slash at its end, as some providers name themselves', async () => {
    const console = aConsole(ANN, { settings: { issuer: `${issuer.it.url}/` } });
    expect((await console.signIn()).status).toBe(303);
    expect((await console.call('GET context')).status).toBe(200);
  });

  test('ends on the page, with cookies that scripts and other sites do not get', async () => {
    const console = aConsole();
    const response = await console.signIn();
    expect([response.status, response.headers.get('location')]).toEqual([303, PAGE_PATH]);
    const [gone, session, refresh] = response.headers.getSetCookie();
    expect(gone).toMatch(/^__Host-signin=; Max-Age=0; Path=\//);
    expect(session).toMatch(/^__Host-session=\S+; Max-Age=43200; Path=\/; HttpOnly; Secure; SameSite=Strict$/);
    expect(refresh).toMatch(/^__Host-refresh=\S+; Max-Age=43200; Path=\/; HttpOnly; Secure; SameSite=Strict$/);
    expect(await console.call('GET context')).toMatchObject({ status: 200, json: { by: 'ann@shop.example' } });
  });

  test.each(['?next=//evil.example', '?redirect_uri=https://evil.example', '?popup&next=https://evil.example'])(
    'takes no address from a request (%s)',
    async (query) => {
      const console = aConsole();
      const begun = await console.request(`/sign-in${query}`, { headers: { host: 'evil.example' } });
      expect(begun.headers.get('location')).not.toContain('evil');
      const answer = issuer.it.authorize(begun.headers.get('location') ?? '');
      answer.append('next', '//evil.example');
      const done = await console.request(`/sign-in/done?${answer}`);
      expect(done.headers.get('location')).toMatch(/^\/console\/(#signed-in)?$/);
    },
  );

  test.each<[string, (answer: URLSearchParams) => void]>([
    ['a foreign state', (answer) => answer.set('state', 'x'.repeat(43))],
    ['no state', (answer) => answer.delete('state')],
    ['two states', (answer) => answer.append('state', 'x')],
    ['a foreign issuer', (answer) => answer.set('iss', 'https://evil.example')],
    ['no issuer', (answer) => answer.delete('iss')],
    ['an unknown code', (answer) => answer.set('code', 'unknown')],
  ])('is refused with %s', async (_, change) => {
    const console = aConsole();
    const response = await console.signIn(change);
    expect(response.status).toBe(400);
    expect(console.cookies.has('__Host-session')).toBe(false);
  });

  test('continues in one tab after another tab has started one', async () => {
    const console = aConsole();
    const first = await console.request('/sign-in');
    const answers = [first, await console.request('/sign-in')].map((begun) =>
      issuer.it.authorize(begun.headers.get('location') ?? ''),
    );
    const statuses = [];
    for (const answer of answers) statuses.push((await console.request(`/sign-in/done?${answer}`)).status);
    expect(statuses).toEqual([400, 303]);
  });

  test('is refused with the code of another sign-in, whose nonce and verifier differ', async () => {
    const [victim, attacker] = [aConsole(), aConsole(BOB)];
    const location = (await attacker.request('/sign-in')).headers.get('location') ?? '';
    const response = await victim.signIn((answer) =>
      answer.set('code', issuer.it.authorize(location).get('code') ?? ''),
    );
    expect([response.status, [...victim.cookies]]).toEqual([400, []]);
  });

  test('is refused if the token has another nonce', async () => {
    const console = aConsole();
    const response = await console.signIn(() => {
      const [state, , verifier] = (console.cookies.get('__Host-signin') ?? '').split('.');
      console.cookies.set('__Host-signin', `${state}.another.${verifier}`);
    });
    expect([response.status, [...console.cookies]]).toEqual([400, []]);
  });

  test('is refused when its code is replayed, or in another browser', async () => {
    const [console, other] = [aConsole(), aConsole()];
    let query = '';
    await console.signIn((answer) => {
      query = `${answer}`;
    });
    expect((await console.request(`/sign-in/done?${query}`)).status).toBe(400);
    expect((await other.request(`/sign-in/done?${query}`)).status).toBe(400);
  });

  test('shows what the provider says as text', async () => {
    const response = await aConsole().signIn((answer) => {
      answer.delete('code');
      answer.set('error', 'access_denied');
      answer.set('error_description', '<img src=x onerror=alert(1)>');
    });
    const page = await response.text();
    expect(response.status).toBe(400);
    expect(page).toContain('access_denied &lt;img src=x');
    expect(page).not.toMatch(/<img|<script/);
    expect(page).toContain('href="/console/style-1.css"');
    expect(response.headers.get('content-security-policy')).toContain("default-src 'none'");
  });

  test('says that the provider refused the secret', async () => {
    const console = aConsole();
    const headers = { 'www-authenticate': 'Basic realm="token"' };
    const restore = answerAt('/token', () => Response.json({ error: 'invalid_client' }, { status: 401, headers }));
    const response = await console.signIn().finally(restore);
    expect(response.status).toBe(400);
    expect(await response.text()).toContain('refused the console’s client id or secret');
  });

  test('shows that the provider does not answer', async () => {
    const response = await aConsole(ANN, { settings: { issuer: 'http://127.0.0.1:1' } }).request('/sign-in');
    expect(response.status).toBe(503);
    expect(await response.text()).toContain('the identity provider does not answer');
  });

  test.each([
    ['too large a token', { groups: ['readers', 'x'.repeat(3_500)] }, /your token is too large: [45]\d{3} bytes/],
    ['groups that the provider left out', { _claim_names: { groups: 'src1' } }, /the provider left the groups out/],
  ])('with %s shows the advice, and sets no cookie', async (_, claims, message) => {
    const console = aConsole({ ...ANN, ...claims });
    const response = await console.signIn();
    const page = await response.text();
    expect(response.status).toBe(403);
    expect(page).toMatch(message);
    expect(page).toContain('groupsClaim: roles');
    expect([...console.cookies]).toEqual([]);
  });
});

describe('a failed sign-in', () => {
  test.each<[string, object, (answer: URLSearchParams) => void]>([
    ['whose token is too large', { groups: ['x'.repeat(4_000)] }, () => {}],
    ['whose groups the provider left out', { _claim_names: { groups: 'src1' } }, () => {}],
    ['that the person cancelled', {}, (answer) => answer.set('error', 'access_denied')],
  ])('%s ends the session before it', async (_, claims, change) => {
    const console = aConsole();
    await console.signIn();
    issuer.it.person = { ...BOB, ...claims };
    const page = await (await console.signIn(change)).text();
    expect(page).toContain('You are not signed in');
    expect([...console.cookies.keys()]).toEqual([]);
  });

  test.each(['state=', 'state=x', 'state=&error=access_denied', ''])(
    'that this browser did not begin (?%s) ends no session',
    async (query) => {
      const console = aConsole();
      await console.signIn();
      expect((await console.request(`/sign-in/done?${query}`)).status).toBe(400);
      await console.request('/sign-in');
      expect((await console.request(`/sign-in/done?${query}`)).status).toBe(400);
      expect((await console.call('GET context')).status).toBe(200);
    },
  );
});

test('groups that the provider left out do not matter if roles count', async () => {
  const claims = { ...ANN, roles: ['readers'], _claim_names: { groups: 'src1' } };
  const console = aConsole(claims, { settings: { groupsClaim: 'roles' } });
  expect((await console.signIn()).status).toBe(303);
});

describe('a refresh', () => {
  test('brings changed groups, and keeps the end of the session', async () => {
    let time = Date.now();
    const console = aConsole(ANN, { now: () => time });
    await console.signIn();
    const before = console.cookies.get('__Host-refresh')?.split('.')[0];
    time += 60_000;
    issuer.it.person = { ...ANN, groups: ['admins'] };
    const response = await console.request('/sign-in/refresh', post);
    expect(response.status).toBe(200);
    expect(response.headers.getSetCookie().every((line) => /Max-Age=43[01]\d\d;/.test(line))).toBe(true);
    expect(console.cookies.get('__Host-refresh')?.split('.')[0]).toBe(before);
    expect((await console.call('GET context')).json.may).toEqual({ edit: [], administer: true });
  });

  test('keeps a refresh token that the provider does not replace', async () => {
    const console = aConsole();
    await console.signIn();
    issuer.it.refreshTokens = 'same';
    for (let n = 0; n < 2; n++) expect((await console.request('/sign-in/refresh', post)).status).toBe(200);
    issuer.it.refreshTokens = 'new';
  });

  test('is impossible with a provider that gives no refresh token, and the session lasts as long as its token', async () => {
    issuer.it.refreshTokens = 'never';
    const console = aConsole();
    await console.signIn();
    issuer.it.refreshTokens = 'new';
    expect([...console.cookies.keys()]).toEqual(['__Host-session']);
    expect((await console.call('GET context')).status).toBe(200);
    expect((await console.request('/sign-in/refresh', post)).status).toBe(401);
  });

  test.each([
    ['12 h', -12 * 3_600, 401],
    ['less than 12 h', -12 * 3_600 + 60, 200],
  ])('%s after the login at the provider: %i s, %i, whatever the browser’s cookie says', async (_, offset, status) => {
    const console = aConsole();
    await console.signIn();
    issuer.it.person = { ...ANN, auth_time: Math.floor(Date.now() / 1_000) + offset };
    const token = console.cookies.get('__Host-refresh')?.split('.')[1];
    console.cookies.set('__Host-refresh', `99999999999.${token}`);
    expect((await console.request('/sign-in/refresh', post)).status).toBe(status);
  });

  test('and a sign-in name the cause if the login at the provider is older than 12 h', async () => {
    const [console, claims] = [aConsole(), { ...ANN, auth_time: Math.floor(Date.now() / 1_000) - 12 * 3_600 }];
    await console.signIn();
    issuer.it.person = claims;
    expect(await (await console.request('/sign-in/refresh', post)).json()).toMatchObject({
      error: { code: 'sign-in-required', message: expect.stringContaining('max_age') },
    });
    const response = await console.signIn();
    expect([response.status, [...console.cookies]]).toEqual([401, []]);
    expect(await response.text()).toContain('it ignores max_age');
  });

  test('is possible after the ID token has expired, for 12 h after the sign-in', async () => {
    let time = Date.now();
    const console = aConsole(ANN, { now: () => time });
    await console.signIn();
    const [iat, exp] = [2, 1].map((hours) => Math.floor(time / 1_000) - hours * 3_600) as [number, number];
    console.setSession(await issuer.it.sign({ ...ANN, iat, exp }));
    expect((await console.call('GET context')).status).toBe(401);
    expect((await console.request('/sign-in/refresh', post)).status).toBe(200);
    time += 12 * 3_600_000;
    expect((await console.request('/sign-in/refresh', post)).status).toBe(401);
  });

  test.each([
    [
      'another person’s token',
      (mine: Map<string, string>, others: Map<string, string>) =>
        mine.set('__Host-refresh', others.get('__Host-refresh') ?? ''),
    ],
    ['no session', (mine: Map<string, string>) => mine.delete('__Host-session')],
    ['a forged session', (mine: Map<string, string>) => mine.set('__Host-session', 'a.b.c')],
    [
      'a session without the console’s signature',
      (mine: Map<string, string>) =>
        mine.set('__Host-session', mine.get('__Host-session')?.replace(/\.[^.]*$/, '') ?? ''),
    ],
    ['a used token', (mine: Map<string, string>) => mine.set('__Host-refresh', '99999999999.used')],
  ])('is refused with %s', async (_, change) => {
    const [console, other] = [aConsole(), aConsole()];
    await console.signIn();
    issuer.it.person = BOB;
    await other.signIn();
    change(console.cookies, other.cookies);
    expect((await console.request('/sign-in/refresh', post)).status).toBe(401);
  });

  test.each([
    [503, 'an error without a text', 500, ''],
    [503, 'a throttle', 429, 'slow down'],
    [503, 'an outage', 400, { error: 'temporarily_unavailable' }],
    [503, 'a refused secret', 401, { error: 'invalid_client' }],
    [401, 'an expired token', 400, { error: 'invalid_grant' }],
    [401, 'a person who must confirm', 400, { error: 'interaction_required' }],
  ])('gets %i if the provider answers with %s, and keeps the cookies', async (expected, _, status, body) => {
    const console = aConsole();
    await console.signIn();
    const before = [...console.cookies];
    const restore = answerAt('/token', () => Response.json(body, { status }));
    const response = await console.request('/sign-in/refresh', post).finally(restore);
    expect([response.status, [...console.cookies]]).toEqual([expected, before]);
  });

  test('without a valid session sends no request to the provider', async () => {
    const console = aConsole();
    await console.signIn();
    const token = await issuer.it.sign();
    const paths: string[] = [];
    issuer.it.onRequest = (path) => paths.push(path);
    for (const session of ['a.b.c', token, console.seal('a.b.c')]) {
      for (const path of ['/sign-in/refresh', '/sign-out']) {
        console.cookies.set('__Host-session', session);
        console.cookies.set('__Host-refresh', '99999999999.x');
        await console.request(path, post);
      }
    }
    expect(paths).toEqual([]);
  });
});

describe('a sign-out', () => {
  test('deletes the cookies, and leads to the provider’s', async () => {
    const console = aConsole();
    await console.signIn();
    const session = console.cookies.get('__Host-session') ?? '';
    expect(await (await console.request('/sign-out', post)).text()).toBe('{}');
    expect([...console.cookies.keys()]).toEqual(['__Host-signout']);
    const left = await console.request('/sign-in/out');
    const { pathname, searchParams } = new URL(left.headers.get('location') ?? '');
    expect([left.status, pathname]).toEqual([303, '/logout']);
    expect(Object.fromEntries(searchParams)).toEqual({
      client_id: 'console',
      post_logout_redirect_uri: `${ORIGIN}${PAGE_PATH}`,
      id_token_hint: expect.any(String),
    });
    const hint = searchParams.get('id_token_hint') ?? '';
    expect(console.seal(hint)).toBe(session);
    expect([...console.cookies]).toEqual([]);
    expect((await console.call('GET context')).status).toBe(401);
    // The browser's history has the hint.
    console.cookies.set('__Host-session', hint);
    expect((await console.call('GET context')).status).toBe(401);
  });

  test('revokes the refresh token', async () => {
    const [console, copy] = [aConsole(), aConsole()];
    await console.signIn();
    for (const cookie of console.cookies) copy.cookies.set(...cookie);
    await console.request('/sign-out', post);
    expect((await copy.request('/sign-in/refresh', post)).status).toBe(401);
  });

  test('is possible while the provider does not answer', async () => {
    const [console, other] = [aConsole(), aConsole(ANN, { settings: { issuer: 'http://127.0.0.1:1' } })];
    await console.signIn();
    for (const cookie of console.cookies) other.cookies.set(...cookie);
    expect((await other.request('/sign-out', post)).status).toBe(200);
    expect([...other.cookies.keys()]).toEqual(['__Host-signout']);
  });
});

test.each(['/console/', '/sign-in', '/sign-in/out'])('%s needs no session', async (path) => {
  expect((await aConsole().request(path)).status).toBeLessThan(400);
});
