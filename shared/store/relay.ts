import type { RelaySecret } from '../protocol/relay.ts';
import type { SecretType } from '../protocol/secret.ts';
import { type Item, textIn } from './attributes.ts';
import { hashSecret, keys, secretIdOf } from './keys.ts';
import { readItem } from './read.ts';
import type { RevocableGrant } from './secrets.ts';
import type { Table } from './table.ts';

/** An environment of a relay's scope, and the relay's own secrets in it. */
export interface RelayedSecrets {
  readonly envId: string;
  /** The environment's name when the relay was made. */
  readonly envKey: string;
  /** None once the relay is revoked. */
  readonly secrets: readonly { readonly type: SecretType; readonly value: string }[];
}

/**
 * What is kept of a relay. FeatBit's agent checks the secrets of its SDKs itself, so it must receive them: a relay has secrets of
 * its own, made with it, and these alone the table holds as they are (docs/decisions/0025-relay.md).
 */
export interface RelayRecord {
  /** What its connections are registered with (`secretIdOf`). */
  readonly id: string;
  readonly name: string;
  /** Of its key: SHA-256, hexadecimal. */
  readonly hash: string;
  /** The key's first characters. */
  readonly hint: string;
  /** ISO 8601. */
  readonly createdAt: string;
  /** ISO 8601: from then on the key is refused. */
  readonly revokedAt?: string;
  readonly environments: readonly RelayedSecrets[];
}

/** What a relay key opens. */
export interface RelayGrant extends RevocableGrant {
  readonly id: string;
  readonly envIds: readonly string[];
  readonly secrets: readonly RelaySecret[];
}

/** FeatBit's environments are in projects; these are not. */
const PROJECT_KEY = 'flagwire';

/** Relay keys, read-only: what they open. */
export class RelayReader {
  protected readonly table: Table;

  constructor(table: Table) {
    this.table = table;
  }

  /** What a relay key opens, by one strongly consistent read. @returns undefined when nobody ever issued it */
  async lookUp(key: string): Promise<RelayGrant | undefined> {
    const relay = await this.read(secretIdOf(key));
    return relay?.hash === hashSecret(key) ? grantOf(relay) : undefined;
  }

  /** What a relay's key opens, by the relay's id. @returns undefined when there is no such relay, or it is revoked */
  async find(id: string): Promise<RelayGrant | undefined> {
    const relay = await this.read(id);
    return relay && relay.revokedAt === undefined ? grantOf(relay) : undefined;
  }

  protected async read(id: string): Promise<RelayRecord | undefined> {
    const item = await readItem(this.table, keys.relay(id));
    return item && toRelay(item);
  }
}

/** A relay from the table's item. */
export function toRelay(item: Item): RelayRecord {
  const revokedAt = textIn(item, 'revokedAt');
  return {
    id: textIn(item, 'sk'),
    name: textIn(item, 'name'),
    hash: textIn(item, 'hash'),
    hint: textIn(item, 'hint'),
    createdAt: textIn(item, 'createdAt'),
    ...(revokedAt ? { revokedAt } : {}),
    environments: JSON.parse(textIn(item, 'environments') || '[]') as RelayedSecrets[],
  };
}

function grantOf({ id, environments, revokedAt }: RelayRecord): RelayGrant {
  return {
    id,
    envIds: environments.map(({ envId }) => envId),
    secrets: environments.flatMap(({ envId, envKey, secrets }) =>
      secrets.map(({ type, value }) => ({ type, projectKey: PROJECT_KEY, envId, envKey, value })),
    ),
    ...(revokedAt ? { revokedAt: Date.parse(revokedAt) } : {}),
  };
}
