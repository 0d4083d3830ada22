/**
 * Divides a limit between environments. Each can have as much as it leaves free, at most half of the limit. So one that takes all it can does
 * not exclude others.
 */
export class Shares {
  readonly #limit: number;
  readonly #taken = new Map<string, number>();
  #total = 0;

  constructor(limit: number) {
    this.#limit = limit;
  }

  /** Takes one for an environment. @returns false if it has as much as is free, or more */
  take(envId: string): boolean {
    const own = this.#taken.get(envId) ?? 0;
    if (own >= this.#limit - this.#total) return false;
    this.#taken.set(envId, own + 1);
    this.#total += 1;
    return true;
  }
}
