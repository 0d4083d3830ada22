import type { StreamRecord } from '../../shared/store/documents/change.ts';
import { toRelay } from '../../shared/store/environments/relay.ts';
import { SECRET_CACHE_MS } from '../../shared/store/environments/secretCache.ts';
import type { Item } from '../../shared/store/table/attributes.ts';
import { keys, secretIdOfKey } from '../../shared/store/table/keys.ts';

/** A revoked secret whose connections must be closed: the JSON body of a message in the revocation queue. */
export interface Revocation {
  readonly envId: string;
  /** Id of the secret, as in the rows of connections. */
  readonly secretId: string;
  /** Time of revocation, unix milliseconds; may be in the future. */
  readonly revokedAt: number;
  /** Number of completed passes over all connections. */
  readonly pass: number;
  /** The next shard of the environment's connections. */
  readonly shard: number;
}

/**
 * Start of the passes, in milliseconds after the revocation: at once; when the secret has left all caches; then every ten minutes
 * while a connection may exist that has not sent a data-sync yet.
 */
const PASSES_MS = [0, SECRET_CACHE_MS + 15_000, ...Array.from({ length: 13 }, (_, n) => (n + 1) * 600_000)];

/** Due time of a revocation's next pass, unix milliseconds; undefined after the last one. */
export function dueAt({ revokedAt, pass }: Revocation): number | undefined {
  const after = PASSES_MS[pass];
  return after === undefined ? undefined : revokedAt + after;
}

/**
 * Reads a revoked secret from a record of the flags table's stream. A revoked relay yields one for each of its environments. Any
 * other record yields none.
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
