import type { FunctionUse } from '../../dev/emulator/lambda/registry.ts';
import { readUsage } from '../../dev/support/usage.ts';
import { sumOf } from '../../shared/statistics/sumOf.ts';
import type { Usage } from '../results/runFiles.ts';

const EVERY_MS = 1_000;

/**
 * Measures CPU and memory of processes every second, from /proc.
 *
 * @param pids may change during the run. If empty at the start, nothing is measured
 * @param readFunctionUse reads what its Lambda functions used since the last reading
 * @returns stops the measurement
 */
export function watchServer(
  pids: readonly number[],
  onUsage: (usage: Usage) => void,
  readFunctionUse?: () => Promise<FunctionUse>,
): () => void {
  if (pids.length === 0) return () => {};
  let before = sumUsage(pids);
  let since = performance.now();
  const timer = setInterval(async () => {
    const total = sumUsage(pids);
    const now = performance.now();
    const cpu = (total.cpuSeconds - before.cpuSeconds) / ((now - since) / 1_000);
    [before, since] = [total, now];
    // A process has started or ended since the last measurement.
    if (cpu < 0) return;
    const at = Date.now() / 1_000;
    // The server may end meanwhile.
    const functions = await readFunctionUse?.().catch(() => undefined);
    onUsage({ at, cpu, memory: total.memory, ...(functions && { functions }) });
  }, EVERY_MS);
  return () => clearInterval(timer);
}

function sumUsage(pids: readonly number[]): { cpuSeconds: number; memory: number } {
  const all = pids.map(readUsage);
  return { cpuSeconds: sumOf(all, (each) => each.cpuSeconds), memory: sumOf(all, ({ resident }) => resident) };
}
