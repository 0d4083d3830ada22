import type { Item } from '../../shared/store/attributes.ts';
import type { StreamRecord } from '../../shared/store/change.ts';
import { keys, secretIdOfKey } from '../../shared/store/keys.ts';
import { toRelay } from '../../shared/store/relay.ts';
import { SECRET_CACHE_MS } from '../../shared/store/secretCache.ts';

/** A revoked secret, whose connections are to be closed: the body of a message of the revocation queue, as JSON. */
export interface Revocation {
  readonly envId: string;
  /** Of the secret, as connections are registered with it. */
  readonly secretId: string;
  /** From when on it is refused, unix milliseconds; may lie ahead. */
  readonly revokedAt: number;
  /** How many passes over all connections are done. */
  readonly pass: number;
  /** The shard of the environment's connections that is next. */
  readonly shard: number;
}

/**
 * When passes begin, in milliseconds after the secret was revoked: at once; when no instance has the secret in its cache any
 * more; then every ten minutes for as long as a connection may exist that has not asked for data yet.
 */
const PASSES_MS = [0, SECRET_CACHE_MS + 15_000, ...Array.from({ length: 13 }, (_, n) => (n + 1) * 600_000)];

/** When a revocation's next pass is due, unix milliseconds; undefined after the last one. */
export function dueAt({ revokedAt, pass }: Revocation): number | undefined {
  const after = PASSES_MS[pass];
  return after === undefined ? undefined : revokedAt + after;
}

/**
 * Reads a revoked secret from a record of the flags table's stream; of a revoked relay, one for each environment, in all of
 * which its connections are registered. None from any other record.
 */
export function revocationsFromRecord({ NewImage: image = {} }: StreamRecord): Revocation[] {
  const pk = image['pk']?.S ?? '';
  const revokedAt = Date.parse(image['revokedAt']?.S ?? '');
  if (Number.isNaN(revokedAt)) return [];
  const begin = { revokedAt, pass: 0, shard: 0 };
  if (pk === keys.relay('').pk.S) {
    const { id: secretId, environments } = toRelay(image as Item);
    return environments.map(({ envId }) => ({ envId, secretId, ...begin }));
  }
  const secretId = secretIdOfKey(pk);
  const envId = image['envId']?.S;
  return secretId !== undefined && envId ? [{ envId, secretId, ...begin }] : [];
}
