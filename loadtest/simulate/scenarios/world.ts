import { Random } from '../../../shared/testing/random.ts';
import { pingsPerSecond, type SdkMix } from '../../scenarios/sdks.ts';
import { EventQueue } from '../events/eventQueue.ts';
import type { Account } from '../quotas/account.ts';
import { LambdaAccount, type LambdaRefusal } from '../quotas/lambdaAccount.ts';
import { SharedRate } from '../quotas/sharedRate.ts';
import { Tables } from '../quotas/tables.ts';
import { LimitCounts } from '../result/limitCounts.ts';
import type { Outcome } from '../result/outcome.ts';
import { Usage } from '../result/usage.ts';
import type { Times } from './times.ts';

/** Who is connected, where, and what it is simulated with. */
export interface Population {
  readonly connections: number;
  /** Environments that they are spread over evenly. */
  readonly environments: number;
  readonly sdks: SdkMix;
  readonly account: Account;
  readonly times: Times;
  /** Random choices; the same seed gives the same result. */
  readonly seed: number;
}

/** No connection lasts longer: who was not reached by then has been closed and comes back. */
export const HORIZON_MS = 2 * 3_600_000;

/** What all scenarios share: time, chance, an account with its quotas, and what is counted. */
export class World {
  readonly events = new EventQueue();
  readonly random: Random;
  readonly requests: SharedRate;
  readonly newConnections: SharedRate;
  readonly tables: Tables;
  readonly limits = new LimitCounts();
  readonly usage = new Usage();
  readonly #lambda: LambdaAccount;
  readonly #pingsEach: number;
  readonly #coldMs: number;

  constructor({ account, sdks, seed, times }: Population) {
    this.random = new Random(seed);
    this.requests = new SharedRate(account.requests);
    this.newConnections = new SharedRate(account.newConnections);
    this.tables = new Tables(account.table);
    this.#lambda = new LambdaAccount(account.lambda, () => this.events.now);
    this.#pingsEach = pingsPerSecond(sdks);
    this.#coldMs = times.coldMs;
  }

  /** What was counted until now. */
  get counted(): Pick<Outcome, 'pings' | 'limits' | 'usage' | 'units' | 'simulatedMs' | 'events'> {
    const { asked, refused } = this.requests.background;
    return {
      pings: { asked, refused },
      limits: this.limits.all,
      usage: this.usage,
      units: this.tables.units,
      simulatedMs: this.events.now,
      events: this.events.done,
    };
  }

  /** So many connections ping from now on. */
  holds(connections: number): void {
    this.requests.setBackground(this.events.now, connections * this.#pingsEach);
  }

  /** Whether API Gateway takes one more request. */
  takeRequest(): boolean {
    const isTaken = this.requests.take(this.events.now);
    if (!isTaken) this.limits.add('API Gateway: requests a second');
    return isTaken;
  }

  /**
   * Calls a function, if Lambda lets it begin.
   *
   * @returns how much longer the call takes in a new instance, in milliseconds; undefined when it is refused
   */
  beginCall(name: 'connect' | 'sync' | 'deliver'): number | undefined {
    const begun = this.#lambda.enter(name);
    if (begun !== 'warm' && begun !== 'cold') {
      this.limits.add(begun satisfies LambdaRefusal);
      return undefined;
    }
    return begun === 'cold' ? this.#coldMs : 0;
  }

  /** Ends a call that took some milliseconds. */
  endCall(name: 'connect' | 'sync' | 'deliver', ms: number): void {
    this.#lambda.leave(name);
    this.usage.addCall(name, ms);
  }

  /** How long units of a table are waited for. */
  waitForTable(kind: 'read' | 'write', key: string, units = 1): number {
    const waitMs = this.tables[kind](this.events.now, key, units);
    if (waitMs > 0) this.limits.add(`DynamoDB: ${kind} units`);
    return waitMs;
  }
}
