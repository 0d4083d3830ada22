import type { Effects } from '../../../shared/runtime/effects.ts';

/** The minimum time between the starts of two runs, in milliseconds. */
interface Spacing {
  readonly ms: number;
  readonly effects: Pick<Effects, 'monotonic' | 'pause'>;
}

/**
 * Shares the runs of an operation among callers, one run at a time. Each caller gets a run that started after its call.
 * All callers during one run share the next one.
 *
 * @param spacing none by default
 * @returns a function that rejects with the error of the operation, for all callers who share the run
 */
export function shareRuns<T>(operation: () => Promise<T>, spacing?: Spacing): () => Promise<T> {
  let began = Number.NEGATIVE_INFINITY;
  let current: Promise<T> | undefined;
  let next: Promise<T> | undefined;
  const begin = async () => {
    await current?.catch(() => {});
    if (spacing) {
      const { ms, effects } = spacing;
      const wait = began + ms - effects.monotonic();
      if (wait > 0) await effects.pause(wait);
      began = effects.monotonic();
    }
    // Later callers get the next run.
    next = undefined;
    current = operation();
    return current;
  };
  return () => {
    next ??= begin();
    return next;
  };
}
