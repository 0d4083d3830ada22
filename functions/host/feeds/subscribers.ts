import { KEPT_ROUNDS, type ServedRound } from '../../../shared/store/connections/connection.ts';

/** The version up to which everything was written to the sockets of all connections, and when. It never goes back. */
export class ServedVersions {
  readonly #now: () => number;
  #servedTo = 0;
  #rounds: ServedRound[] = [];

  /** @param now unix milliseconds */
  constructor(now: () => number) {
    this.#now = now;
  }

  /**
   * @param newest the version of the environment
   * @param versions what each connection has
   */
  advance(newest: number, versions: readonly number[]): { servedTo: number; rounds: readonly ServedRound[] } {
    const servedTo = versions.reduce((least, version) => Math.min(least, version), newest);
    if (servedTo > this.#servedTo) {
      // Earlier versions were sent by other processes, or there was nobody to send them to.
      if (versions.length === 0 || this.#servedTo === 0) this.#rounds = [{ version: servedTo, at: 0, left: 0 }];
      else this.#rounds = [...this.#rounds, { version: servedTo, at: this.#now(), left: 0 }].slice(-KEPT_ROUNDS);
      this.#servedTo = servedTo;
    }
    return { servedTo: this.#servedTo, rounds: this.#rounds };
  }
}
