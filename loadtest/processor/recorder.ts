import { monitorEventLoopDelay } from 'node:perf_hooks';
import { rounded, type Slice } from './slice.ts';

const SLICE_MS = 1_000;

/** How often the event loop is looked at; that much is in every delay that Node tells. */
const SAMPLE_MS = 5;

/** Counts what happens, and gives it away second by second: a killed run has lost its last one only. */
export class Recorder {
  /** Connections that are open now. */
  open = 0;
  readonly #sink: (slice: Slice) => void;
  readonly #delay = monitorEventLoopDelay({ resolution: SAMPLE_MS });
  #counters: Record<string, number> = {};
  #times: Record<string, Map<number, number>> = {};
  #cpu = process.cpuUsage();
  #since = performance.now();

  constructor(sink: (slice: Slice) => void) {
    this.#sink = sink;
    this.#delay.enable();
    setInterval(() => this.flush(), SLICE_MS).unref();
  }

  count(name: string, by = 1): void {
    this.#counters[name] = (this.#counters[name] ?? 0) + by;
  }

  /** Something went wrong. @param why in a few words, the same each time, since they are counted */
  fail(why: string): void {
    this.count('errors');
    this.count(`error: ${why}`);
  }

  time(name: string, ms: number): void {
    this.#times[name] ??= new Map();
    const counts = this.#times[name];
    const us = rounded(ms);
    counts.set(us, (counts.get(us) ?? 0) + 1);
  }

  /** Gives away what has happened since the last time. */
  flush(): void {
    const now = performance.now();
    const { user, system } = process.cpuUsage(this.#cpu);
    const times = Object.entries(this.#times).map(([name, counts]) => [name, [...counts]]);
    this.#sink({
      at: Math.floor(Date.now() / 1_000),
      open: this.open,
      counters: this.#counters,
      times: Object.fromEntries(times),
      cpu: (user + system) / 1_000 / (now - this.#since),
      lagMs: this.#delay.percentile(99) / 1e6 - SAMPLE_MS,
      maxLagMs: this.#delay.max / 1e6 - SAMPLE_MS,
    });
    this.#counters = {};
    this.#times = {};
    this.#cpu = process.cpuUsage();
    this.#since = now;
    this.#delay.reset();
  }
}
