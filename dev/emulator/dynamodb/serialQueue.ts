/** Runs tasks one after another, in the order they were handed in; a failing task does not stop the next. */
export type SerialQueue = <T>(task: () => Promise<T>) => Promise<T>;

/** Makes a queue. Awaiting a task handed in last means that all earlier ones are done. */
export function createSerialQueue(): SerialQueue {
  let last: Promise<unknown> = Promise.resolve();
  return (task) => {
    const result = last.then(task);
    last = result.catch(() => undefined);
    return result;
  };
}
