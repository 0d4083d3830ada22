/** A frame from a client, valid or not. */
interface ClientFrame {
  /** Its first byte: the FIN bit, reserved bits, opcode. */
  readonly first: number;
  readonly payload: Uint8Array;
  /** If absent, the frame is not masked, which clients must not send. */
  readonly mask?: Uint8Array;
  /** Extra bytes of the length field: 0, 2 or 8. */
  readonly width?: 0 | 2 | 8;
}

/** The bytes of a frame. */
export function clientFrame({ first, payload, mask, width = 0 }: ClientFrame): Buffer {
  const { length } = payload;
  const bytes = Math.max(width, length < 126 ? 0 : length < 65_536 ? 2 : 8);
  const head = Buffer.alloc(2 + bytes);
  head[0] = first;
  head[1] = (mask ? 0x80 : 0) | (bytes === 0 ? length : bytes === 2 ? 126 : 127);
  if (bytes === 2) head.writeUInt16BE(length, 2);
  if (bytes === 8) head.writeBigUInt64BE(BigInt(length), 2);
  const body = mask ? payload.map((byte, i) => byte ^ (mask[i % 4] as number)) : payload;
  return Buffer.concat([head, ...(mask ? [mask] : []), body]);
}

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
