import { sha256 } from '@noble/hashes/sha2.js';

// The SDK hashes its user with `crypto.subtle`, which browsers offer to HTTPS and to localhost only. A phone opens `/try` by HTTP.
if (!globalThis.crypto.subtle) {
  const digest = async (_algorithm: string, data: Uint8Array) => sha256(data);
  Object.defineProperty(globalThis.crypto, 'subtle', { value: { digest } });
}

export { FbClientBuilder, UserBuilder } from '@featbit/js-client-sdk';
