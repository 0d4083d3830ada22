import { ProcessWatch } from '../measure/processWatch.ts';
import { rounded, type Slice } from '../measure/slice.ts';

const SLICE_MS = 1_000;

/** Counts events, and writes the counts every second. A killed run loses only its last second. */
export class Recorder {
  /** Open connections. */
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

  /** Counts an error. @param why a short text, the same for each error of a kind */
  readonly fail = (why: string | Error): void => {
    this.count('errors');
    this.count(`error: ${why instanceof Error ? why.message : why}`);
  };

  /** Records a time. @param version of the received change, whose times are also recorded separately */
  time(name: string, ms: number, version?: number): void {
    if (version !== undefined) this.time(`change ${version}`, ms);
    this.#times[name] ??= new Map();
    const counts = this.#times[name];
    const us = rounded(ms);
    counts.set(us, (counts.get(us) ?? 0) + 1);
  }

  /** Writes the counts since the last call. */
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
