import { queryValues } from '../protocol/query.ts';
import { isRelayKey, RELAY_TYPE } from '../protocol/relay.ts';
import { envIdOfSecret, SECRET_TYPES, type SecretType } from '../protocol/secret.ts';
import { decodeToken, isFresh, TOKEN_LIFETIME_MS } from '../protocol/token.ts';
import type { RelayGrant } from './environments/relay.ts';
import { SecretCache } from './environments/secretCache.ts';
import type { SecretGrant } from './environments/secrets.ts';
import type { FlagReader } from './reader.ts';

/** A refusal. The reason is for the log and contains no secret. */
interface Refusal {
  readonly refused: 'malformed' | 'forbidden';
  readonly reason: string;
  /** Whether the clock of the client is probably wrong. */
  readonly isSkewed?: true;
}

/** The result: the environment and the secret, or a refusal. */
type Authentication = { readonly grant: SecretGrant; readonly secret: string } | Refusal;

/** The result for an agent, which asks for all environments of a relay. */
type RelayAuthentication = { readonly relay: RelayGrant; readonly secret: string } | Refusal;

/** Lookups of secrets and relay keys. */
export interface KnownKeys {
  readonly secrets: Pick<SecretCache, 'find'>;
  readonly relays: Pick<SecretCache<RelayGrant>, 'find'>;
}

/** The secrets and relay keys of a table, each cached briefly. */
export function openKnownKeys({ secrets, relays, effects }: Pick<FlagReader, 'secrets' | 'relays' | 'effects'>) {
  return { secrets: new SecretCache({ secrets, effects }), relays: new SecretCache({ secrets: relays, effects }) };
}

/** FeatBit's protocol versions. A missing version counts as the first. Nothing depends on the version. */
const VERSIONS = ['', '1', '2'];

/** The query parameters of a streaming connection. A missing parameter is empty. */
interface ConnectionQuery {
  readonly type: string;
  readonly token: string;
  readonly version: string;
}

/**
 * Parses a streaming connection's query. Names ignore case, values are exact. Like FeatBit's server, it joins repeated
 * values with a comma, so they are refused.
 */
export function readConnectionQuery(parameters: Iterable<readonly [name: string, value: string]>): ConnectionQuery {
  const pairs = Array.from(parameters);
  const said = (name: string) => queryValues(pairs, name).join();
  return { type: said('type'), token: said('token'), version: said('version') };
}

/**
 * Authenticates a streaming connection. The checks run in FeatBit's order: type, version, token, the secret's form, its
 * age, the secret, its type. A relay key is sent without encoding and has no age.
 *
 * @throws if the table cannot be read. That is not a refusal.
 */
export async function authenticateConnection(
  { secrets, relays }: KnownKeys,
  query: ConnectionQuery,
  nowMs: number,
): Promise<Authentication | RelayAuthentication> {
  const isRelay = query.type === RELAY_TYPE;
  if (!isRelay && !SECRET_TYPES.some((type) => type === query.type)) return forbidden(`unsupported type`);
  if (!VERSIONS.includes(query.version)) return forbidden('unsupported version');
  if (isRelay) return authenticateRelay(relays, query.token);
  const token = decodeToken(query.token);
  if (!token) return { refused: 'malformed', reason: 'malformed token' };
  if (!isFresh(token, nowMs)) return { ...forbidden(describeAge(nowMs - token.timestamp)), isSkewed: true };
  return authenticateKnown(secrets, token, query.type);
}

/**
 * Authenticates a secret, as HTTP requests send it.
 *
 * @param type required type of the secret; any type if omitted
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

/** Authenticates a relay key, as an agent sends it. */
export async function authenticateRelay(relays: KnownKeys['relays'], key: string): Promise<RelayAuthentication> {
  if (!isRelayKey(key)) return { refused: 'malformed', reason: 'missing or malformed relay key' };
  const relay = await relays.find(key);
  return relay ? { relay, secret: key } : forbidden('unknown or revoked relay key');
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

/** An SDK makes a token for each connection, so its clock is usually wrong. @param ageMs negative for a token from the future */
function describeAge(ageMs: number): string {
  const seconds = Math.ceil(Math.abs(ageMs) / 1_000);
  return `the token is ${seconds} s ${ageMs < 0 ? 'in the future' : 'old'}, above the limit of ${TOKEN_LIFETIME_MS / 1_000} s; check the clock of the client`;
}

function forbidden(reason: string): Refusal {
  return { refused: 'forbidden', reason };
}
