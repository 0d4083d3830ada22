/** The head of a frame (RFC 6455, section 5.2): its opcode, and the sizes of the head and of the payload in bytes. */
interface FrameHead {
  readonly opcode: number;
  readonly size: number;
  /** Infinite beyond 2^53. */
  readonly length: number;
}

/** Reads the head of the frame that begins at a position. @returns undefined while it is not complete */
export function readHead(bytes: ArrayLike<number>, at = 0): FrameHead | undefined {
  const [first, second] = [bytes[at], bytes[at + 1]];
  if (first === undefined || second === undefined) return undefined;
  const short = second & 0x7f;
  const extended = short < 126 ? 0 : short === 126 ? 2 : 8;
  const size = 2 + extended + (second & 0x80 ? 4 : 0);
  if (at + size > bytes.length) return undefined;
  let length = extended === 0 ? short : 0;
  for (let n = 0; n < extended; n++) length = length * 256 + (bytes[at + 2 + n] as number);
  return { opcode: first & 0x0f, size, length: Number.isSafeInteger(length) ? length : Number.POSITIVE_INFINITY };
}

/** A frame of a client, valid or not. */
interface ClientFrame {
  /** Its first byte: the FIN bit, reserved bits, opcode. */
  readonly first: number;
  readonly payload: Uint8Array;
  /** Four bytes. By default they are zero, which is valid and costs no CPU time. */
  readonly mask?: Uint8Array;
}

/** The bytes of a frame. */
export function clientFrame({ first, payload, mask }: ClientFrame): Buffer {
  const { length } = payload;
  const extended = length < 126 ? 0 : length < 65_536 ? 2 : 8;
  const head = Buffer.alloc(2 + extended);
  head[0] = first;
  head[1] = 0x80 | (extended === 0 ? length : extended === 2 ? 126 : 127);
  if (extended === 2) head.writeUInt16BE(length, 2);
  if (extended === 8) head.writeBigUInt64BE(BigInt(length), 2);
  const body = mask ? payload.map((byte, i) => byte ^ (mask[i % 4] as number)) : payload;
  return Buffer.concat([head, mask ?? Buffer.alloc(4), body]);
}
