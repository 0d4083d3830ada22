import { type Log, oneLine } from './log.ts';

/** Things to close, in the opposite order of their opening. */
export type Closers = ReturnType<typeof createClosers>;

export function createClosers(log: Log) {
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
    add: (close: () => void | Promise<void>) => void closers.push(close),
    /** Closes everything, once. An error is logged and does not stop the others. */
    closeAll() {
      closing ??= run();
      return closing;
    },
  };
}
