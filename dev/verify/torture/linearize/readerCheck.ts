import type { SecretType } from '../../../../shared/protocol/secret.ts';
import type { Report } from './faults.ts';
import { type DataSync, readDataSync } from './items.ts';
import { type Arrival, isForAnother, ReaderState } from './readerState.ts';
import { type Replica, Replicas, type SyncUser } from './replica.ts';
import type { Session } from './sessions.ts';
import type { Versions, WriteLog } from './writeLog.ts';

/** What a check of a reader needs to know. */
export interface ReaderDeps {
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
interface PendingSync {
  readonly user: SyncUser | undefined;
  readonly replica: Replica;
  readonly at: number;
  /** The cursor that it was sent with. */
  readonly cursor: number;
  /** What had been acknowledged when it was sent: all of it must be in the answer. */
  readonly latest: Versions;
  readonly isFirst: boolean;
}

/** What it was last answered. */
interface CurrentSync {
  readonly state: ReaderState;
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
  readonly sessions: Session[] = [];
  readonly #deps: ReaderDeps;
  readonly #report: Report;
  readonly #replicas = new Replicas();
  #asked: PendingSync | undefined;
  #current: CurrentSync | undefined;
  #session: (Omit<Session, 'endedAt'> & { readonly received: Map<number, number> }) | undefined;

  constructor(deps: ReaderDeps) {
    this.#deps = deps;
    this.#report = (fault, what) => deps.report(fault, `${deps.name}: ${what}`);
  }

  /** Whether its last data-sync has been answered. */
  get isInSync(): boolean {
    return this.#current !== undefined && this.#asked === undefined;
  }

  /** Whom it is for, and what it holds. */
  get state(): Pick<ReaderState, 'user' | 'replica'> | undefined {
    return this.#current?.state;
  }

  /** It sends a data-sync. @param isAnew whether it asks for everything @returns the cursor to send with it */
  ask(at: number, user: SyncUser | undefined, isAnew = false): number {
    this.#endSession(at);
    const replica = this.#replicas.for(user);
    const cursor = isAnew ? 0 : replica.cursor;
    const latest = this.#deps.writes.latest();
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
    this.#endSession(at);
    this.#asked = undefined;
    this.#setCurrent(undefined);
  }

  #read(text: string): DataSync | undefined {
    try {
      const message = readDataSync(text, this.#deps.type);
      for (const item of message?.items ?? []) {
        const doubt = this.#deps.writes.doubt(item);
        if (doubt) this.#report('malformed', doubt);
      }
      return message;
    } catch (error) {
      this.#report('malformed', `${(error as Error).message}: ${text.slice(0, 200)}`);
      return undefined;
    }
  }

  #answer({ user, replica, cursor, latest, isFirst, at: askedAt }: PendingSync, message: DataSync, at: number): void {
    const { eventType, items } = message;
    const state = new ReaderState(user, replica, this.#report, (version, cameAt) => this.#note(version, cameAt));
    this.counts.syncs++;
    this.#asked = undefined;
    this.#setCurrent({ state, askedAgainAt: isFirst ? undefined : askedAt });
    if (eventType === 'patch' && cursor === 0) this.#report('malformed', 'a patch answers no cursor');
    if (eventType === 'full') state.replace(items);
    else this.#takePatch(state, message, { at, isWithinGrace: false });
    for (const item of items) {
      if (isForAnother(user, item)) this.#report('stale', `the answer holds ${item.name} for ${item.group}`);
    }
    if (!this.#deps.wasSlow(askedAt, at)) state.expect(latest);
    this.#beginSession(replica);
  }

  #push({ state, askedAgainAt }: CurrentSync, message: DataSync, at: number): void {
    const { user, replica } = state;
    const { eventType, userKeyId, items } = message;
    const sinceAskedMs = askedAgainAt === undefined ? undefined : at - askedAgainAt;
    const isWithinGrace = sinceAskedMs !== undefined && sinceAskedMs <= this.#deps.graceMs;
    this.counts.pushes += items.length;
    if (userKeyId !== user?.keyId) {
      for (const item of items)
        state.leaveOver(item, { at, isWithinGrace: isWithinGrace || this.#asked !== undefined }, false);
    } else if (eventType === 'patch') this.#takePatch(state, message, { at, isWithinGrace, sinceAskedMs });
    else {
      const isNew = items.some(({ version }) => version > replica.cursor);
      if (!isNew && !isWithinGrace) this.#report('duplicate', 'a full came with nothing new');
      state.replace(items);
      this.#endSession(at);
      this.#beginSession(replica);
    }
  }

  #takePatch(state: ReaderState, { items }: DataSync, arrival: Arrival): void {
    if (items.length > 1 && !state.user) this.#report('malformed', 'a patch of several items');
    for (const item of items) state.take(item, arrival);
  }

  #setCurrent(next: CurrentSync | undefined): void {
    const { leftovers = 0, repeats = 0 } = this.#current?.state.counts ?? {};
    this.counts.leftovers += leftovers;
    this.counts.repeats += repeats;
    this.#current = next;
  }

  #note(version: number, at: number): void {
    if (!this.#session?.received.has(version)) this.#session?.received.set(version, at);
  }

  #beginSession({ cursor }: Replica): void {
    const { name, type } = this.#deps;
    this.#session = { reader: name, type, from: cursor, received: new Map() };
  }

  #endSession(at: number): void {
    if (this.#session) this.sessions.push({ ...this.#session, endedAt: at });
    this.#session = undefined;
    this.#current?.state.end(at);
  }
}

/** Whether a message answers this data-sync, and is no push that was on its way before. */
function isAnswer({ user, cursor, isFirst }: PendingSync, { eventType, userKeyId, items }: DataSync): boolean {
  if (userKeyId !== user?.keyId) return false;
  const mayBePush = !isFirst && cursor === 0;
  return !mayBePush || (eventType === 'full' && !items.some((item) => isForAnother(user, item)));
}
