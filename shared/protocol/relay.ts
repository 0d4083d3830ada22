import { isJsonObject } from '../flags/reader.ts';
import { field } from '../flags/user.ts';
import { encodeGuid } from './guid.ts';
import { InvalidRequest, readCursor } from './message.ts';
import type { SecretType } from './secret.ts';

/** What FeatBit's agent says of itself when it connects. */
export const RELAY_TYPE = 'relay-proxy';

/** The type of the message in which an agent tells how it is, every minute; nothing answers it. */
export const AGENT_STATUS = 'rp-agent-status';

const RELAY_KEY = /^rp-[\w-]{44}$/;

/** A secret that an agent checks its SDKs by, as the agent receives it. */
export interface RelaySecret {
  readonly type: SecretType;
  readonly projectKey: string;
  readonly envId: string;
  readonly envKey: string;
  readonly value: string;
}

/** What an agent asks for. */
export interface RelaySyncRequest {
  /** 0 asks for everything with the secrets; any other for what is newer than the cursors. */
  readonly timestamp: number;
  /** Environment to cursor, unix milliseconds; one that is missing is asked for from 0. */
  readonly cursors: ReadonlyMap<string, number>;
}

/** A relay key: two random GUIDs after `rp-`. An agent sends it as it is, for as long as it lives. */
export function formatRelayKey(first: string, second: string): string {
  return `rp-${encodeGuid(first)}${encodeGuid(second)}`;
}

/** Whether a text has a relay key's form. */
export function isRelayKey(text: string): boolean {
  return RELAY_KEY.test(text);
}

/**
 * Reads the `data` of an agent's data-sync message. Field names may be in any letter case.
 *
 * @throws {InvalidRequest} when the timestamp is not a number, or `envs` is no list of environments with their cursors
 */
export function parseRelaySync(data: unknown): RelaySyncRequest {
  if (!isJsonObject(data)) throw new InvalidRequest('data is not an object');
  const envs = field(data, 'envs') ?? [];
  if (!Array.isArray(envs)) throw new InvalidRequest('envs is not a list');
  return { timestamp: readCursor(data), cursors: new Map(envs.map(cursorOf)) };
}

function cursorOf(env: unknown): [envId: string, timestamp: number] {
  const envId = isJsonObject(env) ? field(env, 'envId') : undefined;
  if (!isJsonObject(env) || typeof envId !== 'string') throw new InvalidRequest('one of envs has no envId');
  return [envId.toLowerCase(), readCursor(env)];
}
