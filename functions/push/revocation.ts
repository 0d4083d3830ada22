import type { StreamRecord } from '../../shared/store/change.ts';
import { secretIdOfKey } from '../../shared/store/keys.ts';
import { SECRET_CACHE_MS } from '../../shared/store/secretCache.ts';

/** The end of a secret, whose connections are to be ended: the body of a message of the revocation queue, as JSON. */
export interface Revocation {
  readonly envId: string;
  /** Of the secret, as connections are registered with it. */
  readonly secretId: string;
  /** From when on it is refused, unix milliseconds; may lie ahead. */
  readonly revokedAt: number;
  /** How often all connections have been looked through. */
  readonly pass: number;
  /** The part of the environment's connections that is next. */
  readonly shard: number;
}

/**
 * When connections are looked through, in milliseconds after the end of their secret: at once; when no instance can let
 * anybody in by what it remembers of the secret; then for as long as a connection may exist without having asked for data.
 */
const PASSES_MS = [0, SECRET_CACHE_MS + 15_000, ...Array.from({ length: 13 }, (_, n) => (n + 1) * 600_000)];

/** When a revocation's next step is due, unix milliseconds; undefined when it is done. */
export function dueAt({ revokedAt, pass }: Revocation): number | undefined {
  const after = PASSES_MS[pass];
  return after === undefined ? undefined : revokedAt + after;
}

/** Reads the end of a secret out of a record of the flags table's stream. @returns undefined for any other record */
export function revocationFromRecord({ NewImage: image = {} }: StreamRecord): Revocation | undefined {
  const secretId = secretIdOfKey(image['pk']?.S ?? '');
  const envId = image['envId']?.S;
  const revokedAt = Date.parse(image['revokedAt']?.S ?? '');
  if (secretId === undefined || !envId || Number.isNaN(revokedAt)) return undefined;
  return { envId, secretId, revokedAt, pass: 0, shard: 0 };
}
