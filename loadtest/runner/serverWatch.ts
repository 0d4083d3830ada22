import { readUsage } from '../../dev/support/usage.ts';
import { sumOf } from '../../shared/statistics/sumOf.ts';
import type { Usage } from '../results/runFiles.ts';

const EVERY_MS = 1_000;

/**
 * Measures CPU and memory of processes every second, from /proc.
 *
 * @param pids may change during the run. If empty at the start, nothing is measured
 * @returns stops the measurement
 */
export function watchServer(pids: readonly number[], onUsage: (usage: Usage) => void): () => void {
  if (pids.length === 0) return () => {};
  let before = sumUsage(pids);
  let since = performance.now();
  const timer = setInterval(() => {
    const total = sumUsage(pids);
    const now = performance.now();
    const cpu = (total.cpuSeconds - before.cpuSeconds) / ((now - since) / 1_000);
    [before, since] = [total, now];
    // A process has started or ended since the last measurement.
    if (cpu >= 0) onUsage({ at: Date.now() / 1_000, cpu, memory: total.memory });
  }, EVERY_MS);
  return () => clearInterval(timer);
}

function sumUsage(pids: readonly number[]): { cpuSeconds: number; memory: number } {
  const all = pids.map(readUsage);
  return { cpuSeconds: sumOf(all, (each) => each.cpuSeconds), memory: sumOf(all, ({ resident }) => resident) };
}
