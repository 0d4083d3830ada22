import TinyQueue from 'tinyqueue';

/** What happens to a subject: a connection, a message or a call, by its number. */
type Act = (subject: number) => void;

interface Event {
  readonly at: number;
  readonly order: number;
  readonly act: Act;
  readonly subject: number;
}

/** How often a run tells how far it has come, in events. */
const PROGRESS_EVERY = 1_000_000;

/** What is to happen, in the order of its time; at one time in the order in which it was added. */
export class EventQueue {
  readonly #waiting = new TinyQueue<Event>([], (a, b) => a.at - b.at || a.order - b.order);
  #now = 0;
  #added = 0;
  #done = 0;

  /** Milliseconds since the beginning. */
  get now(): number {
    return this.#now;
  }

  /** Events that have happened. */
  get done(): number {
    return this.#done;
  }

  /** Adds an event some milliseconds from now; a time that has passed is now. */
  after(ms: number, act: Act, subject = 0): void {
    this.#waiting.push({ at: this.#now + Math.max(0, ms), order: this.#added++, act, subject });
  }

  /**
   * Lets everything happen up to a time, which it is then or when nothing is left.
   *
   * @param onProgress told the time each million events
   * @returns whether nothing is left
   */
  run(untilMs: number, onProgress: (nowMs: number) => void = () => {}): boolean {
    for (let next = this.#waiting.peek(); next; next = this.#waiting.peek()) {
      if (next.at > untilMs) {
        this.#now = untilMs;
        return false;
      }
      this.#waiting.pop();
      this.#now = next.at;
      next.act(next.subject);
      if (++this.#done % PROGRESS_EVERY === 0) onProgress(this.#now);
    }
    return true;
  }
}
