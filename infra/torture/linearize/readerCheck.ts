import type { SecretType } from '../../../shared/protocol/secret.ts';
import type { Report } from './faults.ts';
import { type DataSync, type Item, readDataSync } from './items.ts';
import { type Asking, type Replica, Replicas } from './replica.ts';
import type { Stay } from './stays.ts';
import type { Versions, WriteLog } from './writeLog.ts';

/** How long a client-type reader may hold what was evaluated for its user before, after a change of user. */
const HEAL_MS = 5_000;

/** What a check of a reader needs to know. */
export interface ReaderParts {
  readonly name: string;
  readonly type: SecretType;
  readonly writes: WriteLog;
  /**
   * For how long after a second data-sync on a connection a push may still be for the user before, and an item come
   * again that is now for the new one: on API Gateway a push that is under way cannot know of it.
   */
  readonly settleMs: number;
  /** Whether the table was slow at any moment between two times: the host answers with what it knows then. */
  readonly wasSlow: (from: number, to: number) => boolean;
  readonly report: Report;
}

/** A data-sync that is not answered yet. */
interface Asked {
  readonly user: Asking | undefined;
  readonly replica: Replica;
  readonly at: number;
  /** What had been acknowledged when it was sent: all of it must be in the answer. */
  readonly latest: Versions;
  readonly isFirst: boolean;
}

/** What the reader was last answered for. */
interface Current {
  readonly user: Asking | undefined;
  readonly replica: Replica;
  /** When a data-sync was sent on a connection that had been answered before. */
  readonly switchedAt: number | undefined;
  /** Items that it holds for another user, and since when. */
  readonly wrong: Map<string, number>;
}

/**
 * Holds what one reader sends and receives against what has been written, message by message; keeps what its SDK would
 * keep. It takes nothing twice and nothing out of order, as the SDKs for Go and Java.
 */
export class ReaderCheck {
  readonly counts = { syncs: 0, pushes: 0, leftovers: 0, repeats: 0 };
  /** All that are over. */
  readonly stays: Stay[] = [];
  readonly #parts: ReaderParts;
  readonly #replicas = new Replicas();
  #asked: Asked | undefined;
  #current: Current | undefined;
  #stay: (Omit<Stay, 'endedAt'> & { readonly received: Map<number, number> }) | undefined;

  constructor(parts: ReaderParts) {
    this.#parts = parts;
  }

  /** Whether its last data-sync has been answered. */
  get isInSync(): boolean {
    return this.#current !== undefined && this.#asked === undefined;
  }

  /** Whom it is for, and what it holds. */
  get holding(): Pick<Current, 'user' | 'replica'> | undefined {
    return this.#current;
  }

  /** It sends a data-sync. @returns the cursor to send with it */
  ask(at: number, user: Asking | undefined): number {
    this.#endStay(at);
    const replica = this.#replicas.for(user);
    const latest = this.#parts.writes.latest();
    this.#asked = { user, replica, at, latest, isFirst: this.#current === undefined };
    return replica.cursor;
  }

  /** A message came. */
  receive(at: number, text: string): void {
    const message = this.#read(text);
    if (!message) return;
    if (this.#asked && isAnswer(this.#asked, message)) this.#answer(this.#asked, message, at);
    else if (this.#current) this.#push(this.#current, message, at);
    else this.#report('out of order', 'a push came before the answer');
  }

  /** The connection is over. */
  disconnect(at: number): void {
    this.#endStay(at);
    this.#asked = undefined;
    this.#current = undefined;
  }

  #read(text: string): DataSync | undefined {
    try {
      const message = readDataSync(text, this.#parts.type);
      for (const item of message?.items ?? []) {
        const doubt = this.#parts.writes.doubt(item);
        if (doubt) this.#report('malformed', doubt);
      }
      return message;
    } catch (error) {
      this.#report('malformed', `${(error as Error).message}: ${text.slice(0, 200)}`);
      return undefined;
    }
  }

  #answer(asked: Asked, message: DataSync, at: number): void {
    const { user, replica, latest, isFirst } = asked;
    this.counts.syncs++;
    this.#asked = undefined;
    this.#current = { user, replica, switchedAt: isFirst ? undefined : asked.at, wrong: new Map() };
    if (message.eventType === 'patch' && replica.cursor === 0) this.#report('malformed', 'a patch answers no cursor');
    if (message.eventType === 'full') this.#replace(replica, message.items);
    else this.#takePatch(this.#current, message, at);
    for (const item of message.items) {
      if (isForAnother(user, item)) this.#report('stale', `the answer holds ${item.name} for ${item.group}`);
    }
    if (!this.#parts.wasSlow(asked.at, at)) this.#compare(replica, latest, user);
    this.#beginStay(replica);
  }

  /** Where a push came before the answer it is taken for it here, as an SDK would, and lacks what the answer holds. */
  #compare({ items }: Replica, latest: Versions, user: Asking | undefined): void {
    const behind = [...latest]
      .filter(([name, version]) => !(user && name.startsWith('segment:')) && (items.get(name)?.version ?? 0) < version)
      .map(([name, version]) => `${name} of ${items.get(name)?.version} where ${version} was acknowledged before`);
    if (behind.length === 0) return;
    const isLost = [...latest.keys()].some((name) => !(user && name.startsWith('segment:')) && !items.has(name));
    const more = behind.length > 1 ? ` and ${behind.length - 1} more` : '';
    this.#report(isLost ? 'lost' : 'stale', `the first message after a data-sync leaves it with ${behind[0]}${more}`);
  }

  #push(current: Current, message: DataSync, at: number): void {
    const { user, replica, switchedAt } = current;
    const isSettling = switchedAt !== undefined && at - switchedAt <= this.#parts.settleMs;
    if (message.userKeyId !== user?.keyId) {
      for (const item of message.items)
        this.#takeWrong(current, item, at, isSettling || this.#asked !== undefined, false);
    } else if (message.eventType === 'full') {
      if (!isSettling && newestOf(message) <= replica.cursor) this.#report('duplicate', 'a full came with nothing new');
      this.#replace(replica, message.items);
      current.wrong.clear();
      this.#endStay(at);
      this.#beginStay(replica);
    } else this.#takePatch(current, message, at, isSettling);
  }

  #takePatch(current: Current, { items }: DataSync, at: number, isSettling = false): void {
    if (items.length > 1 && !current.user) this.#report('malformed', 'a patch of several items');
    for (const item of items) {
      if (this.#stay) this.counts.pushes++;
      if (isForAnother(current.user, item)) this.#takeWrong(current, item, at, isSettling, true);
      else this.#take(current, item, at, isSettling);
    }
  }

  #take({ replica, wrong }: Current, item: Item, at: number, isSettling: boolean): void {
    const held = replica.items.get(item.name)?.version ?? 0;
    if (item.version > replica.cursor || wrong.has(item.name)) this.#note(item, at);
    else if (item.version !== held) this.#report('out of order', `${describe(item)} came after ${replica.cursor}`);
    else if (isSettling) this.counts.repeats++;
    else this.#report('duplicate', `${describe(item)} came again`);
    if (item.version < held) return;
    replica.put(item);
    wrong.delete(item.name);
  }

  /**
   * What is for the user before must be made good. Where that has the same key, the JavaScript SDK takes it in, as it
   * cannot tell; else it takes no notice, and lacks the change.
   */
  #takeWrong({ user, replica, wrong }: Current, item: Item, at: number, isSettling: boolean, isTaken: boolean): void {
    if (isSettling) this.counts.leftovers++;
    else this.#report('stale', `${describe(item)} for another user came to ${user?.keyId} of ${user?.group}`);
    if (item.version < (replica.items.get(item.name)?.version ?? 0)) return;
    this.#note(item, at);
    if (isTaken) replica.put(item);
    wrong.set(item.name, at);
  }

  #note({ version }: Item, at: number): void {
    if (!this.#stay?.received.has(version)) this.#stay?.received.set(version, at);
  }

  #replace(replica: Replica, items: readonly Item[]): void {
    const versions = new Map(items.map(({ name, version }) => [name, version]));
    for (const { name, version } of replica.items.values()) {
      const next = versions.get(name);
      if (next === undefined) this.#report('lost', `a full lacks ${name}, of which ${version} had come`);
      else if (next < version) this.#report('out of order', `a full holds ${name} of ${next} after ${version}`);
    }
    replica.replace(items);
  }

  #beginStay({ cursor }: Replica): void {
    const { name, type } = this.#parts;
    this.#stay = { reader: name, type, from: cursor, received: new Map() };
  }

  #endStay(at: number): void {
    if (this.#stay) this.stays.push({ ...this.#stay, endedAt: at });
    this.#stay = undefined;
    for (const [name, since] of this.#current?.wrong ?? []) {
      if (at - since > HEAL_MS)
        this.#report('stale', `${name} stayed that of the user before for ${HEAL_MS} ms and more`);
    }
    this.#current?.wrong.clear();
  }

  #report(fault: Parameters<Report>[0], what: string): void {
    this.#parts.report(fault, `${this.#parts.name}: ${what}`);
  }
}

/** Whether a message answers this data-sync, and is no push that was on its way before. */
function isAnswer({ user, replica, isFirst }: Asked, { eventType, userKeyId, items }: DataSync): boolean {
  if (!user) return true;
  if (userKeyId !== user.keyId) return false;
  const mayBeOld = !isFirst && replica.cursor === 0;
  return !mayBeOld || (eventType === 'full' && !items.some((item) => isForAnother(user, item)));
}

function isForAnother(user: Asking | undefined, { group }: Item): boolean {
  return user !== undefined && group !== user.group;
}

function newestOf({ items }: DataSync): number {
  return Math.max(0, ...items.map(({ version }) => version));
}

function describe({ name, version }: Item): string {
  return `${name} of ${version}`;
}
