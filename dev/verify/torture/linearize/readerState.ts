import type { Report } from './faults.ts';
import type { Item } from './items.ts';
import type { Replica, SyncUser } from './replica.ts';
import type { Versions } from './writeLog.ts';

/**
 * How long after its acknowledgement a change may take to a reader that is connected. It also bounds how long a client-type
 * reader may hold what was evaluated for its user before: what makes that good is a push like any other.
 */
export const PUSH_MS = 30_000;

/** How an item comes. */
export interface Arrival {
  readonly at: number;
  /** Whether it may still be for the user before, or come again for the new one. */
  readonly isWithinGrace: boolean;
  /** Milliseconds since it asked again on this connection; undefined where it did not. */
  readonly sinceAskedMs?: number | undefined;
}

/** What a reader holds for the user that it was last answered for: every item that comes is held against it. */
export class ReaderState {
  readonly user: SyncUser | undefined;
  readonly replica: Replica;
  readonly counts = { leftovers: 0, repeats: 0 };
  readonly #report: Report;
  readonly #onChange: (version: number, at: number) => void;
  /** Items that are for another user, and since when. */
  readonly #wrong = new Map<string, number>();

  /** @param onChange told of each change that comes */
  constructor(
    user: SyncUser | undefined,
    replica: Replica,
    report: Report,
    onChange: (version: number, at: number) => void,
  ) {
    this.user = user;
    this.replica = replica;
    this.#report = report;
    this.#onChange = onChange;
  }

  /** Takes the place of everything that is held. Nothing may be gone, or older than it was. */
  replace(items: readonly Item[]): void {
    const versions = new Map(items.map(({ name, version }) => [name, version]));
    const held = [...this.replica.items.values()].map(({ name, version }) => ({
      name,
      version,
      next: versions.get(name),
    }));
    const gone = held.filter(({ next }) => next === undefined);
    const older = held.filter(({ version, next }) => next !== undefined && next < version);
    const tell = ({ name, version, next }: (typeof held)[number]) => `a full holds ${name} of ${next} after ${version}`;
    if (gone[0]) this.#report('lost', tell(gone[0]) + andMore(gone));
    if (older[0]) this.#report('out of order', tell(older[0]) + andMore(older));
    this.replica.replace(items);
    this.#wrong.clear();
  }

  /** An item comes in a patch that is for this user's key. */
  take(item: Item, arrival: Arrival): void {
    if (isForAnother(this.user, item)) this.leaveOver(item, arrival, true);
    else this.#take(item, arrival);
  }

  /**
   * What is for the user before must be made good. Where that has the same key, the JavaScript SDK takes it in, as it
   * cannot tell; else it takes no notice, and lacks the change.
   */
  leaveOver(item: Item, { at, isWithinGrace }: Arrival, isTaken: boolean): void {
    const { keyId, group } = this.user ?? {};
    if (isWithinGrace) this.counts.leftovers++;
    else this.#report('stale', `${describe(item)} for another user came to ${keyId} of ${group}`);
    if (item.version < (this.replica.items.get(item.name)?.version ?? 0)) return;
    this.#onChange(item.version, at);
    if (isTaken) this.replica.put(item);
    this.#wrong.set(item.name, at);
  }

  /** All that had been acknowledged must be there. */
  expect(latest: Versions): void {
    const { items } = this.replica;
    const isVisible = (name: string) => this.user === undefined || !name.startsWith('segment:');
    const behind = [...latest].filter(
      ([name, version]) => isVisible(name) && (items.get(name)?.version ?? 0) < version,
    );
    const [first] = behind;
    if (!first) return;
    const [name, version] = first;
    // Where a push came before the answer it is taken for the answer here, as by an SDK, and lacks what that holds.
    this.#report(
      behind.some(([each]) => !items.has(each)) ? 'lost' : 'stale',
      `the first message after a data-sync leaves it with ${name} of ${items.get(name)?.version} where ${version} was acknowledged before${andMore(behind)}`,
    );
  }

  /** The reader goes on as another user, or is no longer connected. */
  end(at: number): void {
    for (const [name, since] of this.#wrong) {
      if (at - since <= PUSH_MS) continue;
      this.#report('stale', `${name} stayed that of the user before for more than ${PUSH_MS} ms`);
    }
    this.#wrong.clear();
  }

  #take(item: Item, { at, isWithinGrace, sinceAskedMs }: Arrival): void {
    const { name, version } = item;
    const held = this.replica.items.get(name)?.version ?? 0;
    if (version > this.replica.cursor || this.#wrong.has(name)) this.#onChange(version, at);
    else if (version !== held) this.#report('out of order', `${describe(item)} came after ${this.replica.cursor}`);
    else if (isWithinGrace) this.counts.repeats++;
    else {
      const after = sinceAskedMs === undefined ? '' : `, ${Math.round(sinceAskedMs)} ms after it asked again`;
      this.#report('duplicate', `${describe(item)} came again${after}`);
    }
    if (version < held) return;
    this.replica.put(item);
    this.#wrong.delete(name);
  }
}

/** Whether an item was evaluated for somebody else. */
export function isForAnother(user: SyncUser | undefined, { group }: Item): boolean {
  return user !== undefined && group !== user.group;
}

function describe({ name, version }: Item): string {
  return `${name} of ${version}`;
}

function andMore({ length }: readonly unknown[]): string {
  return length > 1 ? `, and ${length - 1} more so` : '';
}
