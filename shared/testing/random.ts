/** Random choices from a seed, so that they can be repeated. */
export class Random {
  #state: number;

  constructor(seed: number) {
    this.#state = seed >>> 0;
  }

  /** In [0,1). It uses mulberry32, which is small and good enough for test data. */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), this.#state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  /** A whole number from 0 to `end`, exclusive. */
  below(end: number): number {
    return Math.floor(this.next() * end);
  }

  /** True with a given probability. */
  chance(share: number): boolean {
    return this.next() < share;
  }

  /** @throws {RangeError} without items */
  pick<T>(items: readonly T[]): T {
    if (items.length === 0) throw new RangeError('there is nothing to pick from');
    return items[this.below(items.length)] as T;
  }

  /** A number of distinct items, in random order. */
  sample<T>(items: readonly T[], count: number): T[] {
    const rest = [...items];
    return Array.from({ length: Math.min(count, rest.length) }, () => rest.splice(this.below(rest.length), 1)[0] as T);
  }
}
