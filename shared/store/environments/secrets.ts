import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import { formatSecret, SECRET_TYPES, type SecretType } from '../../protocol/secret.ts';
import type { Effects } from '../../runtime/effects.ts';
import { attributesOf } from '../table/attributes.ts';
import { hashSecret, keys } from '../table/keys.ts';
import { readItem } from '../table/read.ts';
import { TableAccess } from '../table/tableAccess.ts';

/** A stored secret: enough to identify and revoke it, never the secret itself. */
export interface SecretRecord {
  readonly id: string;
  readonly name: string;
  readonly type: SecretType;
  /** SHA-256, hexadecimal. */
  readonly hash: string;
  /** Its first characters, by which an operator recognizes it. */
  readonly hint: string;
  /** ISO 8601. */
  readonly createdAt: string;
  /**
   * ISO 8601. From then on it is refused. May be in the future during a rotation. A new time counts after at most
   * `SECRET_CACHE_MS` (secretCache.ts), for a host's open connections plus `RECHECK_MS` (functions/host/connections/grants.ts).
   */
  readonly revokedAt?: string;
  /** Id of the relay that it was created for and is revoked with. */
  readonly relay?: string;
}

/** A new secret with its value. The value is shown only once. */
export interface IssuedSecret {
  readonly record: SecretRecord;
  readonly value: string;
}

/** Access until a revocation. */
export interface RevocableGrant {
  /** Unix milliseconds. Undefined if it is not revoked. */
  readonly revokedAt?: number;
}

/** The access that a secret grants. */
export interface SecretGrant extends RevocableGrant {
  readonly envId: string;
  readonly type: SecretType;
}

const HINT_LENGTH = 4;

/** Creates a secret. Nothing is stored yet. */
export function issueSecret(effects: Effects, envId: string, name: string, type: SecretType): IssuedSecret {
  const value = formatSecret(effects.uuid(), envId);
  return {
    value,
    record: {
      id: effects.uuid(),
      name,
      type,
      hash: hashSecret(value),
      hint: value.slice(0, HINT_LENGTH),
      createdAt: new Date(effects.now()).toISOString(),
    },
  };
}

/** The table's attributes of a secret. */
export function toSecretItem(envId: string, record: SecretRecord): Record<string, AttributeValue> {
  const { hash, type, revokedAt } = record;
  return { ...keys.secret(hash), ...attributesOf({ envId, type, revokedAt }) };
}

/** Revokes a secret at a time, unless it is revoked earlier already. */
export function endSecret(secret: SecretRecord, atMs: number): SecretRecord {
  const at = secret.revokedAt ? Math.min(atMs, Date.parse(secret.revokedAt)) : atMs;
  return { ...secret, revokedAt: new Date(at).toISOString() };
}

/** Secrets, read-only. */
export class SecretReader extends TableAccess {
  /**
   * The access that a secret grants, by one strongly consistent read.
   *
   * @returns undefined if it was never issued; a revoked one is returned with its `revokedAt`
   */
  async lookUp(secret: string): Promise<SecretGrant | undefined> {
    const item = await readItem(this.table, keys.secret(hashSecret(secret)));
    const type = SECRET_TYPES.find((known) => known === item?.['type']?.S);
    const envId = item?.['envId']?.S;
    if (!type || !envId) return undefined;
    const revokedAt = item?.['revokedAt']?.S;
    return { envId, type, ...(revokedAt ? { revokedAt: Date.parse(revokedAt) } : {}) };
  }
}
