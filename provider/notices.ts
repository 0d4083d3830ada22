import type { Logger } from '@openfeature/server-sdk';

/** Maximum number of different lines that are remembered, and logged once each. */
const LIMIT = 1_000;

/** Logs lines for developers, each once: without them, an evaluation with the default in the code is silent. */
export class Notices {
  readonly #logger: Logger;
  readonly #logged = new Set<string>();

  constructor(logger: Logger) {
    this.#logger = logger;
  }

  /** Logs a line, unless one with this subject was logged, or the limit is reached. */
  once(subject: string, line: string = subject): void {
    if (this.#logged.size >= LIMIT || this.#logged.has(subject)) return;
    this.#logged.add(subject);
    this.warn(line);
  }

  warn(line: string): void {
    this.#logger.warn(`flagwire: ${line}`);
  }
}
