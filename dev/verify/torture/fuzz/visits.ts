import { Random } from '../random.ts';
import { textFrame } from './frames.ts';
import { type Keys, oddHandshake, soundHandshake } from './handshakes.ts';
import { maskOf, oddFrames, oddText } from './messages.ts';
import { inPieces, mutate } from './mutate.ts';
import { oddRequest } from './requests.ts';

/** Kinds of sessions. */
export const KINDS = ['handshake', 'frames', 'messages', 'http', 'unread', 'upload'] as const;
export type Kind = (typeof KINDS)[number];

/** One connection, or several at once, and everything that is sent on each. */
export interface Visit {
  readonly number: number;
  readonly kind: Kind;
  /** Number of connections; one by default. */
  readonly connections?: number;
  /** Number of inputs. */
  readonly inputs: number;
  /** A valid request for a WebSocket, which must be accepted before the pieces are sent. */
  readonly opening?: Buffer;
  readonly pieces: readonly Buffer[];
}

/** Messages on one connection: fewer than the host lets wait at once. */
const MESSAGES = 24;

/** One visit in so many takes more than its share: answers that are not read, or an upload. */
const ABUSIVE_SHARE = 1 / 2_000;
const UNREAD = { connections: 4, messages: 60 };
const UPLOAD_BYTES = 64 * 1024 * 1024;

const piece = Buffer.alloc(1024 * 1024, '[');

/**
 * Makes a visit: the same for the same seed and number, but for the tokens in it, which live for seconds only.
 *
 * @param keys what opens the environment that is visited; a large one for answers that are left unread
 */
export function makeVisit(seed: number, number: number, keys: Keys): Visit {
  const random = new Random(seed, number);
  const maybeMutated = (bytes: Buffer) => (random.chance(0.6) ? mutate(bytes, random) : bytes);
  const opening = () => soundHandshake(keys, random.pick(['client', 'server']));
  if (random.chance(ABUSIVE_SHARE)) return abusiveVisit(number, random, keys);
  const kind = random.next();
  if (kind < 0.55) {
    return { number, kind: 'handshake', inputs: 1, pieces: inPieces(maybeMutated(oddHandshake(random, keys)), random) };
  }
  if (kind < 0.85) {
    return { number, kind: 'http', inputs: 1, pieces: inPieces(maybeMutated(oddRequest(random, keys)), random) };
  }
  if (kind < 0.92) {
    const pieces = random.times(1, MESSAGES, () => oddText(random));
    return { number, kind: 'messages', inputs: pieces.length, opening: opening(), pieces };
  }
  const frames = random.times(1, 12, () => oddFrames(random)).flat();
  const bytes = frames.map((frame) => (random.chance(0.2) ? mutate(frame, random, 2) : frame));
  const pieces = inPieces(Buffer.concat(bytes), random);
  return { number, kind: 'frames', inputs: frames.length, opening: opening(), pieces };
}

function abusiveVisit(number: number, random: Random, keys: Keys): Visit {
  if (random.chance(0.5)) {
    const text = '{"messageType":"data-sync","data":{"timestamp":0}}';
    const { connections, messages } = UNREAD;
    const pieces = Array.from({ length: messages }, () => textFrame(text, maskOf(random)));
    const opening = soundHandshake(keys, 'server');
    return { number, kind: 'unread', connections, inputs: connections * messages, opening, pieces };
  }
  const head = [
    'POST /api/public/insight/track HTTP/1.1',
    'Host: 127.0.0.1',
    `Authorization: ${keys.clientKey}`,
    'Content-Type: application/json',
    `Content-Length: ${UPLOAD_BYTES}`,
  ];
  const pieces = [Buffer.from(`${head.join('\r\n')}\r\n\r\n`), ...Array(UPLOAD_BYTES / piece.length).fill(piece)];
  return { number, kind: 'upload', inputs: 1, pieces };
}
