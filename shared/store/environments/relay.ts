import type { RelaySecret } from '../../protocol/relay.ts';
import type { SecretType } from '../../protocol/secret.ts';
import { type Item, textIn } from '../table/attributes.ts';
import { hashSecret, keys, secretIdOf } from '../table/keys.ts';
import { readItem } from '../table/read.ts';
import { TableAccess } from '../table/tableAccess.ts';
import type { RevocableGrant, SecretRecord } from './secrets.ts';

/** An environment in a relay's scope, and the relay's secrets in it. */
export interface RelayedSecrets {
  readonly envId: string;
  /** The environment's name when the relay was created. */
  readonly envKey: string;
  /** Empty once the relay is revoked. */
  readonly secrets: readonly { readonly type: SecretType; readonly value: string }[];
}

/**
 * A stored relay. FeatBit's agent checks its SDKs' secrets itself, so it must receive them. A relay therefore has its
 * own secrets. Only these are stored in plain text.
 */
export interface RelayRecord extends Omit<SecretRecord, 'type' | 'relay'> {
  /** The id that its connections are registered with (`secretIdOf`). */
  readonly id: string;
  readonly environments: readonly RelayedSecrets[];
}

/** The access that a relay key grants. */
export interface RelayGrant extends RevocableGrant {
  readonly id: string;
  readonly envIds: readonly string[];
  readonly secrets: readonly RelaySecret[];
}

/** FeatBit groups environments into projects. This service does not. */
const PROJECT_KEY = 'flagwire';

/** Relay keys, read-only. */
export class RelayReader extends TableAccess {
  /**
   * The access that a relay key grants, by one strongly consistent read. @returns undefined if the key was never issued
   */
  async lookUp(key: string): Promise<RelayGrant | undefined> {
    const relay = await this.read(secretIdOf(key));
    return relay?.hash === hashSecret(key) ? grantOf(relay) : undefined;
  }

  /**
   * The access that a relay's key grants, by the relay's id. @returns undefined if the relay does not exist or is
   * revoked
   */
  async find(id: string): Promise<RelayGrant | undefined> {
    const relay = await this.read(id);
    return relay && relay.revokedAt === undefined ? grantOf(relay) : undefined;
  }

  protected async read(id: string): Promise<RelayRecord | undefined> {
    const item = await readItem(this.table, keys.relay(id));
    return item && toRelay(item);
  }
}

/** Parses a relay item. */
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
