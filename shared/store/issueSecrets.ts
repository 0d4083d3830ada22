import type { SecretType } from '../protocol/secret.ts';
import type { Effects } from './effects.ts';
import { type Environment, findEnvironment, putEnvironment } from './environments.ts';
import { NotFound } from './errors.ts';
import { type IssuedSecret, issueSecret, type SecretRecord, toSecretItem } from './secrets.ts';
import type { Tables } from './table.ts';
import { retryWhenCancelled, sendTransaction } from './transaction.ts';

/** Adds a secret to an environment. */
export async function createSecret(
  tables: Tables,
  effects: Effects,
  env: string,
  name: string,
  type: SecretType,
): Promise<IssuedSecret> {
  return change(tables, effects, env, (environment) => {
    const issued = issueSecret(effects, environment.id, name, type);
    return { records: [issued.record], result: issued };
  });
}

/**
 * Replaces a secret by a new one of the same name and type. The old one keeps working for `graceMs`, so that
 * applications can be moved over.
 *
 * @throws {NotFound} when the environment has no such secret
 */
export async function rotateSecret(
  tables: Tables,
  effects: Effects,
  env: string,
  secretId: string,
  graceMs: number,
): Promise<IssuedSecret> {
  return change(tables, effects, env, (environment) => {
    const old = requireSecret(environment, secretId);
    const issued = issueSecret(effects, environment.id, old.name, old.type);
    return { records: [end(old, effects.now() + graceMs), issued.record], result: issued };
  });
}

/**
 * Ends a secret. New connections and requests with it are refused as soon as warm instances have forgotten it
 * (`SECRET_CACHE_MS`); connections that it opened are ended by what runs on API Gateway, or by the host.
 *
 * @throws {NotFound} when the environment has no such secret
 */
export async function revokeSecret(
  tables: Tables,
  effects: Effects,
  env: string,
  secretId: string,
): Promise<SecretRecord> {
  return change(tables, effects, env, (environment) => {
    const ended = end(requireSecret(environment, secretId), effects.now());
    return { records: [ended], result: ended };
  });
}

/** Writes changed or new secrets to both places that hold them, in one transaction. */
function change<T>(
  tables: Tables,
  effects: Effects,
  env: string,
  decide: (environment: Environment) => { records: readonly SecretRecord[]; result: T },
): Promise<T> {
  return retryWhenCancelled(effects, async () => {
    const environment = await findEnvironment(tables, env);
    const { records, result } = decide(environment);
    const kept = environment.secrets.filter((secret) => !records.some(({ id }) => id === secret.id));
    const next = { ...environment, secrets: [...kept, ...records], revision: environment.revision + 1 };
    await sendTransaction(tables, [
      putEnvironment(tables, next, environment.revision),
      ...records.map((record) => ({ Put: { TableName: tables.flags, Item: toSecretItem(environment.id, record) } })),
    ]);
    return result;
  });
}

/** Ends a secret at a time, or earlier if it was to end earlier anyway. */
function end(secret: SecretRecord, atMs: number): SecretRecord {
  const at = secret.revokedAt ? Math.min(atMs, Date.parse(secret.revokedAt)) : atMs;
  return { ...secret, revokedAt: new Date(at).toISOString() };
}

function requireSecret(environment: Environment, secretId: string): SecretRecord {
  const secret = environment.secrets.find(({ id }) => id === secretId);
  if (!secret) {
    throw new NotFound(
      `environment "${environment.name}" has no secret "${secretId}"; \`secret list\` shows its secrets`,
    );
  }
  return secret;
}
