import { until } from '../../../../shared/testing/until.ts';
import type { LineProcess } from './lineProcess.ts';

/** What the process of a server-side SDK tells. */
export interface Told {
  readonly value: unknown;
  /** How many flags it has. */
  readonly flags: number;
  /** How often it has connected. */
  readonly connections: number;
}

/** One of FeatBit's server-side SDKs in a process of its own, as its registry has it. */
export class DrivenSdk {
  readonly #process: LineProcess<Told>;

  constructor(process: LineProcess<Told>) {
    this.#process = process;
  }

  /** A flag's value for a user, and what else the SDK tells. @throws when its process has ended */
  ask(key: string): Promise<Told> {
    return this.#process.askLine(key);
  }

  /** Waits until a flag has this value, and it has so many flags. */
  async becomes(key: string, value: unknown, flags: number): Promise<Told> {
    return until(
      () => this.ask(key),
      (told) => told.value === value && told.flags === flags,
    );
  }

  close(): void {
    this.#process.close();
  }
}
