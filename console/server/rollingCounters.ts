import { omitUndefined } from '../../shared/runtime/omitUndefined.ts';
import { quantile } from '../../shared/statistics/quantile.ts';
import type { LiveEvent, LiveStep, RecentTotals } from '../live.ts';

const STEP_MS = 10_000;
/** Maximum number of times kept for each step and kind. */
const TIMES_A_STEP = 100;

interface Step {
  opened: number;
  closed: number;
  syncs: number;
  pushed: number;
  readonly syncMs: number[];
  readonly pushMs: number[];
}

/** Sums over the last minutes, in bounded memory. */
export class RollingCounters {
  readonly #steps = new Map<number, Step>();
  readonly #since: number;
  readonly #windowMs: number;

  /** @param now unix milliseconds @param windowMs the counted time, a multiple of 10 s */
  constructor(now: number, windowMs = 600_000) {
    this.#since = now;
    this.#windowMs = windowMs;
  }

  add(event: LiveEvent): void {
    if (event.type === 'refused' || event.type === 'version') return;
    const step = this.#stepOf(event.at);
    if (event.type === 'opened') step.opened++;
    if (event.type === 'closed') step.closed++;
    if (event.type === 'sync') {
      step.syncs++;
      if (step.syncMs.length < TIMES_A_STEP) step.syncMs.push(event.ms);
    }
    if (event.type === 'push') {
      step.pushed += event.reached;
      if (step.pushMs.length < TIMES_A_STEP) step.pushMs.push(event.ms);
    }
  }

  read(now: number): RecentTotals {
    this.#forget(now);
    const all = [...this.#steps.values()];
    const sum = (of: (step: Step) => number) => all.reduce((total, step) => total + of(step), 0);
    return {
      windowMs: Math.max(1, now - Math.max(this.#since, this.#firstStep(now) * STEP_MS)),
      opened: sum(({ opened }) => opened),
      syncs: sum(({ syncs }) => syncs),
      pushed: sum(({ pushed }) => pushed),
      ...omitUndefined({
        syncMsP95: p95(all.flatMap(({ syncMs }) => syncMs)),
        pushMsP95: p95(all.flatMap(({ pushMs }) => pushMs)),
      }),
    };
  }

  /** The steps since the start, oldest first. @param connections number of open connections now */
  steps(now: number, connections: number): LiveStep[] {
    this.#forget(now);
    const steps: LiveStep[] = [];
    const first = Math.max(this.#firstStep(now), Math.floor(this.#since / STEP_MS));
    let open = connections;
    for (let index = Math.floor(now / STEP_MS); index >= first; index--) {
      const { opened, closed, pushed } = this.#steps.get(index) ?? { opened: 0, closed: 0, pushed: 0 };
      steps.unshift({ at: index * STEP_MS, connections: open, pushed });
      open += closed - opened;
    }
    return steps;
  }

  #stepOf(at: number): Step {
    this.#forget(at);
    const index = Math.floor(at / STEP_MS);
    const step = this.#steps.get(index) ?? { opened: 0, closed: 0, syncs: 0, pushed: 0, syncMs: [], pushMs: [] };
    this.#steps.set(index, step);
    return step;
  }

  #forget(now: number): void {
    for (const index of this.#steps.keys()) if (index < this.#firstStep(now)) this.#steps.delete(index);
  }

  /** The current step is not complete, and so is counted in addition. */
  #firstStep(now: number): number {
    return Math.floor((now - this.#windowMs) / STEP_MS);
  }
}

function p95(values: readonly number[]): number | undefined {
  return values.length === 0 ? undefined : quantile(values, 0.95);
}
