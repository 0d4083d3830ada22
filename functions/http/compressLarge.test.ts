import { randomBytes } from 'node:crypto';
import { gunzipSync } from 'node:zlib';
import { describe, expect, test } from '@jest/globals';
import { Hono } from 'hono';
import { compressLarge } from './compressLarge.ts';

/** The body and headers of a response with a text. */
async function compressFor(text: string, acceptEncoding: string, isAllowed = true) {
  const made: { body: string | Uint8Array; headers: Record<string, string> } = { body: '', headers: {} };
  const app = new Hono().get('/', (context) => {
    made.body = compressLarge(context, text, made.headers, (_, use) => use(isAllowed));
    return context.body(null);
  });
  await app.request('/', { headers: { 'accept-encoding': acceptEncoding } });
  return made;
}

describe('a response’s body', () => {
  test('is compressed from 4,096 characters on', async () => {
    const text = 'é'.repeat(4_096);
    const { body, headers } = await compressFor(text, 'br, gzip');
    expect(headers).toEqual({ vary: 'Accept-Encoding', 'content-encoding': 'gzip' });
    expect(gunzipSync(body as Uint8Array).toString()).toBe(text);
    expect(await compressFor(text.slice(1), 'gzip')).toEqual({ body: text.slice(1), headers: {} });
  });

  test('is compressed only for clients that accept it', async () => {
    const text = 'x'.repeat(5_000);
    expect(await compressFor(text, 'br')).toEqual({ body: text, headers: { vary: 'Accept-Encoding' } });
    expect(await compressFor(text, 'gzip;q=0')).toEqual({ body: text, headers: { vary: 'Accept-Encoding' } });
  });

  test('is compressed once if it repeats', async () => {
    const text = 'x'.repeat(6_000);
    const { body } = await compressFor(text, 'gzip');
    expect((await compressFor(text, 'gzip')).body).toBe(body);
    expect((await compressFor(`${text}x`, 'gzip')).body).not.toEqual(body);
  });

  test('is left as it is while the process has no time to compress, unless it is kept', async () => {
    const text = 'z'.repeat(6_000);
    const left = await compressFor(text, 'gzip', false);
    expect(left).toEqual({ body: text, headers: { vary: 'Accept-Encoding' } });
    const { body } = await compressFor(text, 'gzip');
    expect((await compressFor(text, 'gzip', false)).body).toBe(body);
  });

  test('is forgotten after 8 MB of others', async () => {
    const text = 'y'.repeat(5_000);
    const { body } = await compressFor(text, 'gzip');
    for (let n = 0; n < 9; n++) await compressFor(randomBytes(1024 * 1024).toString('latin1'), 'gzip');
    const again = (await compressFor(text, 'gzip')).body;
    expect(again).toEqual(body);
    expect(again).not.toBe(body);
  });
});
