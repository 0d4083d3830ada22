import { decodeGuid, encodeGuid } from './guid.ts';

/** What a secret is for: browsers and apps (evaluated flags), or servers (the flags themselves). */
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

/**
 * The environment a secret belongs to. Nothing is proven by it: the secret must still be looked up.
 *
 * @returns undefined when the text does not have a secret's form
 */
export function envIdOfSecret(secret: string): string | undefined {
  return secret.trim() === secret ? decodeGuid(secret.slice(SECRET_LENGTH / 2)) : undefined;
}
