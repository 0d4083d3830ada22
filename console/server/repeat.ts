/** Runs a task now, and repeats it after a delay. Ignores failures. @returns a function that stops it */
export function repeat(everyMs: number, action: () => Promise<void>): () => void {
  let isOver = false;
  let timer: NodeJS.Timeout | undefined;
  const turn = async () => {
    await action().catch(() => {});
    if (!isOver) timer = setTimeout(turn, everyMs).unref();
  };
  void turn();
  return () => {
    isOver = true;
    clearTimeout(timer);
  };
}
