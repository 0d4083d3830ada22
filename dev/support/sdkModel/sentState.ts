import { groupOf, type Item, type SdkUser } from './message.ts';
import type { Report, Session } from './sessions.ts';
import type { Versions } from './writeLog.ts';

/**
 * Maximum time from the acknowledgement of a change to its arrival at a connected SDK, in milliseconds. It also limits how
 * long a client-side SDK may have an item of its previous user: the push that corrects it is a push like any other.
 */
export const PUSH_MS = 30_000;

/** A data-sync of an SDK. */
export interface Asked {
  /** Ascending. */
  readonly number: number;
  readonly user: SdkUser | undefined;
  readonly at: number;
  readonly cursor: number;
  /** The versions that the SDK has for the user. */
  readonly held: Map<string, number>;
}

/** A data-sync, and what its answer depends on. */
export interface PendingSync extends Asked {
  /** What was acknowledged when it was sent. The answer must contain it. */
  readonly latest: Versions | undefined;
  readonly isFirst: boolean;
  /** Whether its user was an earlier one on this connection. */
  readonly isBack: boolean;
}

/** Counts of messages. */
export interface Counts {
  syncs: number;
  pushes: number;
  /** Pushes for the previous user. */
  leftovers: number;
  /** Pushes of an item that arrived again for a new user. */
  repeats: number;
}

/** The arrival of an item. */
export interface Arrival {
  readonly at: number;
  /** Whether an item may be for another user. */
  readonly mayBeForAnother: (item: Item) => boolean;
  /** Whether an item that has arrived before may arrive again. */
  readonly mayRepeat: (item: Item, sentVersion: number) => boolean;
  /** Milliseconds since the SDK asked again on this connection. Undefined if it did not. */
  readonly sinceAskedMs?: number | undefined;
}

/** The versions that an SDK was sent for the user of its last answered data-sync. */
export class SentState {
  readonly asked: PendingSync;
  /** By the names of items. */
  readonly sent: Map<string, number>;
  /** The newest version that it was sent. */
  newest: number;
  readonly #counts: Counts;
  readonly #report: Report;
  /** Items that are for another user: since when, and the first version. */
  readonly #wrong = new Map<string, { readonly since: number; readonly from: number }>();
  #session: { readonly from: number; readonly received: Map<number, number> } | undefined;

  /** @param sent what it was sent before for the user */
  constructor(asked: PendingSync, sent: Map<string, number>, counts: Counts, report: Report) {
    this.asked = asked;
    this.sent = sent;
    this.newest = Math.max(0, ...sent.values());
    this.#counts = counts;
    this.#report = report;
  }

  /**
   * Handles a `full`. No item may be missing or older.
   *
   * @param isPart whether patches may bring the rest
   * @param mayBeOlder whether a host may not know what another one has sent
   */
  replace(items: readonly Item[], isPart: boolean, mayBeOlder = false): void {
    const versions = new Map(items.map(({ name, version }) => [name, version]));
    const before = [...this.sent].map(([name, version]) => ({ name, version, next: versions.get(name) }));
    const gone = before.filter(({ next }) => next === undefined && !isPart);
    const older = before.filter(({ version, next }) => !mayBeOlder && next !== undefined && next < version);
    const tell = ({ name, version, next }: (typeof before)[number]) =>
      `a full holds ${name} of ${next} after ${version}`;
    if (gone[0]) this.#report('lost', tell(gone[0]) + andMore(gone));
    if (older[0]) this.#report('out of order', tell(older[0]) + andMore(older));
    this.sent.clear();
    this.newest = 0;
    for (const item of items) this.#put(item);
    this.#wrong.clear();
  }

  /** Handles an item of a patch for this user's key. */
  take(item: Item, arrival: Arrival): void {
    if (isForAnother(this.asked.user, item)) this.leaveOver(item, arrival, true);
    else this.#take(item, arrival);
  }

  /**
   * Handles an item for the previous user, which a later one must correct. If that user has the same key, the SDK stores
   * the item. Otherwise it ignores the item, and lacks the change.
   */
  leaveOver(item: Item, { at, mayBeForAnother }: Arrival, isStored: boolean): void {
    if (mayBeForAnother(item)) this.#counts.leftovers++;
    else
      this.#report(
        'stale',
        `${describe(item)} for another user came to ${this.asked.user?.keyId} of ${groupOf(this.asked.user)}`,
      );
    if (item.version < (this.sent.get(item.name) ?? 0)) return;
    this.#note(item.version, at);
    if (isStored) this.#put(item);
    this.#wrong.set(item.name, { since: at, from: this.#wrong.get(item.name)?.from ?? item.version });
  }

  /** Checks that it has been sent everything that was acknowledged. */
  expect(latest: Versions): void {
    const isVisible = (name: string) => this.asked.user === undefined || !name.startsWith('segment:');
    const behind = [...latest].filter(([name, version]) => isVisible(name) && (this.sent.get(name) ?? 0) < version);
    const [first] = behind;
    if (!first) return;
    const [name, version] = first;
    // A push before the answer counts as the answer here, as in an SDK, and lacks what the answer contains.
    this.#report(
      behind.some(([each]) => !this.sent.has(each)) ? 'lost' : 'stale',
      `the first message after a data-sync leaves it with ${name} of ${this.sent.get(name)} where ${version} was acknowledged before${andMore(behind)}`,
    );
  }

  /** Begins a session: it must be sent every change from now on. */
  begin(): void {
    this.#session = { from: this.newest, received: new Map() };
  }

  /** Ends the session, because of a data-sync or the end of the connection. @returns undefined if it has ended before */
  end(at: number): Pick<Session, 'from' | 'received' | 'endedAt'> | undefined {
    for (const [name, { since }] of this.#wrong) {
      if (at - since <= PUSH_MS) continue;
      this.#report('stale', `${name} stayed that of the user before for more than ${PUSH_MS} ms`);
    }
    this.#wrong.clear();
    const session = this.#session;
    this.#session = undefined;
    return session && { ...session, endedAt: at };
  }

  #take(item: Item, arrival: Arrival): void {
    const { name, version } = item;
    const before = this.sent.get(name) ?? 0;
    const { from = Number.POSITIVE_INFINITY } = this.#wrong.get(name) ?? {};
    if (version > this.newest || version >= from) this.#note(version, arrival.at);
    else if (arrival.mayRepeat(item, before)) this.#counts.repeats++;
    else if (version !== before) this.#report('out of order', `${describe(item)} came after ${this.newest}`);
    else {
      const { sinceAskedMs } = arrival;
      const after = sinceAskedMs === undefined ? '' : `, ${Math.round(sinceAskedMs)} ms after it asked again`;
      this.#report('duplicate', `${describe(item)} came again${after}`);
    }
    if (version < before) return;
    this.#put(item);
    this.#wrong.delete(name);
  }

  #note(version: number, at: number): void {
    if (!this.#session?.received.has(version)) this.#session?.received.set(version, at);
  }

  #put({ name, version }: Item): void {
    this.sent.set(name, version);
    this.newest = Math.max(this.newest, version);
  }
}

/** Whether an item was evaluated for another user. */
export function isForAnother(user: SdkUser | undefined, { group }: Item): boolean {
  return user !== undefined && group !== undefined && group !== groupOf(user);
}

function describe({ name, version }: Item): string {
  return `${name} of ${version}`;
}

function andMore({ length }: readonly unknown[]): string {
  return length > 1 ? `, and ${length - 1} more so` : '';
}
