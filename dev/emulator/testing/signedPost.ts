import { createHash, createHmac } from 'node:crypto';
import { SignatureV4 } from '@smithy/signature-v4';
import type { AccessKey } from '../iam/identities.ts';

/** Node's hashes, as the signer takes them. */
class Sha256 {
  readonly #hash;

  constructor(secret?: string | ArrayBuffer | ArrayBufferView) {
    this.#hash = secret === undefined ? createHash('sha256') : createHmac('sha256', secret as string | Uint8Array);
  }

  update(data: string | ArrayBuffer | ArrayBufferView): void {
    this.#hash.update(data as string | Uint8Array);
  }

  async digest(): Promise<Uint8Array> {
    return this.#hash.digest();
  }

  reset(): void {}
}

/** Posts a body that no SDK client would make, signed as one does. Headers may take the place of those of the signature. */
export async function signedPost(
  url: string,
  credentials: AccessKey,
  headers: Readonly<Record<string, string>>,
  body: string,
): Promise<Response> {
  const { host, hostname, pathname: path } = new URL(url);
  const signer = new SignatureV4({ service: 'any', region: 'us-east-1', credentials, sha256: Sha256 });
  const request = { method: 'POST', protocol: 'http:', hostname, path, query: {}, headers: { host, ...headers }, body };
  const signed = await signer.sign(request);
  return fetch(url, { method: 'POST', headers: { ...signed.headers, ...headers }, body });
}
