/** A limited number of concurrent slots. Callers wait in a queue when all slots are taken. */
interface Slots {
  /**
   * Runs `work` when a place is free.
   *
   * @param caller each waits in a line of its own, and lines take turns: one with much to do holds up itself alone
   */
  run<T>(work: () => Promise<T>, caller?: string): Promise<T>;
}

/** Makes `count` places. */
export function createSlots(count: number): Slots {
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

  return {
    async run(work, caller = '') {
      if (free > 0) free -= 1;
      else await wait(caller);
      try {
        return await work();
      } finally {
        // The place goes to the next in line without becoming free in between.
        const next = takeNext();
        if (next) next();
        else free += 1;
      }
    },
  };
}
