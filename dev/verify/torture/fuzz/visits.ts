import type { SecretType } from '../../../../shared/protocol/secret.ts';
import { Random } from '../random.ts';
import { type Keys, type OddRequest, oddPath, oddRequest, streamingPath } from './requests.ts';
import { oddMessage } from './values.ts';

/** Kinds of sessions. */
export const KINDS = ['handshake', 'messages', 'http', 'unread', 'upload'] as const;
export type Kind = (typeof KINDS)[number];

/** What one client does, or several clients at once. */
export type Visit = {
  readonly number: number;
  /** Number of inputs. */
  readonly inputs: number;
} & (
  | { readonly kind: 'handshake'; readonly path: string }
  /** Messages on a valid WebSocket, whose answers are read. */
  | { readonly kind: 'messages'; readonly path: string; readonly messages: readonly (string | Buffer)[] }
  /** Messages on several WebSockets, whose answers are not read. */
  | {
      readonly kind: 'unread';
      readonly path: string;
      readonly messages: readonly string[];
      readonly connections: number;
    }
  | { readonly kind: 'http'; readonly request: OddRequest }
  | { readonly kind: 'upload'; readonly request: OddRequest }
);

/** Messages on one connection: fewer than the host lets wait at once. */
const MESSAGES = 24;

/** One visit in so many takes more than its share: answers that are not read, or an upload. */
const ABUSIVE_SHARE = 1 / 2_000;
const UNREAD = { connections: 4, messages: 60 };
const UPLOAD_BYTES = 64 * 1024 * 1024;

/**
 * Makes a visit: the same for the same seed and number, but for the tokens in it, which live for seconds only.
 *
 * @param keys what opens the environment that is visited; a large one for answers that are left unread
 */
export function makeVisit(seed: number, number: number, keys: Keys): Visit {
  const random = new Random(seed, number);
  if (random.chance(ABUSIVE_SHARE)) return abusiveVisit(number, random, keys);
  const kind = random.next();
  if (kind < 0.4) return { number, kind: 'handshake', inputs: 1, path: oddPath(random, keys) };
  if (kind < 0.8) return { number, kind: 'http', inputs: 1, request: oddRequest(random, keys) };
  const messages = random.times(1, MESSAGES, () => oddMessage(random));
  const type: SecretType = random.pick(['client', 'server']);
  const binary = random.chance(0.05) ? [Buffer.from(oddMessage(random))] : [];
  const all = [...messages, ...binary];
  return { number, kind: 'messages', inputs: all.length, path: streamingPath(keys, type), messages: all };
}

function abusiveVisit(number: number, random: Random, keys: Keys): Visit {
  if (random.chance(0.5)) {
    const { connections } = UNREAD;
    const messages = Array(UNREAD.messages).fill('{"messageType":"data-sync","data":{"timestamp":0}}');
    const path = streamingPath(keys, 'server');
    return { number, kind: 'unread', connections, inputs: connections * messages.length, path, messages };
  }
  const headers = { Authorization: keys.clientKey, 'Content-Type': 'application/json' };
  const body = Buffer.alloc(UPLOAD_BYTES, '[');
  const request = { method: 'POST', path: '/api/public/insight/track', headers, body };
  return { number, kind: 'upload', inputs: 1, request };
}
