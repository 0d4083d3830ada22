import { queryValues } from '../protocol/query.ts';
import { envIdOfSecret, SECRET_TYPES, type SecretType } from '../protocol/secret.ts';
import { decodeToken, isFresh } from '../protocol/token.ts';
import type { SecretCache } from './secretCache.ts';
import type { SecretGrant } from './secrets.ts';

/** Who is asking, and by which secret, or why nobody is let in; the reason is for the log, and names no secret. */
type Authentication =
  | { readonly grant: SecretGrant; readonly secret: string }
  | { readonly refused: 'malformed' | 'forbidden'; readonly reason: string };

/** FeatBit's protocol versions; the absent one counts as the first. Nothing depends on it. */
const VERSIONS = ['', '1', '2'];

/** What a streaming connection says of itself in its query; empty for what it does not say. */
interface ConnectionQuery {
  readonly type: string;
  readonly token: string;
  readonly version: string;
}

/**
 * Reads a streaming connection's query: names in any letter case, values exactly. What is said twice is read as both
 * with a comma between, as FeatBit's server reads it, and so is refused.
 */
export function readConnectionQuery(parameters: Iterable<readonly [name: string, value: string]>): ConnectionQuery {
  const said = (name: string) => queryValues(parameters, name).join();
  return { type: said('type'), token: said('token'), version: said('version') };
}

/**
 * Decides on a streaming connection, in FeatBit's order: type, version, token, its secret's form, its age, the secret
 * itself, the secret's type.
 *
 * @throws when the table cannot be asked: that is no refusal
 */
export async function authenticateConnection(
  secrets: Pick<SecretCache, 'find'>,
  query: ConnectionQuery,
  nowMs: number,
): Promise<Authentication> {
  if (!SECRET_TYPES.some((type) => type === query.type)) return forbidden(`unsupported type`);
  if (!VERSIONS.includes(query.version)) return forbidden('unsupported version');
  const token = decodeToken(query.token);
  if (!token) return { refused: 'malformed', reason: 'malformed token' };
  if (!isFresh(token, nowMs)) return forbidden(`token is ${Math.round((nowMs - token.timestamp) / 1000)} s old`);
  return authenticateKnown(secrets, token, query.type);
}

/**
 * Decides on a secret by itself, as HTTP requests carry it.
 *
 * @param type what the secret must be for; either is fine when omitted
 */
export async function authenticateSecret(
  secrets: Pick<SecretCache, 'find'>,
  secret: string,
  type?: SecretType,
): Promise<Authentication> {
  const envId = envIdOfSecret(secret);
  if (envId === undefined) return { refused: 'malformed', reason: 'missing or malformed secret' };
  return authenticateKnown(secrets, { secret, envId }, type);
}

async function authenticateKnown(
  secrets: Pick<SecretCache, 'find'>,
  { secret, envId }: { readonly secret: string; readonly envId: string },
  type: string | undefined,
): Promise<Authentication> {
  const grant = await secrets.find(secret);
  if (!grant || grant.envId !== envId) return forbidden('unknown or revoked secret');
  if (type !== undefined && grant.type !== type) return forbidden(`not a ${type} secret`);
  return { grant, secret };
}

function forbidden(reason: string): Authentication {
  return { refused: 'forbidden', reason };
}
