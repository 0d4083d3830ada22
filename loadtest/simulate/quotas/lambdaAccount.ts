import type { Clock } from '../../../dev/emulator/clock.ts';
import { createTokenBucket, type RateLimit } from '../../../dev/emulator/throttling/tokenBucket.ts';

/** What bounds an account's functions. */
export interface LambdaLimits {
  /** Calls of all functions at once. */
  readonly concurrentExecutions: number;
  /** New instances of one function. */
  readonly scaling: RateLimit;
  /** Calls a second for each concurrent execution. */
  readonly callsPerExecution: number;
}

/** Why a call is refused. */
export type LambdaRefusal = 'Lambda: concurrent executions' | 'Lambda: calls a second' | 'Lambda: new instances';

/** How a call begins: in an instance that is there, or in a new one. */
type Begun = 'warm' | 'cold';

/** An account's Lambda: it refuses what is too much, and never lets it wait. */
export class LambdaAccount {
  readonly #limits: LambdaLimits;
  readonly #clock: Clock;
  readonly #takeCall: () => boolean;
  readonly #functions = new Map<string, { instances: number; running: number; takeInstance: () => boolean }>();
  #running = 0;

  constructor(limits: LambdaLimits, now: () => number) {
    this.#limits = limits;
    // A bucket reads the time, and waits for nothing.
    this.#clock = { now, after: () => () => {} };
    const perSecond = limits.concurrentExecutions * limits.callsPerExecution;
    this.#takeCall = createTokenBucket({ perSecond, burst: perSecond }, this.#clock);
  }

  /** Begins a call, which {@link leave} ends. */
  enter(name: string): Begun | LambdaRefusal {
    const { concurrentExecutions, scaling } = this.#limits;
    const it = this.#functions.get(name) ?? {
      instances: 0,
      running: 0,
      takeInstance: createTokenBucket(scaling, this.#clock),
    };
    this.#functions.set(name, it);
    if (this.#running >= concurrentExecutions) return 'Lambda: concurrent executions';
    if (!this.#takeCall()) return 'Lambda: calls a second';
    const isWarm = it.running < it.instances;
    if (!isWarm && !it.takeInstance()) return 'Lambda: new instances';
    if (!isWarm) it.instances++;
    it.running++;
    this.#running++;
    return isWarm ? 'warm' : 'cold';
  }

  leave(name: string): void {
    const it = this.#functions.get(name);
    if (!it || it.running === 0) throw new Error(`no call of ${name} is running`);
    it.running--;
    this.#running--;
  }
}
