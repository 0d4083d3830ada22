import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import { formatSecret, SECRET_TYPES, type SecretType } from '../protocol/secret.ts';
import type { Effects } from '../runtime/effects.ts';
import { hashSecret, keys } from './keys.ts';
import { readItem } from './read.ts';
import type { Table } from './table.ts';

/** What is kept of a secret: enough to tell it apart and to end it, never the secret itself. */
export interface SecretRecord {
  readonly id: string;
  readonly name: string;
  readonly type: SecretType;
  /** SHA-256, hexadecimal. */
  readonly hash: string;
  /** Its first characters, by which an operator recognises it. */
  readonly hint: string;
  /** ISO 8601. */
  readonly createdAt: string;
  /** ISO 8601: from then on it is refused; may lie in the future while a rotation is under way. */
  readonly revokedAt?: string;
  /** Of the relay that it was made for, and ends with. */
  readonly relay?: string;
}

/** A new secret with its value, which can be seen this once. */
export interface IssuedSecret {
  readonly record: SecretRecord;
  readonly value: string;
}

/** What opens something until it is revoked. */
export interface RevocableGrant {
  /** Unix milliseconds; undefined while nobody has revoked it. */
  readonly revokedAt?: number;
}

/** What a secret opens. */
export interface SecretGrant extends RevocableGrant {
  readonly envId: string;
  readonly type: SecretType;
}

const HINT_LENGTH = 4;

/** Makes a secret; nothing is stored yet. */
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
  return {
    ...keys.secret(record.hash),
    envId: { S: envId },
    type: { S: record.type },
    ...(record.revokedAt ? { revokedAt: { S: record.revokedAt } } : {}),
  };
}

/** Ends a secret at a time, or earlier if it was to end earlier anyway. */
export function endSecret(secret: SecretRecord, atMs: number): SecretRecord {
  const at = secret.revokedAt ? Math.min(atMs, Date.parse(secret.revokedAt)) : atMs;
  return { ...secret, revokedAt: new Date(at).toISOString() };
}

/** Secrets, read-only: what they open. */
export class SecretReader {
  protected readonly table: Table;

  constructor(table: Table) {
    this.table = table;
  }

  /**
   * What a secret opens, by one strongly consistent read.
   *
   * @returns undefined when nobody ever issued it; a revoked one is returned with its `revokedAt`
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
