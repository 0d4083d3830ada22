import type { Slice } from '../measure/slice.ts';

/** Artillery's emitter of counts. */
export interface Emitter {
  emit(event: 'counter' | 'histogram', name: string, value: number): unknown;
  on(event: 'error', listener: (reason: unknown) => void): unknown;
}

const COUNT = 'flagwire.count.';
const TIME = 'flagwire.time.';
const HEALTH = ['cpu', 'lagMs', 'open'] as const;

/**
 * Writes slices as artillery's counters, which artillery adds up over all workers: one counter for each count, and one for each
 * measured time, with two significant digits (2.5 %).
 */
export class CounterSink {
  #events: Emitter | undefined;
  #waiting: Slice[] = [];

  /** Sets artillery's emitter, which the processor only receives with its first connection. */
  use(events: Emitter): void {
    if (this.#events) return;
    this.#events = events;
    for (const slice of this.#waiting.splice(0)) this.take(slice);
  }

  take(slice: Slice): void {
    const events = this.#events;
    if (!events) {
      this.#waiting.push(slice);
      return;
    }
    for (const [name, count] of Object.entries(slice.counters)) events.emit('counter', COUNT + name, count);
    for (const [name, times] of Object.entries(slice.times)) {
      for (const [us, count] of times) events.emit('counter', `${TIME}${name}.${Number(us.toPrecision(2))}`, count);
    }
    for (const name of HEALTH) events.emit('histogram', `flagwire.${name}`, slice[name]);
  }
}

/** The used part of a period in artillery's output. */
interface Period {
  /** Unix milliseconds. */
  readonly period: string | number;
  readonly counters: Readonly<Record<string, number>>;
  readonly summaries?: Readonly<Record<string, { readonly max: number; readonly mean: number } | undefined>>;
}

/** The slices that {@link CounterSink} wrote to artillery's output, one for each period. */
export function slicesOfOutput({ intermediate }: { readonly intermediate: readonly Period[] }): Slice[] {
  return intermediate.map(({ period, counters, summaries = {} }) => {
    const times: Record<string, [number, number][]> = {};
    for (const [name, count] of Object.entries(counters)) {
      if (!name.startsWith(TIME)) continue;
      const at = name.lastIndexOf('.');
      const measured = name.slice(TIME.length, at);
      times[measured] = [...(times[measured] ?? []), [Number(name.slice(at + 1)), count]];
    }
    const counts = Object.entries(counters).filter(([name]) => name.startsWith(COUNT));
    const most = (name: (typeof HEALTH)[number]) => summaries[`flagwire.${name}`]?.max ?? Number.NaN;
    return {
      at: Math.floor(Number(period) / 1_000),
      counters: Object.fromEntries(counts.map(([name, count]) => [name.slice(COUNT.length), count])),
      times,
      open: most('open'),
      cpu: most('cpu'),
      lagMs: most('lagMs'),
    };
  });
}
