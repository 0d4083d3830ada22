import { readHead } from './frames.ts';

/**
 * Calls `onFrame` with the payload length of each frame as soon as its head is complete, before the payload is. `ws` limits messages, not
 * frames; API Gateway limits both.
 *
 * @returns a function that takes the next bytes of the client, in chunks of any size
 */
export function watchFrames(onFrame: (payloadLength: number) => void): (chunk: Uint8Array) => void {
  let begun: number[] = [];
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
      begun.push(chunk[at] ?? 0);
      at += 1;
      const head = readHead(begun);
      if (!head) continue;
      payloadLeft = head.length;
      begun = [];
      onFrame(payloadLeft);
    }
  };
}
