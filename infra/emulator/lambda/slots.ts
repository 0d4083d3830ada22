/** So many places to work at once; whoever comes when all are taken waits in line. */
interface Slots {
  /** Runs `work` when a place is free. */
  run<T>(work: () => Promise<T>): Promise<T>;
}

/** Makes `count` places. */
export function createSlots(count: number): Slots {
  let free = count;
  const line: (() => void)[] = [];
  return {
    async run(work) {
      if (free > 0) free -= 1;
      else await new Promise<void>((resolve) => line.push(resolve));
      try {
        return await work();
      } finally {
        // The place goes to the next in line without becoming free in between.
        const next = line.shift();
        if (next) next();
        else free += 1;
      }
    },
  };
}
