const waiting = new Set<() => void>();
const watchers = new Set<() => void>();

/** Waits until {@link release}: a handler that a test holds up. */
export function held(): Promise<void> {
  return new Promise((resolve) => {
    waiting.add(resolve);
    for (const watch of watchers) watch();
  });
}

/** Resolves when so many are held up. */
export function whenHeld(count: number): Promise<void> {
  return new Promise((resolve) => {
    const watch = () => {
      if (waiting.size < count) return;
      watchers.delete(watch);
      resolve();
    };
    watchers.add(watch);
    watch();
  });
}

/** Lets everybody go on. */
export function release(): void {
  for (const resolve of waiting) resolve();
  waiting.clear();
}
