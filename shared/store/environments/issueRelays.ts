import type { TransactWriteItem } from '@aws-sdk/client-dynamodb';
import { formatRelayKey } from '../../protocol/relay.ts';
import { SECRET_TYPES } from '../../protocol/secret.ts';
import { attributesOf } from '../table/attributes.ts';
import { NotFound, StoreError } from '../table/errors.ts';
import { hashSecret, keys, secretIdOf } from '../table/keys.ts';
import { readItems } from '../table/read.ts';
import { retryWhenCancelled, sendTransaction } from '../table/transaction.ts';
import { type Environment, putSecrets } from './environment.ts';
import { Environments } from './environments.ts';
import { RelayReader, type RelayRecord, toRelay } from './relay.ts';
import { endSecret, issueSecret } from './secrets.ts';

/**
 * Maximum number of environments in a relay. Each takes three items of a transaction, and a row for each of the relay's
 * connections.
 */
export const SCOPE_LIMIT = 20;

const HINT_LENGTH = 7;

/** A new relay with its key. The key is shown only once. */
export interface IssuedRelay {
  readonly record: RelayRecord;
  readonly key: string;
}

/** The relays of a table. A relay's scope never changes, because its agent reads secrets only when it starts. */
export class Relays extends RelayReader {
  readonly #environments = new Environments(this.table);

  /**
   * Creates a relay with its key. Each of its environments gets one secret of each type, for SDKs behind the agent.
   *
   * @param scope environments by id or name
   * @throws {StoreError} if the name is blank, or the scope is empty or too large
   * @throws {NotFound} if an environment does not exist
   */
  async create(name: string, scope: readonly string[]): Promise<IssuedRelay> {
    const { effects } = this.table;
    if (name.trim() === '') throw new StoreError('a relay’s name must not be blank');
    return retryWhenCancelled(effects, async () => {
      const environments = await this.#findAll(scope);
      const key = formatRelayKey(effects.uuid(), effects.uuid());
      const id = secretIdOf(key);
      const issued = environments.map((environment) => ({
        environment,
        secrets: SECRET_TYPES.map((type) => issueSecret(effects, environment.id, `relay ${name}`, type)),
      }));
      const record: RelayRecord = {
        id,
        name,
        hash: hashSecret(key),
        hint: key.slice(0, HINT_LENGTH),
        createdAt: new Date(effects.now()).toISOString(),
        environments: issued.map(({ environment, secrets }) => ({
          envId: environment.id,
          envKey: environment.name,
          secrets: secrets.map(({ record: { type }, value }) => ({ type, value })),
        })),
      };
      await sendTransaction(this.table, [
        this.#put(record),
        ...issued.flatMap(({ environment, secrets }) =>
          putSecrets(
            this.table,
            environment,
            secrets.map((secret) => ({ ...secret.record, relay: id })),
          ),
        ),
      ]);
      return { record, key };
    });
  }

  /** All relays, including revoked ones, ordered by id. */
  async list(): Promise<RelayRecord[]> {
    return (await readItems(this.table, keys.relay('').pk)).map(toRelay);
  }

  /**
   * Revokes a relay: its key, and its secrets in all environments. Its connections end as those of a revoked secret do.
   *
   * @throws {NotFound} if the relay does not exist
   */
  revoke(id: string): Promise<RelayRecord> {
    const { effects } = this.table;
    return retryWhenCancelled(effects, async () => {
      const relay = await this.read(id);
      if (!relay) throw new NotFound(`there is no relay "${id}"; \`relay list\` shows all relays`);
      const now = effects.now();
      const revokedAt = relay.revokedAt ?? new Date(now).toISOString();
      const ended = { ...relay, revokedAt, environments: relay.environments.map((each) => ({ ...each, secrets: [] })) };
      const environments = await this.#findThoseLeft(relay);
      await sendTransaction(this.table, [
        this.#put(ended),
        ...environments.flatMap((environment) =>
          putSecrets(
            this.table,
            environment,
            environment.secrets.filter(({ relay }) => relay === id).map((secret) => endSecret(secret, now)),
          ),
        ),
      ]);
      return ended;
    });
  }

  async #findAll(scope: readonly string[]): Promise<Environment[]> {
    if (scope.length === 0 || scope.length > SCOPE_LIMIT) {
      throw new StoreError(
        `a relay has 1 to ${SCOPE_LIMIT} environments, not ${scope.length}: create several relays, each with its own agent`,
      );
    }
    const found: Environment[] = [];
    for (const named of scope) found.push(await this.#environments.find(named));
    return [...new Map(found.map((environment) => [environment.id, environment])).values()];
  }

  async #findThoseLeft({ environments }: RelayRecord): Promise<Environment[]> {
    const found: Environment[] = [];
    for (const { envId } of environments) {
      try {
        found.push(await this.#environments.find(envId));
      } catch (error) {
        if (!(error instanceof NotFound)) throw error;
      }
    }
    return found;
  }

  #put({ id, name, hash, hint, createdAt, revokedAt, environments }: RelayRecord): TransactWriteItem {
    const texts = { name, hash, hint, createdAt, environments: JSON.stringify(environments), revokedAt };
    return { Put: { TableName: this.table.name, Item: { ...keys.relay(id), ...attributesOf(texts) } } };
  }
}
