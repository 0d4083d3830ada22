/** Minimum time between two lines of progress. */
const EVERY_MS = 10_000;

/** Prints the progress of a run on stderr. */
export class Progress {
  #shownAt = Number.NEGATIVE_INFINITY;

  say(text: string): void {
    process.stderr.write(`${text}\n`);
  }

  /** Prints a text, unless another one was shown in the last seconds. */
  show(text: () => string): void {
    const now = performance.now();
    if (now - this.#shownAt < EVERY_MS) return;
    this.#shownAt = now;
    this.say(text());
  }
}
