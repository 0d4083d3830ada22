/** Runs `work` when a slot is free. Each caller has its own queue, and queues take turns. */
type RunInSlot = <T>(work: () => Promise<T>, caller?: string) => Promise<T>;

/** Makes `count` concurrent slots. Callers wait when all slots are taken. */
export function createSlots(count: number): RunInSlot {
  let free = count;
  /** None is empty; the first one's turn is next. */
  const lines = new Map<string, (() => void)[]>();

  function wait(caller: string): Promise<void> {
    const line = lines.get(caller) ?? [];
    lines.set(caller, line);
    return new Promise((resolve) => line.push(resolve));
  }

  function takeNext(): (() => void) | undefined {
    const [first] = lines;
    if (!first) return undefined;
    const [caller, line] = first;
    const next = line.shift();
    lines.delete(caller);
    if (line.length > 0) lines.set(caller, line);
    return next;
  }

  return async (work, caller = '') => {
    if (free > 0) free -= 1;
    else await wait(caller);
    try {
      return await work();
    } finally {
      // The slot goes to the next in the queue without becoming free in between.
      const next = takeNext();
      if (next) next();
      else free += 1;
    }
  };
}
