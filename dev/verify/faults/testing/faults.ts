/** How an invocation goes wrong: its handler throws at once, or never ends, so that its function's timeout comes. */
export type Fault = 'crash' | 'hang';

type Handler = (event: unknown, context: unknown) => Promise<unknown>;

const planned = new Map<string, Fault[]>();

/** Lets the next invocations of a function that {@link faulty} made go wrong. @param name the function's, e.g. `sync` */
export function failNext(name: string, fault: Fault, times = 1): void {
  planned.set(
    name,
    Array.from({ length: times }, () => fault),
  );
}

/** How many of the planned faults are still to come. */
export function faultsLeft(name: string): number {
  return planned.get(name)?.length ?? 0;
}

/** A function's handler, which goes wrong when {@link failNext} says so. @param load gets the handler that goes well */
export function faulty(name: string, load: () => Promise<Handler>): Handler {
  let handler: Promise<Handler> | undefined;
  return async (event, context) => {
    switch (planned.get(name)?.shift()) {
      case 'crash':
        throw new Error(`${name} was told to crash`);
      case 'hang':
        return new Promise(() => {});
      default:
        handler ??= load();
        return (await handler)(event, context);
    }
  };
}
