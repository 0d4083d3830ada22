import { readFileSync } from 'node:fs';

/** Looks at a process by /proc. @returns its CPU time, and its resident memory in bytes: now, and the most so far. NaN without /proc */
export function readUsage(pid: number) {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
    const status = readFileSync(`/proc/${pid}/status`, 'utf8');
    const bytes = (name: string) => Number(new RegExp(`${name}:\\s+(\\d+)`).exec(status)?.[1]) * 1024;
    // Fields 14 and 15 of proc(5), in clock ticks of a hundredth of a second.
    const cpuSeconds = (Number(fields[11]) + Number(fields[12])) / 100;
    return { cpuSeconds, resident: bytes('VmRSS'), peakResident: bytes('VmHWM') };
  } catch {
    return { cpuSeconds: Number.NaN, resident: Number.NaN, peakResident: Number.NaN };
  }
}

/** Waits for something. @returns its result, and the share of a core that processes used meanwhile; NaN where there is no /proc */
export async function withCpu<T>(pids: readonly number[], doing: Promise<T>): Promise<[result: T, cpu: number]> {
  const used = () => pids.reduce((sum, pid) => sum + readUsage(pid).cpuSeconds, 0);
  const [before, startedAt] = [used(), performance.now()];
  const result = await doing;
  return [result, (used() - before) / ((performance.now() - startedAt) / 1_000)];
}
