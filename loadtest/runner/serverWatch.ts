import { readUsage } from '../../dev/support/usage.ts';
import type { Usage } from '../results/runFiles.ts';

const EVERY_MS = 1_000;

/** Looks every second at what processes use, by /proc. */
export class ServerWatch {
  readonly #timer: NodeJS.Timeout;

  /** @param pids as they are at each look; none at first: nothing is looked at */
  constructor(pids: readonly number[], onUsage: (usage: Usage) => void) {
    let before = sumUsage(pids);
    let since = performance.now();
    this.#timer = setInterval(() => {
      const total = sumUsage(pids);
      const now = performance.now();
      const cpu = (total.cpuSeconds - before.cpuSeconds) / ((now - since) / 1_000);
      [before, since] = [total, now];
      // A process that came or went since the last look says nothing.
      if (cpu >= 0) onUsage({ at: Date.now() / 1_000, cpu, memory: total.memory });
    }, EVERY_MS);
    if (pids.length === 0) this.stop();
  }

  stop(): void {
    clearInterval(this.#timer);
  }
}

function sumUsage(pids: readonly number[]): { cpuSeconds: number; memory: number } {
  const all = pids.map(readUsage);
  return {
    cpuSeconds: all.reduce((sum, { cpuSeconds }) => sum + cpuSeconds, 0),
    memory: all.reduce((sum, { resident }) => sum + resident, 0),
  };
}
