import { describe, expect, test } from '@jest/globals';
import { useTables } from '../../shared/store/testing/testStore.ts';
import { API_PATH, PAGE_PATH, TOKEN_HEADER } from '../api.ts';
import { aConsole, HOST, type TestConsole } from '../testing/console.ts';

useTables();

type Options = NonNullable<Parameters<TestConsole['request']>[1]>;
const CONTEXT = `${API_PATH}context`;

async function codeOf(path: string, options: Options): Promise<[number, string | undefined]> {
  const response = await aConsole().request(path, options);
  const text = await response.text();
  return [response.status, text.startsWith('{') ? JSON.parse(text).error?.code : undefined];
}

describe('the API', () => {
  test.each<[string, Options]>([
    ['the page', {}],
    [
      'the page, by the name that Chromium says',
      { headers: { origin: `http://${HOST}`, 'sec-fetch-site': 'same-origin' } },
    ],
    ['the page at localhost', { headers: { host: 'localhost:5100', origin: 'http://localhost:5100' } }],
    ['the page through a tunnel of another port', { headers: { host: 'localhost:80', origin: 'http://localhost:80' } }],
    ['the page by IPv6', { headers: { host: '[::1]:5100' }, address: '::1' }],
    ['the page by IPv4 on an IPv6 socket', { address: '::ffff:127.0.0.1' }],
  ])('answers %s', async (_, options) => {
    expect(await codeOf(CONTEXT, options)).toEqual([200, undefined]);
  });
});

describe('access to the console', () => {
  const foreign = [403, 'foreign-origin'];
  test.each<[string, Options]>([
    ['by a name that somebody else has resolve to this machine', { headers: { host: 'rebind.example:5100' } }],
    ['by a name that begins as this machine’s', { headers: { host: '127.0.0.1.example' } }],
    ['by a name that ends as this machine’s', { headers: { host: 'evil.localhost' } }],
    ['by a name with credentials in it', { headers: { host: 'a@127.0.0.1:5100' } }],
    ['by an address of the network', { headers: { host: '192.168.1.5:5100' } }],
    ['by all addresses', { headers: { host: '0.0.0.0:5100' } }],
    ['without a name', { headers: { host: undefined } }],
    ['from another machine that says the right name', { address: '192.168.1.7' }],
    ['from an address that begins as this machine’s', { address: '::ffff:192.168.1.7' }],
    ['from a page of another site', { headers: { origin: 'https://evil.example' } }],
    ['from a page of another port', { headers: { origin: 'http://127.0.0.1:3000' } }],
    ['from a page of another scheme', { headers: { origin: `https://${HOST}` } }],
    ['from a sandboxed page or a file', { headers: { origin: 'null' } }],
    ['from a page that shows no origin, but whose browser does', { headers: { 'sec-fetch-site': 'cross-site' } }],
    ['from a page of the same site, which all ports are', { headers: { 'sec-fetch-site': 'same-site' } }],
    ['by an address typed into a browser', { headers: { 'sec-fetch-site': 'none' } }],
  ])('refuses a request %s', async (_, options) => {
    expect(await codeOf(CONTEXT, options)).toEqual(foreign);
  });

  test.each([undefined, '', 'stale', 'the-toke', 'x'.repeat(9_000)])('refuses the token %p', async (token) => {
    expect(await codeOf(CONTEXT, { headers: { [TOKEN_HEADER]: token } })).toEqual([401, 'token-required']);
  });

  test.each([
    ['stale', 'This console link has expired. Open the one that the terminal shows now.'],
    ['', 'The access token is missing. Open the link that the terminal shows: it has the token.'],
    [undefined, 'The access token is missing. Open the link that the terminal shows: it has the token.'],
  ])('answers the token %p with a message about the link that the terminal shows', async (token, message) => {
    const response = await aConsole().request(CONTEXT, { headers: { [TOKEN_HEADER]: token } });
    expect(await response.json()).toMatchObject({ error: { message } });
  });

  test('ignores a token in the address or a cookie', async () => {
    const options = { headers: { [TOKEN_HEADER]: undefined, cookie: 'x-console-token=the-token' } };
    expect(await codeOf(`${CONTEXT}?token=the-token&${TOKEN_HEADER}=the-token`, options)).toEqual([
      401,
      'token-required',
    ]);
  });

  test('refuses the page to another machine, and under another name', async () => {
    expect(await codeOf(PAGE_PATH, { address: '10.0.0.1' })).toEqual(foreign);
    expect(await codeOf(PAGE_PATH, { headers: { host: 'rebind.example' } })).toEqual(foreign);
    expect(await codeOf(`${PAGE_PATH}main-1.js`, { headers: { host: 'rebind.example' } })).toEqual(foreign);
  });

  test('refuses a request before it reads the body', async () => {
    let taken = 0;
    const body = new ReadableStream({ pull: () => void taken++ }, { highWaterMark: 0 });
    const options = { method: 'POST', body, headers: { [TOKEN_HEADER]: 'stale' } };
    expect(await codeOf(`${API_PATH}environments`, options)).toEqual([401, 'token-required']);
    expect(taken).toBe(0);
  });
});

test('a preflight of another site is allowed nothing', async () => {
  const console = aConsole();
  for (const origin of ['https://evil.example', `http://${HOST}`]) {
    const headers = {
      origin,
      'access-control-request-method': 'PUT',
      'access-control-request-headers': TOKEN_HEADER,
      [TOKEN_HEADER]: undefined,
    };
    const response = await console.request(CONTEXT, { method: 'OPTIONS', headers });
    expect(response.ok).toBe(false);
    expect([...response.headers.keys()].filter((name) => name.startsWith('access-control'))).toEqual([]);
  }
});

test('an answer is kept by nobody, taken for nothing else, and shown in no frame', async () => {
  const { headers } = await aConsole().request(CONTEXT);
  expect(headers.get('cache-control')).toBe('no-store');
  expect(headers.get('x-content-type-options')).toBe('nosniff');
  expect(headers.get('content-security-policy')).toContain("default-src 'none'");
  expect(headers.get('x-frame-options')).toBe('DENY');
  expect(headers.get('cross-origin-resource-policy')).toBe('same-origin');
});
