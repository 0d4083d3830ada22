import { clientFrame } from '../../../dev/emulator/websocket/frames.ts';

/** A text message from a client. */
export function textFrame(text: string): Buffer {
  return clientFrame({ first: 0x81, payload: Buffer.from(text), mask: Uint8Array.of(0x37, 0xfa, 0x21, 0x3d) });
}

/** Bytes in pieces, split at these positions (modulo their number). */
export function cut(bytes: Buffer, places: readonly number[]): Buffer[] {
  const sorted = [...new Set(places.map((place) => place % (bytes.length + 1)))].sort((a, b) => a - b);
  return [0, ...sorted]
    .map((from, i) => bytes.subarray(from, sorted[i] ?? bytes.length))
    .filter(({ length }) => length > 0);
}
