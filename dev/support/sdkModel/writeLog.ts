import type { Item } from './message.ts';

/** A write that was acknowledged. */
export interface AcknowledgedWrite {
  readonly name: string;
  readonly version: number;
  /** Time in milliseconds on the clock of the run. */
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

  /** Starts a write. @returns the newest acknowledged version. The version of the write must be higher */
  begin(mark: string): number {
    this.#begun.add(mark);
    return this.#newest;
  }

  /** Records an acknowledged write with its time and items. */
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

  /** Checks a received item. @returns the reason if no writer can have written it, or undefined */
  doubt({ name, version, mark }: Item): string | undefined {
    if (mark !== undefined && !this.#begun.has(mark))
      return `${name} of ${version} holds "${mark}", which nobody wrote`;
    const key = `${name}@${version}`;
    if (!this.#seen.has(key)) this.#seen.set(key, mark);
    const before = this.#seen.get(key);
    return before === mark ? undefined : `${name} of ${version} holds "${mark}" now, and "${before}" before`;
  }
}
