import type { LiveLine } from '../live.ts';

/** What happens in environments. */
export interface LiveSource {
  /**
   * Tells of what happens in an environment from now on, beginning with a `state`.
   *
   * @param tell must not throw
   * @returns what ends it
   */
  follow(envId: string, tell: (line: LiveLine) => void): () => void;
}

/** Lines a second at most; what is left out is counted. */
const LINES_A_SECOND = 50;
/** Bytes that may wait for a reader; one that lets more wait is sent nothing any more, and may ask again. */
const UNREAD_BYTES = 256 * 1024;
/** After so long without a line an empty one says that there is nothing to say, in milliseconds. */
const SILENCE_MS = 5_000;

/** Lines that are never left out. */
const WAIVED: ReadonlySet<LiveLine['type']> = new Set(['state', 'version', 'recent', 'connections']);

/** A body of lines, until its reader goes, reads too slowly, or is ended. */
export interface LiveStream {
  readonly body: ReadableStream<Uint8Array>;
  end(): void;
}

/** @param onEnd called once, when nothing more will be read */
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
            // Its reader has gone.
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

/** Writes lines, so many a second. */
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

  /** Only events are left out: of the other lines few come, and much depends on them. */
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
