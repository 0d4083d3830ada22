/** Time between two lines of one run. */
const EVERY_MS = 10_000;

/** Says on stderr how a run is going. */
export class Progress {
  readonly #stream: { write(text: string): unknown };
  readonly #everyMs: number;
  #saidAt = Number.NEGATIVE_INFINITY;

  constructor(stream: { write(text: string): unknown } = process.stderr, everyMs = EVERY_MS) {
    this.#stream = stream;
    this.#everyMs = everyMs;
  }

  say(text: string): void {
    this.#stream.write(`${text}\n`);
  }

  /** Says it unless something was shown a short while ago. */
  show(text: () => string): void {
    const now = performance.now();
    if (now - this.#saidAt < this.#everyMs) return;
    this.#saidAt = now;
    this.say(text());
  }
}
