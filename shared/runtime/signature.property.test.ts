import { createHash, createHmac } from 'node:crypto';
import { expect, test } from '@jest/globals';
import { SignatureV4 } from '@smithy/signature-v4';
import fc from 'fast-check';
import { Signer } from './signature.ts';

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
const posts = fc.record({
  // As in a URL: all that encodeURIComponent leaves, and what it writes.
  path: fc
    .array(fc.string({ unit: 'grapheme', minLength: 1 }).map(encodeURIComponent))
    .map((parts) => `/${parts.filter((part) => !/^[.]{1,2}$/.test(part)).join('/')}`),
  body: fc.string({ unit: 'binary' }),
  at: fc.date({ min: new Date(0), max: new Date('2100-01-01'), noInvalidDate: true }).map(Number),
  target: fc.string({ unit: fc.constantFrom('a', '.', '_', '1') }),
});

test('a signer writes the signatures of the SDK’s, whichever keys and days follow one another', async () => {
  const signer = new Signer('eu-west-1', 'dynamodb');
  const law = fc.asyncProperty(posts, credentials, async ({ path, body, at, target }, keys) => {
    const headers = {
      host: 'table.example:8000',
      'content-type': 'application/x-amz-json-1.0',
      'x-amz-target': target,
    };
    const sdk = new SignatureV4({ service: 'dynamodb', region: 'eu-west-1', credentials: keys, sha256: Sha256 });
    const [protocol, method, hostname] = ['https:', 'POST', 'table.example'];
    const request = { protocol, method, hostname, path, headers, body, query: {} };
    const { headers: expected } = await sdk.sign(request, { signingDate: new Date(at) });
    expect(signer.sign({ path, headers, body, at }, keys)).toEqual(expected);
  });
  await fc.assert(law);
});
