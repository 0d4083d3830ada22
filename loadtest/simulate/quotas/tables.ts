import type { TableLimits } from './account.ts';
import { UnitRate } from './unitRate.ts';

/** What a request to the tables waits for: the table as a whole, and the partition that its key is in. */
export class Tables {
  readonly #limits: TableLimits;
  readonly #reads: UnitRate;
  readonly #writes: UnitRate;
  readonly #partitions = new Map<string, UnitRate>();
  readonly units = { read: 0, written: 0 };

  constructor(limits: TableLimits) {
    this.#limits = limits;
    this.#reads = new UnitRate(limits.reads);
    this.#writes = new UnitRate(limits.writes);
  }

  /** Reads units under a key. @returns how long that waits, in milliseconds */
  read(nowMs: number, key: string, units: number): number {
    this.units.read += units;
    const ofPartition = this.#partition(`read ${key}`, this.#limits.partitionReads);
    return Math.max(this.#reads.take(nowMs, units), ofPartition.take(nowMs, units));
  }

  /** Writes units under a key. @returns how long that waits, in milliseconds */
  write(nowMs: number, key: string, units: number): number {
    this.units.written += units;
    const ofPartition = this.#partition(`write ${key}`, this.#limits.partitionWrites);
    return Math.max(this.#writes.take(nowMs, units), ofPartition.take(nowMs, units));
  }

  #partition(key: string, unitsPerSecond: number): UnitRate {
    const known = this.#partitions.get(key) ?? new UnitRate(unitsPerSecond);
    this.#partitions.set(key, known);
    return known;
  }
}
