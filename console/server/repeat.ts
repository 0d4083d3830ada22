/**
 * Does something now, and again some time after it was done; a time that fails is left out.
 *
 * @returns what ends it
 */
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
