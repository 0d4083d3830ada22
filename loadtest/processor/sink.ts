import type { Slice } from '../measure/slice.ts';

/** Artillery's emitter of what a run counts. */
export interface Emitter {
  emit(event: 'counter' | 'histogram', name: string, value: number): unknown;
  on(event: 'error', listener: (reason: unknown) => void): unknown;
}

/** Slices as lines of a file: what local workers leave, complete to the second whatever ends them. */
export function fileSink(append: (line: string) => void): (slice: Slice) => void {
  return (slice) => append(`${JSON.stringify(slice)}\n`);
}

const COUNT = 'flagwire.count.';
const TIME = 'flagwire.time.';
const HEALTH = ['cpu', 'lagMs', 'maxLagMs', 'open'] as const;

/**
 * Slices as artillery's own counters, which it adds up over all its workers wherever they run: one counter for each
 * count, and one for each time that was measured, by its value in two significant digits (2.5 %).
 */
export class CounterSink {
  #events: Emitter | undefined;
  #waiting: Slice[] = [];

  /** Gives it artillery's emitter, which the processor is handed with its first connection only. */
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

/** One period of artillery's output, as far as it is read. */
interface Period {
  /** Unix milliseconds. */
  readonly period: string | number;
  readonly counters: Readonly<Record<string, number>>;
  readonly summaries?: Readonly<Record<string, { readonly max: number; readonly mean: number } | undefined>>;
}

/** The slices in artillery's output, one for each of its periods: what {@link CounterSink} put there. */
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
      maxLagMs: most('maxLagMs'),
    };
  });
}
