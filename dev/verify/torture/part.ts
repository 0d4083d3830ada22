import type { ServiceName } from './service.ts';

/** What one part found on one target. */
export interface PartResult {
  readonly part: 'autobahn' | 'fuzz' | 'linearize' | 'plans';
  readonly target: ServiceName | 'tick';
  /** What it took to have this again; absent where nothing is left to chance. */
  readonly seed?: number;
  /** How long it took. */
  readonly seconds: number;
  /** What was done and found, by what it is called, in the order in which it is told. */
  readonly counts: Readonly<Record<string, number>>;
  /** How many things were wrong; none is success. */
  readonly problems: number;
  /** The first of them. */
  readonly examples: readonly string[];
}

/** How many problems are told word by word. */
const EXAMPLES = 50;

/** What is wrong: how much, and the first of it. */
export class Problems {
  readonly examples: string[] = [];
  readonly #say: (text: string) => void;
  count = 0;

  /** @param say told of each example at once */
  constructor(say: (text: string) => void = () => {}) {
    this.#say = say;
  }

  add(text: string): void {
    this.count++;
    if (this.examples.length >= EXAMPLES) return;
    this.examples.push(text);
    this.#say(text);
  }
}
