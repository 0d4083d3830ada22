import { Random as Choices } from '../../../shared/testing/random.ts';

/** Choices that a seed decides, in many independent sequences. */
export class Random extends Choices {
  /** @param index one of the sequences of a seed */
  constructor(seed: number, index = 0) {
    super(scramble(scramble(seed) + index));
  }

  /** A whole number from `low` to `high`, both included. */
  between(low: number, high: number): number {
    return low + this.below(high - low + 1);
  }

  /** Makes a random number of results in this range. */
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
