import { gunzipSync } from 'node:zlib';
import { describe, expect, test } from '@jest/globals';
import { useTables } from '../../shared/store/testing/testStore.ts';
import { PAGE_PATH } from '../api.ts';
import { aConsole } from '../testing/console.ts';
import { PAGE_HEADERS } from './pageHeaders.ts';

useTables();

const SCRIPT = `${PAGE_PATH}main-1.js`;

describe('the page', () => {
  test('is input for anew each time, and not sent again where it is the same', async () => {
    const console = aConsole();
    const { status, headers } = await console.request(PAGE_PATH, { headers: { 'sec-fetch-site': 'none' } });
    expect([status, headers.get('cache-control')]).toEqual([200, 'no-cache']);
    expect(headers.get('content-type')).toBe('text/html; charset=utf-8');
    const again = await console.request(PAGE_PATH, { headers: { 'if-none-match': headers.get('etag') ?? '' } });
    expect([again.status, await again.text()]).toEqual([304, '']);
    for (const name of Object.keys(PAGE_HEADERS)) expect(again.headers.get(name)).toBe(headers.get(name));
  });

  test('has files that browsers keep, and gets them compressed', async () => {
    const console = aConsole();
    const plain = await console.request(SCRIPT);
    expect(plain.headers.get('cache-control')).toContain('immutable');
    const compressed = await console.request(SCRIPT, { headers: { 'accept-encoding': 'gzip, br' } });
    expect(compressed.headers.get('content-encoding')).toBe('gzip');
    const body = gunzipSync(new Uint8Array(await compressed.arrayBuffer())).toString();
    expect(body).toBe(await plain.text());
  });

  test('is found from the bare address, and needs no token to say so', async () => {
    for (const path of ['/', '/console']) {
      const { status, headers } = await aConsole().request(path);
      expect([status, headers.get('location')]).toEqual([302, PAGE_PATH]);
    }
  });

  test('is answered for no file that it does not have', async () => {
    for (const path of [`${PAGE_PATH}nothing.js`, '/other', `${PAGE_PATH}__proto__`]) {
      expect((await aConsole().request(path)).status).toBe(404);
    }
  });

  test('runs only its own files, and connects only to its own address', () => {
    const policy = PAGE_HEADERS['Content-Security-Policy'];
    expect(policy).toContain("default-src 'none'; script-src 'self'; style-src 'self';");
    expect(policy).toContain("connect-src 'self';");
    expect(policy).not.toMatch(/unsafe|\*/);
  });
});
