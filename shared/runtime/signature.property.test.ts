import { createHash, createHmac } from 'node:crypto';
import { describe, expect, jest, test } from '@jest/globals';
import { SignatureV4 } from '@smithy/signature-v4';
import fc from 'fast-check';
import { createSigner } from './signature.ts';

/** Node's hashes, as the SDK's signer takes them. */
class Sha256 {
  readonly #hash;

  constructor(secret?: string | ArrayBuffer | ArrayBufferView) {
    this.#hash = secret === undefined ? createHash('sha256') : createHmac('sha256', secret as Uint8Array);
  }

  update(data: string | ArrayBuffer | ArrayBufferView): void {
    this.#hash.update(data as Uint8Array);
  }

  async digest(): Promise<Uint8Array> {
    return this.#hash.digest();
  }

  reset(): void {}
}

const credentials = fc.record(
  {
    accessKeyId: fc.constantFrom('AKID', 'ASIA2'),
    secretAccessKey: fc.constantFrom('wJalrXUtnFEMI', 'K7MDENG'),
    sessionToken: fc.base64String({ minLength: 4 }),
  },
  { requiredKeys: ['accessKeyId', 'secretAccessKey'] },
);
const requests = fc.record({
  method: fc.constantFrom('POST' as const, 'DELETE' as const),
  // As in a URL: all that encodeURIComponent leaves, and what it writes.
  path: fc
    .array(fc.string({ unit: 'grapheme', minLength: 1 }).map(encodeURIComponent))
    .map((parts) => `/${parts.filter((part) => !/^[.]{1,2}$/.test(part)).join('/')}`),
  body: fc.string({ unit: 'binary' }),
  // Few seconds, so that requests are repeated within one.
  at: fc.oneof(
    fc.date({ min: new Date(0), max: new Date('2100-01-01'), noInvalidDate: true }).map(Number),
    fc.integer({ min: 1_764_000_000_000, max: 1_764_000_002_999 }),
  ),
  target: fc.string({ unit: fc.constantFrom('a', '.', '_', '1') }),
});

test('a signer writes the signatures of the SDK’s, whichever keys and days follow one another', async () => {
  const sign = createSigner('eu-west-1', 'dynamodb');
  const law = fc.asyncProperty(requests, credentials, async ({ method, path, body, at, target }, keys) => {
    const headers = {
      host: 'table.example:8000',
      'content-type': 'application/x-amz-json-1.0',
      'x-amz-target': target,
    };
    const sdk = new SignatureV4({ service: 'dynamodb', region: 'eu-west-1', credentials: keys, sha256: Sha256 });
    const [protocol, hostname] = ['https:', 'table.example'];
    const request = { protocol, method, hostname, path, headers, body, query: {} };
    const { headers: expected } = await sdk.sign(request, { signingDate: new Date(at) });
    expect(sign({ method, path, headers, body, at }, keys)).toEqual(expected);
  });
  await fc.assert(law);
});

describe('a repeated request', () => {
  const post = {
    method: 'POST' as const,
    path: '/',
    headers: { host: 'table.example' },
    body: '{}',
    at: 1_764_000_000_000,
  };
  const keeping = () => createSigner('eu-west-1', 'dynamodb', true);
  const keys = { accessKeyId: 'AKID', secretAccessKey: 'wJalrXUtnFEMI' };

  test('gets the same headers until the next second', () => {
    const sign = keeping();
    const signed = sign(post, keys);
    expect(sign({ ...post, headers: { ...post.headers }, at: post.at + 999 }, { ...keys })).toBe(signed);
    const next = sign({ ...post, at: post.at + 1_000 }, keys);
    expect(next['x-amz-date']).toBe('20251124T160001Z');
    expect(sign(post, keys)).toEqual(signed);
  });

  test('is calculated again by a signer that keeps no signatures', () => {
    const sign = createSigner('eu-west-1', 'dynamodb');
    const signed = sign(post, keys);
    expect(sign(post, keys)).not.toBe(signed);
    expect(sign(post, keys)).toEqual(signed);
  });

  test('is kept under no name that holds a secret', () => {
    const names = jest.spyOn(Map.prototype, 'set');
    keeping()(post, { ...keys, sessionToken: 'rotated' });
    const written = JSON.stringify(names.mock.calls.map(([name]) => name));
    names.mockRestore();
    expect(written).toContain('table.example');
    expect(written).not.toMatch(/wJalrXUtnFEMI|rotated/);
  });

  test.each([
    ['method', { method: 'DELETE' as const }, {}],
    ['path', { path: '/other' }, {}],
    ['header', { headers: { ...post.headers, 'x-amz-target': 'GetItem' } }, {}],
    ['body', { body: '[]' }, {}],
    ['access key', {}, { accessKeyId: 'ASIA2' }],
    ['secret key', {}, { secretAccessKey: 'K7MDENG' }],
    ['session token', {}, { sessionToken: 'rotated' }],
  ])('is signed again with another %s, and with the earlier one after it', (_, other, otherKeys) => {
    const sign = keeping();
    const first = sign(post, keys);
    const fresh = keeping()({ ...post, ...other }, { ...keys, ...otherKeys });
    expect(sign({ ...post, ...other }, { ...keys, ...otherKeys })).toEqual(fresh);
    expect(sign(post, keys)).toEqual(first);
  });

  test('is right after more requests in a second than are kept', () => {
    const sign = keeping();
    const bodies = Array.from({ length: 200 }, (_, n) => `${n}`);
    const signAll = () => bodies.map((body) => sign({ ...post, body }, keys));
    const first = signAll();
    expect(signAll()).toEqual(first);
    expect(new Set(first.map(({ authorization }) => authorization)).size).toBe(200);
  });
});
