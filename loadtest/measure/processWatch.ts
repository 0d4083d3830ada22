import { monitorEventLoopDelay } from 'node:perf_hooks';

/** How often the event loop is sampled, in milliseconds. Node's delays contain this interval. */
const SAMPLE_MS = 5;

/** What a process used over some time. */
export interface ProcessHealth {
  /** Share of one core. */
  readonly cpu: number;
  /** How late the event loop was, P99 and at most, in milliseconds. */
  readonly lagMs: number;
  readonly maxLagMs: number;
}

/** Measures the process it runs in. */
export class ProcessWatch {
  readonly #delay = monitorEventLoopDelay({ resolution: SAMPLE_MS });
  #cpu = process.cpuUsage();
  #since = performance.now();

  constructor() {
    this.#delay.enable();
  }

  /** The time since the last call, or since the watch began. */
  read(): ProcessHealth {
    const now = performance.now();
    const { user, system } = process.cpuUsage(this.#cpu);
    const health = {
      cpu: (user + system) / 1_000 / (now - this.#since),
      lagMs: this.#delay.percentile(99) / 1e6 - SAMPLE_MS,
      maxLagMs: this.#delay.max / 1e6 - SAMPLE_MS,
    };
    this.#cpu = process.cpuUsage();
    this.#since = now;
    this.#delay.reset();
    return health;
  }

  /** Reads for the last time. */
  end(): ProcessHealth {
    const health = this.read();
    this.#delay.disable();
    return health;
  }
}
