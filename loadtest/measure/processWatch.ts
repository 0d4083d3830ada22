import { monitorEventLoopDelay } from 'node:perf_hooks';

/** Sampling interval of the event loop in milliseconds. Node's delays include this interval. */
const SAMPLE_MS = 5;

/** The CPU use and event loop delay of a process. */
export interface ProcessHealth {
  /** Share of one core. */
  readonly cpu: number;
  /** P99 of the event loop delay in milliseconds. */
  readonly lagMs: number;
}

/** Measures its own process. */
export class ProcessWatch {
  readonly #delay = monitorEventLoopDelay({ resolution: SAMPLE_MS });
  #cpu = process.cpuUsage();
  #since = performance.now();

  constructor() {
    this.#delay.enable();
  }

  /** The figures since the last call, or since the start. */
  read(): ProcessHealth {
    const now = performance.now();
    const { user, system } = process.cpuUsage(this.#cpu);
    const health = {
      cpu: (user + system) / 1_000 / (now - this.#since),
      lagMs: this.#delay.percentile(99) / 1e6 - SAMPLE_MS,
    };
    this.#cpu = process.cpuUsage();
    this.#since = now;
    this.#delay.reset();
    return health;
  }

  /** Reads the last figures, and stops. */
  end(): ProcessHealth {
    const health = this.read();
    this.#delay.disable();
    return health;
  }
}
