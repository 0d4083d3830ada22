/** Events that handlers noted, for a test to look at: by the handler's name, oldest first. */
const received = new Map<string, unknown[]>();
const waiting = new Set<() => void>();
const listeners = new Map<string, (event: unknown) => void>();

/** Notes an event. */
export function note(handler: string, event: unknown): void {
  received.set(handler, [...(received.get(handler) ?? []), event]);
  for (const check of waiting) check();
  listeners.get(handler)?.(event);
}

/** Calls `listener` with each event that `handler` notes from now on. */
export function onReceived(handler: string, listener: (event: unknown) => void): void {
  listeners.set(handler, listener);
}

/** Forgets everything. */
export function forgetReceived(): void {
  received.clear();
}

/** Resolves with the noted events of `handler` once there are `count` of them that satisfy `accept`. */
export function whenReceived<T>(
  handler: string,
  count: number,
  accept: (event: T) => boolean = () => true,
): Promise<T[]> {
  return new Promise((resolve) => {
    const check = () => {
      const found = ((received.get(handler) ?? []) as T[]).filter(accept);
      if (found.length < count) return;
      waiting.delete(check);
      resolve(found);
    };
    waiting.add(check);
    check();
  });
}
