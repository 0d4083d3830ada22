import { until } from '../../../../shared/testing/until.ts';
import type { LineProcess } from './lineProcess.ts';

/** The state of a server-side SDK, as its process reports it. */
export interface SdkState {
  readonly value: unknown;
  /** How many flags it has. */
  readonly flags: number;
  /** How often it has connected. */
  readonly connections: number;
}

/** One of FeatBit's server-side SDKs in a process of its own, as its registry has it. */
export class DrivenSdk {
  readonly #process: LineProcess<SdkState>;

  constructor(process: LineProcess<SdkState>) {
    this.#process = process;
  }

  /** A flag's value for a user, and what else the SDK tells. @throws when its process has ended */
  ask(key: string): Promise<SdkState> {
    return this.#process.askLine(key);
  }

  /** Waits until a flag has this value, and it has so many flags. */
  async becomes(key: string, value: unknown, flags: number): Promise<SdkState> {
    return until(
      () => this.ask(key),
      (state) => state.value === value && state.flags === flags,
    );
  }

  close(): void {
    this.#process.close();
  }
}
