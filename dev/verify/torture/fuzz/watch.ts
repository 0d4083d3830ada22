import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import type { RunningProcess } from '../../../support/runningProcess.ts';
import { readUsage } from '../../../support/usage.ts';
import type { ProbeReport, ProbeTarget } from './probe.ts';

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

/** The state of a service during the run. */
export interface WatchReport {
  readonly probe: ProbeReport;
  /** Resident memory in bytes: when the watch began, the most, and now. */
  readonly resident: { readonly first: number; readonly peak: number; readonly last: number };
}

/** Watches over a service while it is fuzzed: that it lives, keeps answering the probe, and stays within its memory. */
export class Watch {
  readonly #watched: WatchTarget;
  readonly #report: (problem: string) => void;
  readonly #onDeath: () => void;
  readonly #worker: Worker;
  readonly #timer: NodeJS.Timeout;
  #probe: ProbeReport = { asked: 0, answered: 0, slowestMs: 0, late: 0, isLate: false, problems: [] };
  #resident: WatchReport['resident'];
  #isTooLarge = false;
  #stopped: Promise<void> | undefined;

  /**
   * @param report told of each thing that is wrong, at once
   * @param onDeath told when the process has ended
   */
  constructor(watched: WatchTarget, report: (problem: string) => void, onDeath: () => void) {
    this.#watched = watched;
    this.#report = report;
    this.#onDeath = onDeath;
    const first = readUsage(watched.process.pid).resident;
    this.#resident = { first, peak: first, last: first };
    this.#worker = new Worker(new URL('./probe.ts', import.meta.url), { workerData: watched.probed });
    this.#worker.on('message', (next: ProbeReport) => {
      for (const problem of next.problems.slice(this.#probe.problems.length)) report(`the probe: ${problem}`);
      this.#probe = next;
    });
    this.#timer = setInterval(() => this.#check(), CHECK_MS);
  }

  readonly seen = (): WatchReport => ({ probe: this.#probe, resident: this.#resident });

  /**
   * Waits while an answer to the probe is late. So a flood is as fast as the machine takes it, and no more piles up in front of the probe's
   * question: what holds that up is the service.
   */
  async untilInTime(): Promise<void> {
    const until = performance.now() + HOLD_UP_MS;
    while (this.#probe.isLate && this.#watched.process.isRunning && performance.now() < until) await sleep(CHECK_MS);
  }

  /** Stops the probe and the checks. */
  stop(): Promise<void> {
    this.#stopped ??= this.#stop();
    return this.#stopped;
  }

  async #stop(): Promise<void> {
    const exit = once(this.#worker, 'exit');
    this.#worker.postMessage('leave');
    const late = setTimeout(() => void this.#worker.terminate(), LEAVE_MS);
    await exit;
    clearTimeout(late);
    clearInterval(this.#timer);
  }

  #check(): void {
    const { process, memoryBytes } = this.#watched;
    if (!process.isRunning) {
      clearInterval(this.#timer);
      this.#report(`the process has ended; its last output: ${process.output.slice(-2_000)}`);
      this.#onDeath();
      return;
    }
    const last = readUsage(process.pid).resident;
    // Without /proc, or after the end of the process.
    if (Number.isNaN(last)) return;
    if (last > memoryBytes && !this.#isTooLarge) {
      this.#isTooLarge = true;
      this.#report(`its resident memory is ${mebibytes(last)} MiB; the limit is ${mebibytes(memoryBytes)} MiB`);
    }
    this.#resident = { ...this.#resident, last, peak: Math.max(this.#resident.peak, last) };
  }
}

export function mebibytes(bytes: number): number {
  return Math.round(bytes / 1024 / 1024);
}
