import { isJsonObject } from '../flags/reader.ts';
import { field } from '../flags/user.ts';
import { encodeGuid } from './guid.ts';
import { InvalidRequest, readCursor } from './message.ts';
import type { SecretType } from './secret.ts';

/** What FeatBit's agent reports when it connects. */
export const RELAY_TYPE = 'relay-proxy';

/** The type of an agent's status message, sent every minute without a reply. */
export const AGENT_STATUS = 'rp-agent-status';

const RELAY_KEY = /^rp-[\w-]{44}$/;

/** A secret as an agent receives it, to check its SDKs. */
export interface RelaySecret {
  readonly type: SecretType;
  readonly projectKey: string;
  readonly envId: string;
  readonly envKey: string;
  readonly value: string;
}

/** The request of an agent. */
export interface RelaySyncRequest {
  /** 0 asks for everything including secrets. Any other value asks for what is newer than the cursors. */
  readonly timestamp: number;
  /** Environment to cursor, unix milliseconds. A missing environment starts from 0. */
  readonly cursors: ReadonlyMap<string, number>;
}

/** A relay key: `rp-` and two random GUIDs. An agent sends it without encoding, for its whole lifetime. */
export function formatRelayKey(first: string, second: string): string {
  return `rp-${encodeGuid(first)}${encodeGuid(second)}`;
}

/** Whether a text has a relay key's form. */
export function isRelayKey(text: string): boolean {
  return RELAY_KEY.test(text);
}

/**
 * Parses the `data` of an agent's data-sync message. Field names ignore case.
 *
 * @throws {InvalidRequest} if the timestamp is not a number, or `envs` is not a list of environments with their cursors
 */
export function parseRelaySync(data: unknown): RelaySyncRequest {
  if (!isJsonObject(data)) throw new InvalidRequest('data is not an object');
  const envs = field(data, 'envs') ?? [];
  if (!Array.isArray(envs)) throw new InvalidRequest('envs is not a list');
  return { timestamp: readCursor(data), cursors: new Map(envs.map(cursorOf)) };
}

function cursorOf(env: unknown): [envId: string, timestamp: number] {
  const envId = isJsonObject(env) ? field(env, 'envId') : undefined;
  if (!isJsonObject(env) || typeof envId !== 'string') throw new InvalidRequest('an element of envs has no envId');
  return [envId.toLowerCase(), readCursor(env)];
}
