import { ProcessWatch } from '../measure/processWatch.ts';
import { rounded, type Slice } from '../measure/slice.ts';

const SLICE_MS = 1_000;

/** Counts what happens, and gives it away second by second: a killed run has lost its last one only. */
export class Recorder {
  /** Connections that are open now. */
  open = 0;
  readonly #sink: (slice: Slice) => void;
  readonly #watch = new ProcessWatch();
  #counters: Record<string, number> = {};
  #times: Record<string, Map<number, number>> = {};

  constructor(sink: (slice: Slice) => void) {
    this.#sink = sink;
    setInterval(() => this.flush(), SLICE_MS).unref();
  }

  count(name: string, by = 1): void {
    this.#counters[name] = (this.#counters[name] ?? 0) + by;
  }

  /** Something went wrong. @param why in a few words, the same each time, since they are counted */
  readonly fail = (why: string | Error): void => {
    this.count('errors');
    this.count(`error: ${why instanceof Error ? why.message : why}`);
  };

  /** Something took so long. @param version of the change that arrived, which has a time of its own too */
  time(name: string, ms: number, version?: number): void {
    if (version !== undefined) this.time(`change ${version}`, ms);
    this.#times[name] ??= new Map();
    const counts = this.#times[name];
    const us = rounded(ms);
    counts.set(us, (counts.get(us) ?? 0) + 1);
  }

  /** Gives away what has happened since the last time. */
  flush(): void {
    const times = Object.entries(this.#times).map(([name, counts]) => [name, [...counts]]);
    this.#sink({
      at: Math.floor(Date.now() / 1_000),
      open: this.open,
      counters: this.#counters,
      times: Object.fromEntries(times),
      ...this.#watch.read(),
    });
    this.#counters = {};
    this.#times = {};
  }
}
