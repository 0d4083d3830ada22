import { setTimeout as sleep } from 'node:timers/promises';
import type { RunningProcess } from '../../../support/runningProcess.ts';
import { readUsage } from '../../../support/usage.ts';
import { type ProbeTarget, startProbe } from './probe.ts';

/** Time between two checks of the process. */
const CHECK_MS = 200;

/** Maximum time of the probe to stop. It waits for the answer to its last request. */
const LEAVE_MS = 60_000;

/** Maximum pause of sessions after a late answer. It is longer than the limit of a freeze, so that a freeze is reported. */
const HOLD_UP_MS = 10_000;

/** The target of a watch. */
interface WatchTarget {
  readonly process: RunningProcess;
  readonly probed: ProbeTarget;
  /** Memory limit of the process. */
  readonly memoryBytes: number;
}

/**
 * Watches a service while it is fuzzed: it must run, answer the probe, and stay within its memory.
 *
 * @param report called at once with each problem
 * @param onDeath called when the process has ended
 */
export function startWatch(
  { process, probed, memoryBytes }: WatchTarget,
  report: (problem: string) => void,
  onDeath: () => void,
) {
  const { resident: first } = readUsage(process.pid);
  const resident = { first, peak: first, last: first };
  let isTooLarge = false;
  const over = new AbortController();
  const probe = startProbe(probed, (problem) => report(`the probe: ${problem}`), over.signal);
  const timer = setInterval(() => {
    if (!process.isRunning) {
      clearInterval(timer);
      report(`the process has ended; its last output: ${process.output.slice(-2_000)}`);
      onDeath();
      return;
    }
    const { resident: last } = readUsage(process.pid);
    // Without /proc, or after the end of the process.
    if (Number.isNaN(last)) return;
    if (last > memoryBytes && !isTooLarge) {
      isTooLarge = true;
      report(`its resident memory is ${mebibytes(last)} MiB; the limit is ${mebibytes(memoryBytes)} MiB`);
    }
    Object.assign(resident, { last, peak: Math.max(resident.peak, last) });
  }, CHECK_MS);

  return {
    /** The report of the probe, and the resident memory in bytes: when the watch began, the most, and now. */
    seen: () => ({ probe: probe.seen, resident }),
    /** Waits while an answer to the probe is late, so that inputs arrive only as fast as this machine handles them. */
    async untilInTime(): Promise<void> {
      const until = performance.now() + HOLD_UP_MS;
      while (probe.seen.isLate && process.isRunning && performance.now() < until) await sleep(CHECK_MS);
    },
    /** Stops the probe and the checks. */
    async stop(): Promise<void> {
      over.abort();
      clearInterval(timer);
      await Promise.race([probe.ended, sleep(LEAVE_MS, undefined, { ref: false })]);
    },
  };
}

export function mebibytes(bytes: number): number {
  return Math.round(bytes / 1024 / 1024);
}
