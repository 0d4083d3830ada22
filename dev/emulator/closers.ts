import { type Log, oneLine } from './log.ts';

/** Things to close, in the opposite order of their opening. */
export interface Closers {
  add(close: () => void | Promise<void>): void;
  /** Closes everything; one that fails is logged and does not keep the others open. Calling it again waits for the first. */
  closeAll(): Promise<void>;
}

/** Makes an empty {@link Closers}. */
export function createClosers(log: Log): Closers {
  const closers: (() => void | Promise<void>)[] = [];
  let closing: Promise<void> | undefined;
  async function run(): Promise<void> {
    for (const close of closers.reverse()) {
      try {
        await close();
      } catch (error) {
        log(`closing: ${oneLine(error)}`);
      }
    }
  }
  return {
    add: (close) => closers.push(close),
    closeAll: () => {
      closing ??= run();
      return closing;
    },
  };
}
