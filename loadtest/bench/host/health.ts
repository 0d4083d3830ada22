import { monitorEventLoopDelay } from 'node:perf_hooks';

/** What a generator says of itself. */
export interface Health {
  /** Share of one core that it used. */
  readonly cpu: number;
  /** P99 of how late its event loop was, in milliseconds. */
  readonly loopDelayMs: number;
}

/** Watches the process that it is in. */
export class HealthWatch {
  readonly #delay = monitorEventLoopDelay({ resolution: 5 });
  readonly #cpuBefore = process.cpuUsage();
  readonly #startedAt = performance.now();

  constructor() {
    this.#delay.enable();
  }

  /** What it was since the beginning. */
  end(): Health {
    const { user, system } = process.cpuUsage(this.#cpuBefore);
    this.#delay.disable();
    const elapsedMs = performance.now() - this.#startedAt;
    return { cpu: (user + system) / 1_000 / elapsedMs, loopDelayMs: this.#delay.percentile(99) / 1e6 };
  }
}
