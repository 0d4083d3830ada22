/**
 * Calls a function if no answer arrives in time.
 *
 * After a paused process resumes (a busy machine, a frozen instance), Node runs timers before it reads sockets. A
 * simple timeout would give up an answer that has already arrived. This timeout therefore has two halves. A pause ends
 * at most one of them, and sockets are read before the call.
 *
 * @param ms timeout for an answer
 * @returns cancels the timeout; call it when the answer has arrived or is not needed
 */
export function onSilence(ms: number, act: () => void): () => void {
  let immediate: NodeJS.Immediate | undefined;
  const lastHalf = () => {
    // Immediates run after readable sockets.
    immediate = setImmediate(act);
  };
  let timer = setTimeout(() => {
    timer = setTimeout(lastHalf, ms / 2);
  }, ms / 2);
  return () => {
    clearTimeout(timer);
    clearImmediate(immediate);
  };
}
