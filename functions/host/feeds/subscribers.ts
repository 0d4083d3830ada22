import { KEPT_ROUNDS, type ServedRound } from '../../../shared/store/connections/connection.ts';
import type { HostReport } from '../../../shared/store/connections/hostReports.ts';
import type { Subscriber } from './subscriber.ts';

/** The subscribers of one environment, and how far they are. */
export class Subscribers {
  readonly #now: () => number;
  readonly #all = new Set<Subscriber>();
  /** Those whose data-sync is in progress, with the version of the feed at its start. */
  readonly #answering = new Map<Subscriber, number>();
  /** The version up to which everything was written to all sockets, and when it got its last values. It never goes back. */
  #servedTo = 0;
  #rounds: ServedRound[] = [];
  /** The last report, if all connections had its version. It holds until one of them changes. */
  #settled: HostReport | undefined;

  /** @param now unix milliseconds */
  constructor(now: () => number) {
    this.#now = now;
  }

  get size(): number {
    return this.#all.size;
  }

  /** Number of data-syncs in progress. */
  get answering(): number {
    return this.#answering.size;
  }

  /** Lazy: those that are added meanwhile are included. */
  [Symbol.iterator](): Iterator<Subscriber> {
    return this.#all.values();
  }

  add(subscriber: Subscriber): void {
    this.#settled = undefined;
    this.#all.add(subscriber);
  }

  remove(subscriber: Subscriber): void {
    this.#settled = undefined;
    this.#all.delete(subscriber);
  }

  /** Forgets all. @param isOther whether those that follow belong to another environment */
  clear(isOther: boolean): void {
    this.#settled = undefined;
    this.#all.clear();
    if (isOther) [this.#servedTo, this.#rounds] = [0, []];
  }

  /** Counts a data-sync as in progress, until {@link endAnswer}. @param version of the feed */
  beginAnswer(subscriber: Subscriber, version: number): void {
    this.#answering.set(subscriber, version);
    this.#settled = undefined;
  }

  endAnswer(subscriber: Subscriber): void {
    this.#answering.delete(subscriber);
  }

  /**
   * How far they are. A message counts once the network has accepted it.
   *
   * @param newest the version of the feed
   * @returns undefined without connections of SDKs and agents
   */
  report(newest: number): HostReport | undefined {
    if (this.#all.size + this.#answering.size === 0) return undefined;
    if (this.#settled?.newest === newest) return this.#settled;
    const versions = [...this.#all].map(({ writtenTo }) => writtenTo);
    // A data-sync that began earlier may be answered with an earlier version.
    const answering = [...this.#answering].flatMap(([subscriber, from]) =>
      this.#all.has(subscriber) || from >= newest ? [] : [from],
    );
    this.#advance(newest, [...versions, ...answering]);
    const [servedTo, rounds] = [this.#servedTo, this.#rounds];
    const behind = versions.filter((version) => version < newest).length;
    const served = versions.filter((version) => version >= servedTo).length;
    const report = { open: versions.length, servedTo, served, newest, behind, rounds };
    this.#settled = behind + this.#answering.size === 0 ? report : undefined;
    return report;
  }

  #advance(newest: number, versions: readonly number[]): void {
    const servedTo = versions.reduce((least, version) => Math.min(least, version), newest);
    if (servedTo <= this.#servedTo) return;
    // Earlier versions were sent by other processes, or there was nobody to send them to.
    if (versions.length === 0 || this.#servedTo === 0) this.#rounds = [{ version: servedTo, at: 0, left: 0 }];
    else this.#rounds = [...this.#rounds, { version: servedTo, at: this.#now(), left: 0 }].slice(-KEPT_ROUNDS);
    this.#servedTo = servedTo;
  }
}
