/**
 * Calls `onFrame` with the payload length of each frame as soon as its header is complete, before the payload is.
 *
 * `ws` limits messages, not frames; API Gateway limits both. Reads RFC 6455 section 5.2: two bytes, 0/2/8 bytes of
 * extended length, a mask of 4 bytes when the mask bit is set, then the payload. Lengths beyond 2^53 count as infinite.
 *
 * @returns a function that takes the next bytes of the client, in chunks of any size
 */
export function watchFrames(onFrame: (payloadLength: number) => void): (chunk: Uint8Array) => void {
  let header: number[] = [];
  let payloadLeft = 0;
  return (chunk) => {
    let at = 0;
    while (at < chunk.length) {
      if (payloadLeft > 0) {
        const skipped = Math.min(payloadLeft, chunk.length - at);
        payloadLeft -= skipped;
        at += skipped;
        continue;
      }
      header.push(chunk[at] ?? 0);
      at += 1;
      if (header.length < headerLength(header)) continue;
      payloadLeft = payloadLength(header);
      header = [];
      onFrame(payloadLeft);
    }
  };
}

function headerLength(header: readonly number[]): number {
  const second = header[1];
  if (second === undefined) return 2;
  const length = second & 0x7f;
  const extended = length === 126 ? 2 : length === 127 ? 8 : 0;
  return 2 + extended + (second & 0x80 ? 4 : 0);
}

function payloadLength(header: readonly number[]): number {
  const length = (header[1] ?? 0) & 0x7f;
  if (length < 126) return length;
  const bytes = header.slice(2, length === 126 ? 4 : 10);
  const value = bytes.reduce((sum, byte) => sum * 256 + byte, 0);
  return Number.isSafeInteger(value) ? value : Number.POSITIVE_INFINITY;
}
