import type { SecretType } from '../../../../shared/protocol/secret.ts';
import type { Report } from './faults.ts';
import { Holding, isForAnother } from './holding.ts';
import { type DataSync, readDataSync } from './items.ts';
import { type Asking, type Replica, Replicas } from './replica.ts';
import type { Stay } from './stays.ts';
import type { Versions, WriteLog } from './writeLog.ts';

/** What a check of a reader needs to know. */
export interface ReaderParts {
  readonly name: string;
  readonly type: SecretType;
  readonly writes: WriteLog;
  /**
   * For how long after a second data-sync on a connection a push may still be for the user before, and an item come
   * again that is now for the new one: on API Gateway a push that is under way cannot know of it.
   */
  readonly graceMs: number;
  /** Whether the table was slow at any moment between two times: the host answers with what it knows then. */
  readonly wasSlow: (from: number, to: number) => boolean;
  readonly report: Report;
}

/** A data-sync that is not answered yet. */
interface Asked {
  readonly user: Asking | undefined;
  readonly replica: Replica;
  readonly at: number;
  /** The cursor that it was sent with. */
  readonly cursor: number;
  /** What had been acknowledged when it was sent: all of it must be in the answer. */
  readonly latest: Versions;
  readonly isFirst: boolean;
}

/** What it was last answered. */
interface Answered {
  readonly holding: Holding;
  /** When it asked for that, if it was not the first time on this connection. */
  readonly askedAgainAt: number | undefined;
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
  readonly #report: Report;
  readonly #replicas = new Replicas();
  #asked: Asked | undefined;
  #current: Answered | undefined;
  #stay: (Omit<Stay, 'endedAt'> & { readonly received: Map<number, number> }) | undefined;

  constructor(parts: ReaderParts) {
    this.#parts = parts;
    this.#report = (fault, what) => parts.report(fault, `${parts.name}: ${what}`);
  }

  /** Whether its last data-sync has been answered. */
  get isInSync(): boolean {
    return this.#current !== undefined && this.#asked === undefined;
  }

  /** Whom it is for, and what it holds. */
  get holding(): Pick<Holding, 'user' | 'replica'> | undefined {
    return this.#current?.holding;
  }

  /** It sends a data-sync. @param isAnew whether it asks for everything @returns the cursor to send with it */
  ask(at: number, user: Asking | undefined, isAnew = false): number {
    this.#endStay(at);
    const replica = this.#replicas.for(user);
    const cursor = isAnew ? 0 : replica.cursor;
    const latest = this.#parts.writes.latest();
    this.#asked = { user, replica, at, cursor, latest, isFirst: this.#current === undefined };
    return cursor;
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
    this.#setCurrent(undefined);
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

  #answer({ user, replica, cursor, latest, isFirst, at: askedAt }: Asked, message: DataSync, at: number): void {
    const { eventType, items } = message;
    const holding = new Holding(user, replica, this.#report, (version, cameAt) => this.#note(version, cameAt));
    this.counts.syncs++;
    this.#asked = undefined;
    this.#setCurrent({ holding, askedAgainAt: isFirst ? undefined : askedAt });
    if (eventType === 'patch' && cursor === 0) this.#report('malformed', 'a patch answers no cursor');
    if (eventType === 'full') holding.replace(items);
    else this.#takePatch(holding, message, at, false);
    for (const item of items) {
      if (isForAnother(user, item)) this.#report('stale', `the answer holds ${item.name} for ${item.group}`);
    }
    if (!this.#parts.wasSlow(askedAt, at)) holding.expect(latest);
    this.#beginStay(replica);
  }

  #push({ holding, askedAgainAt }: Answered, message: DataSync, at: number): void {
    const { user, replica } = holding;
    const { eventType, userKeyId, items } = message;
    const isWithinGrace = askedAgainAt !== undefined && at - askedAgainAt <= this.#parts.graceMs;
    this.counts.pushes += items.length;
    if (userKeyId !== user?.keyId) {
      for (const item of items)
        holding.leaveOver(item, { at, isWithinGrace: isWithinGrace || this.#asked !== undefined }, false);
    } else if (eventType === 'patch') this.#takePatch(holding, message, at, isWithinGrace);
    else {
      const isNew = items.some(({ version }) => version > replica.cursor);
      if (!isNew && !isWithinGrace) this.#report('duplicate', 'a full came with nothing new');
      holding.replace(items);
      this.#endStay(at);
      this.#beginStay(replica);
    }
  }

  #takePatch(holding: Holding, { items }: DataSync, at: number, isWithinGrace: boolean): void {
    if (items.length > 1 && !holding.user) this.#report('malformed', 'a patch of several items');
    for (const item of items) holding.take(item, { at, isWithinGrace });
  }

  #setCurrent(next: Answered | undefined): void {
    const { leftovers = 0, repeats = 0 } = this.#current?.holding.counts ?? {};
    this.counts.leftovers += leftovers;
    this.counts.repeats += repeats;
    this.#current = next;
  }

  #note(version: number, at: number): void {
    if (!this.#stay?.received.has(version)) this.#stay?.received.set(version, at);
  }

  #beginStay({ cursor }: Replica): void {
    const { name, type } = this.#parts;
    this.#stay = { reader: name, type, from: cursor, received: new Map() };
  }

  #endStay(at: number): void {
    if (this.#stay) this.stays.push({ ...this.#stay, endedAt: at });
    this.#stay = undefined;
    this.#current?.holding.end(at);
  }
}

/** Whether a message answers this data-sync, and is no push that was on its way before. */
function isAnswer({ user, cursor, isFirst }: Asked, { eventType, userKeyId, items }: DataSync): boolean {
  if (userKeyId !== user?.keyId) return false;
  const mayBePush = !isFirst && cursor === 0;
  return !mayBePush || (eventType === 'full' && !items.some((item) => isForAnother(user, item)));
}
