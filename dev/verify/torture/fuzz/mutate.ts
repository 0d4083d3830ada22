import type { Random } from '../random.ts';

/** Texts that are known to break parsers. */
const TOKENS = [
  ['\r\n', '\r\n\r\n', '\n', '\r', '\0', '\t', ' '],
  [',', ';', ':', '"', '\\', '{', '}', '[', ']', 'null'],
  ['%', '%00', '%2F', '%E0%80', '?', '#', '&', '=', '../', '//'],
  ['\u007f', '\u00a0', '\ufeff', '\ud800', '😀'],
  ['-1', '0x', '1e999', '99999999999999999999'],
  ['chunked', 'websocket', 'HTTP/1.1'],
  ['__proto__', 'constructor'],
].flatMap((texts) => texts.map((text) => Buffer.from(text)));

/** Bytes at the limits of ranges. */
const EDGES = [0, 1, 9, 10, 13, 31, 32, 34, 44, 58, 92, 125, 126, 127, 128, 129, 136, 192, 223, 239, 244, 254, 255];

/** Longest run of one byte. Long runs make slow expressions slow. */
const LONGEST_RUN = 12_000;
const REPEATED = Array.from(' \t,;="\\(%0aZ');

type Mutation = (bytes: Buffer, at: number, random: Random) => Buffer;

const MUTATIONS: readonly Mutation[] = [
  (bytes, at, random) => put(bytes, at, (bytes[at] ?? 0) ^ (1 << random.between(0, 7))),
  (bytes, at, random) => put(bytes, at, random.pick(EDGES)),
  (bytes, at, random) => insert(bytes, at, random.pick(TOKENS)),
  (bytes, at, random) => insert(bytes, at, Buffer.from(random.times(1, 8, () => random.between(0, 255)))),
  (bytes, at, random) => insert(bytes, at, bytes.subarray(at, at + random.between(1, 200))),
  (bytes, at, random) => Buffer.concat([bytes.subarray(0, at), bytes.subarray(at + random.between(1, 64))]),
  (bytes, at) => bytes.subarray(0, at),
  // A run of one byte, followed by another byte or token.
  (bytes, at, random) => {
    const run = Buffer.alloc(Math.ceil(LONGEST_RUN ** random.next()), random.pick(REPEATED));
    const next = random.chance(0.5) ? random.pick(TOKENS) : Buffer.from([random.pick(EDGES)]);
    return insert(bytes, at, Buffer.concat([run, next]));
  },
];

/** Changes bytes at random. */
export function mutate(bytes: Buffer, random: Random, most = 4): Buffer {
  let result = bytes;
  for (let left = random.between(1, most); left > 0; left--) {
    result = random.pick(MUTATIONS)(result, random.between(0, result.length), random);
  }
  return result;
}

/** Splits bytes into pieces, as a network may. */
export function inPieces(bytes: Buffer, random: Random): Buffer[] {
  if (random.chance(0.7)) return [bytes];
  const places = random.times(1, 4, () => random.between(0, bytes.length)).sort((a, b) => a - b);
  return [0, ...places].map((from, n) => bytes.subarray(from, places[n] ?? bytes.length));
}

function put(bytes: Buffer, at: number, byte: number): Buffer {
  const copy = Buffer.from(bytes);
  if (at < copy.length) copy[at] = byte;
  return copy;
}

function insert(bytes: Buffer, at: number, more: Buffer): Buffer {
  return Buffer.concat([bytes.subarray(0, at), more, bytes.subarray(at)]);
}
