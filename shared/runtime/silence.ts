/**
 * Acts once an answer has not come for a time. After the process was stopped (a busy machine, a frozen instance), Node
 * runs timers before it reads sockets: an answer that lies in a socket would be given up unread. So the time is counted
 * in two halves, of which a stop ends one at most, and what has come by then is read before the act.
 *
 * @param ms how long an answer may take
 * @returns takes the watch off: to be called when the answer has come, or nobody waits for it
 */
export function onSilence(ms: number, act: () => void): () => void {
  let immediate: NodeJS.Immediate | undefined;
  const lastHalf = () => {
    // Immediates come after the sockets that can be read.
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
