import type { SecretType } from '../../protocol/secret.ts';
import { Conflict, NotFound, StoreError } from '../table/errors.ts';
import { retryWhenCancelled, sendTransaction } from '../table/transaction.ts';
import { type Environment, putSecrets } from './environment.ts';
import { Environments } from './environments.ts';
import { endSecret, type IssuedSecret, issueSecret, SecretReader, type SecretRecord } from './secrets.ts';

/** The secrets of environments. Environments are named by id or name. */
export class Secrets extends SecretReader {
  readonly #environments = new Environments(this.table);

  /** Adds a secret to an environment. */
  create(env: string, name: string, type: SecretType): Promise<IssuedSecret> {
    return this.#change(env, (environment) => {
      const issued = issueSecret(this.table.effects, environment.id, name, type);
      return { records: [issued.record], result: issued };
    });
  }

  /**
   * Replaces a secret with a new one of the same name and type. The old one stays valid for `graceMs`, so that you can
   * update applications.
   *
   * @param idOrName the secret's id, or its name if only one unexpiring secret has it
   * @throws {NotFound} if the environment has no such secret, {Conflict} if several have the name
   */
  rotate(env: string, idOrName: string, graceMs: number): Promise<IssuedSecret> {
    const { effects } = this.table;
    return this.#change(env, (environment) => {
      const old = requireSecret(environment, idOrName);
      const issued = issueSecret(effects, environment.id, old.name, old.type);
      return { records: [endSecret(old, effects.now() + graceMs), issued.record], result: issued };
    });
  }

  /**
   * Revokes a secret. Warm instances refuse it once their cache entry expires (`SECRET_CACHE_MS`). Its connections are
   * closed by a function on API Gateway, or by the host.
   *
   * @param idOrName the secret's id, or its name if only one unexpiring secret has it
   * @throws {NotFound} if the environment has no such secret, {Conflict} if several have the name
   */
  revoke(env: string, idOrName: string): Promise<SecretRecord> {
    return this.#change(env, (environment) => {
      const ended = endSecret(requireSecret(environment, idOrName), this.table.effects.now());
      return { records: [ended], result: ended };
    });
  }

  /** Writes changed or new secrets of an environment in one transaction. */
  #change<T>(
    env: string,
    decide: (environment: Environment) => { records: readonly SecretRecord[]; result: T },
  ): Promise<T> {
    return retryWhenCancelled(this.table.effects, async () => {
      const environment = await this.#environments.find(env);
      const { records, result } = decide(environment);
      await sendTransaction(this.table, putSecrets(this.table, environment, records));
      return result;
    });
  }
}

/**
 * Finds a secret by its id or name. After a rotation, a name means the secret without an expiry. Secrets of relays are
 * excluded.
 */
function requireSecret(environment: Environment, idOrName: string): SecretRecord {
  const byId = environment.secrets.filter(({ id }) => id === idOrName);
  const named = environment.secrets.filter(({ name }) => name === idOrName);
  const lasting = named.filter(({ revokedAt }) => revokedAt === undefined);
  const [secret, ...others] = byId.length > 0 ? byId : lasting.length > 0 ? lasting : named;
  if (!secret) {
    throw new NotFound(
      `environment "${environment.name}" has no SDK key "${idOrName}"; \`secret list\` shows its keys`,
    );
  }
  if (others.length > 0) {
    const ids = [secret, ...others].map(({ id }) => id).join(', ');
    throw new Conflict(
      `several SDK keys of environment "${environment.name}" are named "${idOrName}"; use an id: ${ids}`,
    );
  }
  if (secret.relay !== undefined) {
    throw new StoreError(
      `the SDK key belongs to relay ${secret.relay}; to revoke both, run \`relay revoke ${secret.relay}\``,
    );
  }
  return secret;
}
