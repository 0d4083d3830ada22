import { decodeGuid, encodeGuid } from './guid.ts';

/** The type of a secret: for browsers and apps (evaluated flags), or for servers (the flags themselves). */
export const SECRET_TYPES = ['client', 'server'] as const;
export type SecretType = (typeof SECRET_TYPES)[number];

/** Length of an environment secret: two encoded GUIDs. */
export const SECRET_LENGTH = 44;

/**
 * An environment secret in FeatBit's form: a random GUID, then the environment's.
 *
 * @param random a random GUID, from the caller's source of randomness
 */
export function formatSecret(random: string, envId: string): string {
  return encodeGuid(random) + encodeGuid(envId);
}

/** The environments of secrets that were decoded before, because each request over HTTP has one. */
const decoded = new Map<string, string>();
const MOST_DECODED = 1_000;

/**
 * The environment that a secret names. This proves nothing: the secret must still be looked up.
 *
 * @returns undefined if the text does not have a secret's form
 */
export function envIdOfSecret(secret: string): string | undefined {
  const known = decoded.get(secret);
  if (known !== undefined) return known;
  const envId = secret.trim() === secret ? decodeGuid(secret.slice(SECRET_LENGTH / 2)) : undefined;
  if (envId === undefined) return undefined;
  if (decoded.size >= MOST_DECODED) decoded.clear();
  // A copy, because a part of a header or URL keeps all of it in memory.
  decoded.set(Buffer.from(secret).toString(), envId);
  return envId;
}
