/** Choices that a seed decides, so that whatever they led to can be had again. */
export class Random {
  #state: number;

  /** @param index one of the many independent sequences that a seed stands for */
  constructor(seed: number, index = 0) {
    this.#state = scramble(scramble(seed) + index);
  }

  /** A number in [0,1). */
  next(): number {
    this.#state = (this.#state + 0x9e3779b9) >>> 0;
    return scramble(this.#state) / 2 ** 32;
  }

  /** A whole number from `low` to `high`, both included. */
  between(low: number, high: number): number {
    return low + Math.floor(this.next() * (high - low + 1));
  }

  /** Whether something of this probability happens. */
  chance(probability: number): boolean {
    return this.next() < probability;
  }

  pick<T>(items: readonly T[]): T {
    if (items.length === 0) throw new RangeError('there is nothing to pick from');
    return items[this.between(0, items.length - 1)] as T;
  }

  /** As many results as a number in this range says. */
  times<T>(low: number, high: number, make: (index: number) => T): T[] {
    return Array.from({ length: this.between(low, high) }, (_, index) => make(index));
  }
}

/** The finalizer of MurmurHash3: every bit of the result depends on every bit of what goes in. */
function scramble(value: number): number {
  let mixed = value >>> 0;
  mixed = Math.imul(mixed ^ (mixed >>> 16), 0x85ebca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
  return (mixed ^ (mixed >>> 16)) >>> 0;
}
