import type { SdkSocket } from './sdkSocket.ts';

/**
 * Lets every open connection ping in its turn, evenly, from now on.
 *
 * @param seconds in which each pings once
 * @returns what ends it
 */
export function pingInTurn(
  open: ReadonlySet<SdkSocket>,
  seconds: number,
  ping: (socket: SdkSocket) => void,
): () => void {
  let turn = open.values();
  let due = 0;
  let last = performance.now();
  const timer = setInterval(() => {
    const now = performance.now();
    due += ((now - last) / (seconds * 1_000)) * open.size;
    last = now;
    for (; due >= 1; due--) {
      let next = turn.next();
      if (next.done) {
        turn = open.values();
        next = turn.next();
      }
      if (next.done) return;
      ping(next.value);
    }
  }, 10);
  return () => clearInterval(timer);
}
