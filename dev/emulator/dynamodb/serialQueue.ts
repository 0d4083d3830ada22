/** Runs tasks one at a time, in order. A failed task does not stop the next one. */
export type SerialQueue = <T>(task: () => Promise<T>) => Promise<T>;

/** Makes a queue. When the newest task has ended, all earlier ones have. */
export function createSerialQueue(): SerialQueue {
  let last: Promise<unknown> = Promise.resolve();
  return (task) => {
    const result = last.then(task);
    last = result.catch(() => undefined);
    return result;
  };
}
