import type { Random } from '../random.ts';
import { encodeFrame, type FrameFields, OPCODE, textFrame } from './frames.ts';
import { mutatedJson } from './values.ts';

/** A user as SDKs send it. */
export const USER = { keyId: 'u1', name: 'User 1', customizedProperties: [{ name: 'country', value: 'cn' }] };

/** Messages as SDKs send them. */
const MESSAGES: readonly unknown[] = [
  { messageType: 'data-sync', data: { timestamp: 0, user: USER } },
  { messageType: 'data-sync', data: { timestamp: 1_700_000_000_000, user: USER } },
  { messageType: 'data-sync', data: { timestamp: 0 } },
  { messageType: 'ping', data: null },
  { messageType: 'ping', data: {} },
  { messageType: 'echo', data: { number: 1, text: 'x', list: [1, 2, 3] } },
  { messageType: 'rp-agent-status', data: { agentId: 'a', status: '{}' } },
];

/** Statuses of close frames: those that may be sent, those that may not, and those that do not exist. */
const STATUSES = [
  0, 999, 1000, 1001, 1002, 1003, 1004, 1005, 1006, 1007, 1009, 1011, 1015, 2999, 3000, 4003, 5000, 65_535,
];

/** Payloads that are no UTF-8: cut short, too long for what they say, surrogates, beyond the last code point. */
const NO_UTF8 = ['c3', 'c0af', 'eda080', 'f4908080', 'ff', '61e282', 'fe', 'f8888080'].map((hex) =>
  Buffer.from(hex, 'hex'),
);

/** The text of a message, right in its form or not. */
function oddMessage(random: Random): string {
  return mutatedJson(random.pick(MESSAGES), random);
}

/** A well-formed frame with an odd message. */
export function oddText(random: Random): Buffer {
  return textFrame(oddMessage(random), maskOf(random));
}

/** Frames of which each part may be wrong; a fragmented message is several. */
export function oddFrames(random: Random): Buffer[] {
  const kind = random.next();
  if (kind < 0.35) return [oddText(random)];
  if (kind < 0.55) return fragments(random);
  if (kind < 0.7) return [controlFrame(random)];
  const payload = random.pick([Buffer.from(oddMessage(random)), random.pick(NO_UTF8), Buffer.alloc(0)]);
  return [encodeFrame({ ...oddHead(random, payload.length), payload })];
}

function oddHead(random: Random, length: number): Omit<FrameFields, 'payload'> {
  const lies = [0n, 1n, 125n, 126n, 65_535n, 65_536n, 2n ** 31n, 2n ** 53n, 2n ** 63n, 2n ** 64n - 1n];
  return {
    opcode: random.chance(0.6) ? OPCODE.text : random.between(0, 15),
    isLast: random.chance(0.8),
    reserved: random.chance(0.8) ? 0 : random.between(0, 7),
    length: random.chance(0.8) ? BigInt(length) : random.pick(lies),
    width: random.pick([0, 0, 0, 2, 8]),
    ...(random.chance(0.9) ? { mask: maskOf(random) } : {}),
  };
}

/** A message in several frames, with a control frame, or with a frame that does not belong there, between them. */
function fragments(random: Random): Buffer[] {
  const bytes = random.chance(0.9) ? Buffer.from(oddMessage(random)) : random.pick(NO_UTF8);
  const count = random.between(2, 5);
  const frames = Array.from({ length: count }, (_, n) => {
    const opcode =
      n === 0 ? OPCODE.text : random.chance(0.9) ? OPCODE.continuation : random.pick([OPCODE.text, OPCODE.binary]);
    const payload = bytes.subarray((bytes.length * n) / count, (bytes.length * (n + 1)) / count);
    return encodeFrame({ opcode, payload, isLast: n === count - 1 && random.chance(0.9), mask: maskOf(random) });
  });
  if (random.chance(0.4)) frames.splice(random.between(0, frames.length), 0, controlFrame(random));
  return frames;
}

function controlFrame(random: Random): Buffer {
  const opcode = random.pick([OPCODE.close, OPCODE.ping, OPCODE.ping, OPCODE.pong, OPCODE.pong]);
  const status = Buffer.alloc(2);
  status.writeUInt16BE(random.pick(STATUSES));
  const reason = random.pick([Buffer.alloc(0), Buffer.from('going'), random.pick(NO_UTF8), Buffer.alloc(124, 'x')]);
  const ping = Buffer.alloc(random.pick([0, 1, 125, 126, 1_000]), 'p');
  const close = random.pick([Buffer.concat([status, reason]), Buffer.alloc(0), status.subarray(1)]);
  const payload = opcode === OPCODE.close ? close : ping;
  return encodeFrame({ opcode, payload, isLast: random.chance(0.9), mask: maskOf(random) });
}

export function maskOf(random: Random): Buffer {
  return Buffer.from([random.between(0, 255), random.between(0, 255), random.between(0, 255), random.between(0, 255)]);
}
