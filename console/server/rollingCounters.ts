import { omitUndefined } from '../../shared/runtime/omitUndefined.ts';
import { quantile } from '../../shared/statistics/quantile.ts';
import type { LiveEvent, RecentTotals } from '../live.ts';

const MINUTE_MS = 60_000;
/** Number of counted minutes, including the current one, so that ten are complete. */
const MINUTES = 11;
/** Maximum number of times kept for each minute and kind. */
const TIMES_A_MINUTE = 500;

interface Minute {
  opened: number;
  syncs: number;
  pushed: number;
  readonly syncMs: number[];
  readonly pushMs: number[];
}

/** Sums over the last minutes, in bounded memory. */
export class RollingCounters {
  readonly #minutes = new Map<number, Minute>();
  readonly #since: number;

  /** @param now unix milliseconds */
  constructor(now: number) {
    this.#since = now;
  }

  add(event: LiveEvent): void {
    if (event.type !== 'opened' && event.type !== 'sync' && event.type !== 'push') return;
    const minute = this.#minuteOf(event.at);
    if (event.type === 'opened') minute.opened++;
    if (event.type === 'sync') {
      minute.syncs++;
      if (minute.syncMs.length < TIMES_A_MINUTE) minute.syncMs.push(event.ms);
    }
    if (event.type === 'push') {
      minute.pushed += event.reached;
      if (minute.pushMs.length < TIMES_A_MINUTE) minute.pushMs.push(event.ms);
    }
  }

  read(now: number): RecentTotals {
    this.#forget(now);
    const all = [...this.#minutes.values()];
    const sum = (of: (minute: Minute) => number) => all.reduce((total, minute) => total + of(minute), 0);
    const begin = Math.max(this.#since, (Math.floor(now / MINUTE_MS) - MINUTES + 1) * MINUTE_MS);
    return {
      windowMs: Math.max(1, now - begin),
      opened: sum(({ opened }) => opened),
      syncs: sum(({ syncs }) => syncs),
      pushed: sum(({ pushed }) => pushed),
      ...omitUndefined({
        syncMsP95: p95(all.flatMap(({ syncMs }) => syncMs)),
        pushMsP95: p95(all.flatMap(({ pushMs }) => pushMs)),
      }),
    };
  }

  #minuteOf(at: number): Minute {
    this.#forget(at);
    const index = Math.floor(at / MINUTE_MS);
    const minute = this.#minutes.get(index) ?? { opened: 0, syncs: 0, pushed: 0, syncMs: [], pushMs: [] };
    this.#minutes.set(index, minute);
    return minute;
  }

  #forget(now: number): void {
    const first = Math.floor(now / MINUTE_MS) - MINUTES + 1;
    for (const index of this.#minutes.keys()) if (index < first) this.#minutes.delete(index);
  }
}

function p95(values: readonly number[]): number | undefined {
  return values.length === 0 ? undefined : quantile(values, 0.95);
}
