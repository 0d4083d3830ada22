import type { Item } from './items.ts';

/** A write that was acknowledged. */
export interface AcknowledgedWrite {
  readonly name: string;
  readonly version: number;
  /** When, in milliseconds by the run's clock. */
  readonly at: number;
}

/** Versions by the names of items. */
export type Versions = ReadonlyMap<string, number>;

/** The log of started and acknowledged writes. A failed write may be stored. */
export class WriteLog {
  readonly acknowledged: AcknowledgedWrite[] = [];
  readonly #latest = new Map<string, number>();
  readonly #begun = new Set<string>();
  readonly #seen = new Map<string, string | undefined>();
  #newest = 0;

  /** A write begins. @returns the newest version acknowledged so far, which its own must exceed */
  begin(mark: string): number {
    this.#begun.add(mark);
    return this.#newest;
  }

  /** A write was acknowledged at a time, with all the items that it wrote. */
  acknowledge(items: readonly Item[], at: number): void {
    for (const { name, version } of items) {
      this.acknowledged.push({ name, version, at });
      this.#latest.set(name, Math.max(version, this.#latest.get(name) ?? 0));
      this.#newest = Math.max(this.#newest, version);
    }
  }

  /** The newest acknowledged version of each item as of now. */
  latest(): Versions {
    return new Map(this.#latest);
  }

  /** Looks at an item that somebody received. @returns why nobody can have written it; undefined when it is sound */
  doubt({ name, version, mark }: Item): string | undefined {
    if (mark !== undefined && !this.#begun.has(mark))
      return `${name} of ${version} holds "${mark}", which nobody wrote`;
    const key = `${name}@${version}`;
    if (!this.#seen.has(key)) this.#seen.set(key, mark);
    const before = this.#seen.get(key);
    return before === mark ? undefined : `${name} of ${version} holds "${mark}" now, and "${before}" before`;
  }
}
