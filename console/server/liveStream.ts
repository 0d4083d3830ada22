import type { LiveLine } from '../live.ts';

/** A source of live lines. */
export interface LiveSource {
  /**
   * Reports the events of an environment, beginning with a `state`.
   *
   * @param tell must not throw
   * @returns a function that stops it
   */
  follow(envId: string, tell: (line: LiveLine) => void): () => void;
}

/** Maximum number of lines a second. Dropped lines are counted. */
const LINES_A_SECOND = 50;
/** Maximum number of buffered bytes. A slower reader is disconnected, and can reconnect. */
const UNREAD_BYTES = 256 * 1024;

/** Types of lines that are never dropped. */
const WAIVED: ReadonlySet<LiveLine['type']> = new Set(['state', 'version', 'recent', 'connections']);

/** A response body of lines. It ends if the reader disconnects or is too slow. */
export interface LiveStream {
  readonly body: ReadableStream<Uint8Array>;
  end(): void;
}

/** @param onEnd called once at the end */
export function liveStream(source: LiveSource, envId: string, onEnd: () => void): LiveStream {
  const encoder = new TextEncoder();
  let end = () => {};
  const body = new ReadableStream<Uint8Array>(
    {
      start(controller) {
        let hasEnded = false;
        const write = (text: string) => {
          if (hasEnded) return;
          controller.enqueue(encoder.encode(`${text}\n`));
          if ((controller.desiredSize ?? 0) < 0) end();
        };
        let stop: (() => void) | undefined;
        end = () => {
          if (hasEnded) return;
          hasEnded = true;
          stop?.();
          onEnd();
          try {
            controller.close();
          } catch {
            // The reader disconnected.
          }
        };
        stop = source.follow(envId, limitLines(write));
        if (hasEnded) stop();
      },
      cancel: () => end(),
    },
    new ByteLengthQueuingStrategy({ highWaterMark: UNREAD_BYTES }),
  );
  return { body, end: () => end() };
}

/** Limits the number of lines a second. Drops only events: other lines are rare and required. */
export function limitLines(write: (text: string) => void, now: () => number = Date.now): (line: LiveLine) => void {
  let second = 0;
  let written = 0;
  let leftOut = 0;
  return (line) => {
    const current = Math.floor(now() / 1_000);
    if (current !== second) {
      if (leftOut > 0) write(JSON.stringify({ type: 'left-out', count: leftOut } satisfies LiveLine));
      second = current;
      written = leftOut = 0;
    }
    if (!WAIVED.has(line.type) && ++written > LINES_A_SECOND) leftOut++;
    else write(JSON.stringify(line));
  };
}
