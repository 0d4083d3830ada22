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
/** Interval of empty keep-alive lines, in milliseconds. */
const SILENCE_MS = 5_000;

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
        const lines = new LimitedLines((text) => {
          if (hasEnded) return;
          controller.enqueue(encoder.encode(`${text}\n`));
          if ((controller.desiredSize ?? 0) < 0) end();
        });
        const timer = setInterval(() => lines.write(''), SILENCE_MS);
        let stop: (() => void) | undefined;
        end = () => {
          if (hasEnded) return;
          hasEnded = true;
          clearInterval(timer);
          stop?.();
          onEnd();
          try {
            controller.close();
          } catch {
            // The reader disconnected.
          }
        };
        stop = source.follow(envId, (line) => lines.tell(line));
        if (hasEnded) stop();
      },
      cancel: () => end(),
    },
    new ByteLengthQueuingStrategy({ highWaterMark: UNREAD_BYTES }),
  );
  return { body, end: () => end() };
}

/** Limits the number of lines a second. */
export class LimitedLines {
  readonly write: (text: string) => void;
  readonly #now: () => number;
  #second = 0;
  #written = 0;
  #leftOut = 0;

  /** @param now unix milliseconds */
  constructor(write: (text: string) => void, now: () => number = Date.now) {
    this.write = write;
    this.#now = now;
  }

  /** Drops only events. Other lines are rare and required. */
  tell(line: LiveLine): void {
    const second = Math.floor(this.#now() / 1_000);
    if (second !== this.#second) {
      if (this.#leftOut > 0) this.#write({ type: 'left-out', count: this.#leftOut });
      this.#second = second;
      this.#written = this.#leftOut = 0;
    }
    const isWaived = WAIVED.has(line.type);
    if (!isWaived && this.#written >= LINES_A_SECOND) {
      this.#leftOut++;
      return;
    }
    if (!isWaived) this.#written++;
    this.#write(line);
  }

  #write(line: LiveLine): void {
    this.write(JSON.stringify(line));
  }
}
