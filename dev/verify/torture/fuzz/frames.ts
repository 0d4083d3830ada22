/** The fields of a valid or invalid WebSocket frame. */
export interface FrameFields {
  readonly opcode: number;
  readonly payload: Buffer;
  /** True if it is the last frame of its message, as by default. */
  readonly isLast?: boolean;
  /** The three reserved bits, 0 to 7; 0 by default. */
  readonly reserved?: number;
  /** Absent for a frame without a mask, as only servers may send it. */
  readonly mask?: Buffer;
  /** The length in its header. The default is the real length. */
  readonly length?: bigint;
  /** Minimum number of bytes of the length besides the seven bits: 0, 2 or 8. */
  readonly width?: 0 | 2 | 8;
}

/** A received frame. */
export interface Frame {
  readonly opcode: number;
  readonly isLast: boolean;
  readonly isMasked: boolean;
  readonly reserved: number;
  /** Without its mask. */
  readonly payload: Buffer;
}

export const OPCODE = { continuation: 0, text: 1, binary: 2, close: 8, ping: 9, pong: 10 } as const;

const LARGEST_SHORT = 125n;
const LARGEST_IN_TWO_BYTES = 65_535n;

/** The bytes of a frame (RFC 6455, 5.2). */
export function encodeFrame(fields: FrameFields): Buffer {
  const { opcode, payload, isLast = true, reserved = 0, mask, width = 0 } = fields;
  const length = fields.length ?? BigInt(payload.length);
  const needed = length <= LARGEST_SHORT ? 0 : length <= LARGEST_IN_TWO_BYTES ? 2 : 8;
  const bytes = Math.max(needed, width);
  const head = Buffer.alloc(2 + bytes);
  head[0] = (isLast ? 0x80 : 0) | (reserved << 4) | opcode;
  head[1] = (mask ? 0x80 : 0) | (bytes === 0 ? Number(length) : bytes === 2 ? 126 : 127);
  if (bytes === 2) head.writeUInt16BE(Number(length), 2);
  if (bytes === 8) head.writeBigUInt64BE(length, 2);
  return Buffer.concat(mask ? [head, mask, masked(payload, mask)] : [head, payload]);
}

/** A client's text message. */
export function textFrame(text: string, mask: Buffer): Buffer {
  return encodeFrame({ opcode: OPCODE.text, payload: Buffer.from(text), mask });
}

/** Splits bytes into frames. Chunks can have any size. */
export class FrameDecoder {
  #rest: Buffer = Buffer.alloc(0);

  /** @returns the frames that these bytes complete */
  push(bytes: Buffer): Frame[] {
    this.#rest = this.#rest.length === 0 ? bytes : Buffer.concat([this.#rest, bytes]);
    const frames: Frame[] = [];
    for (;;) {
      const read = readFrame(this.#rest);
      if (!read) return frames;
      frames.push(read.frame);
      this.#rest = this.#rest.subarray(read.size);
    }
  }
}

function readFrame(bytes: Buffer): { frame: Frame; size: number } | undefined {
  const [first = 0, second = 0] = bytes;
  const short = second & 0x7f;
  const isMasked = (second & 0x80) !== 0;
  const extended = short === 126 ? 2 : short === 127 ? 8 : 0;
  const start = 2 + extended + (isMasked ? 4 : 0);
  if (bytes.length < 2 || bytes.length < start) return undefined;
  const length = extended === 2 ? bytes.readUInt16BE(2) : extended === 8 ? Number(bytes.readBigUInt64BE(2)) : short;
  const size = start + length;
  if (bytes.length < size) return undefined;
  const body = bytes.subarray(start, size);
  const payload = isMasked ? masked(body, bytes.subarray(start - 4, start)) : body;
  const frame = { opcode: first & 0x0f, isLast: (first & 0x80) !== 0, isMasked, reserved: (first >> 4) & 7, payload };
  return { frame, size };
}

function masked(bytes: Buffer, mask: Buffer): Buffer {
  const result = Buffer.allocUnsafe(bytes.length);
  for (let n = 0; n < bytes.length; n++) result[n] = (bytes[n] as number) ^ (mask[n % 4] as number);
  return result;
}
