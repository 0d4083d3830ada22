/** Kinds of frames (RFC 6455, section 5.2). */
export const OPCODE = { continuation: 0, text: 1, binary: 2, close: 8, ping: 9, pong: 10 } as const;

const LAST_FRAGMENT = 0x80;

/** One frame as a server sends it: whole, unmasked, not compressed. */
export function encodeFrame(opcode: number, payload: Buffer): Buffer {
  const frame = frameOf(opcode, payload.length);
  payload.copy(frame, frame.length - payload.length);
  return frame;
}

/** A text message in one frame, written in place rather than copied: this is where replies and pushes go out. */
export function encodeText(text: string): Buffer {
  const bytes = Buffer.byteLength(text);
  const frame = frameOf(OPCODE.text, bytes);
  frame.write(text, frame.length - bytes);
  return frame;
}

/** A close frame. @param code 1005 (nothing said) makes one without a code */
export function encodeClose(code: number, reason: string): Buffer {
  if (code === NO_CODE) return encodeFrame(OPCODE.close, Buffer.alloc(0));
  const payload = Buffer.alloc(2 + Buffer.byteLength(reason));
  payload.writeUInt16BE(code);
  payload.write(reason, 2);
  return encodeFrame(OPCODE.close, payload);
}

/** Stands for a close frame that has no code; it is never sent (RFC 6455, section 7.4.1). */
export const NO_CODE = 1005;

/** Whether a peer may close with this code (RFC 6455, section 7.4, and the codes registered since). */
export function isCloseCode(code: number): boolean {
  if (code >= 3_000) return code <= 4_999;
  return code >= 1_000 && code <= 1_014 && code !== 1_004 && code !== NO_CODE && code !== 1_006;
}

/** Room for a frame with its header filled in. */
function frameOf(opcode: number, payloadBytes: number): Buffer {
  if (payloadBytes < 126) {
    const frame = Buffer.allocUnsafe(2 + payloadBytes);
    frame[1] = payloadBytes;
    frame[0] = LAST_FRAGMENT | opcode;
    return frame;
  }
  const isShort = payloadBytes < 65_536;
  const frame = Buffer.allocUnsafe((isShort ? 4 : 10) + payloadBytes);
  frame[0] = LAST_FRAGMENT | opcode;
  frame[1] = isShort ? 126 : 127;
  if (isShort) frame.writeUInt16BE(payloadBytes, 2);
  else frame.writeBigUInt64BE(BigInt(payloadBytes), 2);
  return frame;
}
