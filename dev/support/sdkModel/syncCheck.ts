import type { Item, SdkUser, SyncMessage } from './message.ts';
import type { SdkRules } from './sdkRules.ts';
import { type Arrival, type Asked, type Counts, isForAnother, type PendingSync, SentState } from './sentState.ts';
import type { Report, Session } from './sessions.ts';
import type { WriteLog } from './writeLog.ts';

/** What the check of an SDK's messages knows. */
export interface CheckDeps {
  /** Name of the SDK in reports. */
  readonly name?: string;
  readonly report?: Report;
  /** The writes. Without them the check knows only what the SDK had and was sent. */
  readonly writes?: WriteLog;
  /**
   * Time after a second data-sync on a connection in which a push may be for the previous user, and an item may arrive
   * again for the new one. On API Gateway a push in transit cannot know of the data-sync. Default: 0 ms.
   */
  readonly graceMs?: number;
  /**
   * Whether all pushes that are sent arrive. An item may then arrive again only if it was pushed for another user, or if
   * the user was an earlier one on this connection.
   */
  readonly isReliable?: boolean;
  /** Whether an answer may consist of a `full` and patches that follow it. */
  readonly hasParts?: boolean;
  /** Whether the table was slow at any moment between two times. The host then answers with what it has. */
  readonly wasSlow?: (from: number, to: number) => boolean;
}

/** Checks the messages to one SDK: each change once, in order, for its user, and nothing older than what was acknowledged. */
export class SyncCheck {
  readonly counts: Counts = { syncs: 0, pushes: 0, leftovers: 0, repeats: 0 };
  /** All sessions that have ended. */
  readonly sessions: Session[] = [];
  readonly #rules: Pick<SdkRules, 'type' | 'patchContents'>;
  readonly #deps: CheckDeps;
  readonly #report: Report;
  /** By number, ascending. */
  readonly #pending = new Map<number, PendingSync>();
  /** Users of data-syncs on this connection, by their JSON. */
  readonly #users = new Map<string, SdkUser | undefined>();
  /** For whom each item was pushed on this connection. */
  readonly #pushed = new Map<string, Set<string>>();
  #answered: SentState | undefined;

  constructor(rules: Pick<SdkRules, 'type' | 'patchContents'>, deps: CheckDeps) {
    this.#rules = rules;
    this.#deps = deps;
    this.#report = (violation, what) => deps.report?.(violation, `${deps.name ?? rules.type}: ${what}`);
  }

  /** Whether its last data-sync has an answer. */
  get isInSync(): boolean {
    return this.#answered !== undefined && this.#pending.size === 0;
  }

  /** Handles a data-sync that the SDK sends. */
  ask(asked: Asked): void {
    this.#endSession(asked.at);
    const latest = this.#deps.writes?.latest();
    const user = JSON.stringify(asked.user);
    const isFirst = this.#answered === undefined && this.#pending.size === 0;
    this.#pending.set(asked.number, { ...asked, latest, isFirst, isBack: this.#users.has(user) });
    this.#users.set(user, asked.user);
  }

  /**
   * Checks a message.
   *
   * @param answers number of the data-sync that it answers, 0 for a push. Undefined if the transport does not know
   * @returns the data-sync whose answer begins with the message
   */
  receive(message: SyncMessage, at: number, answers?: number): Asked | undefined {
    for (const item of message.items) {
      const doubt = this.#deps.writes?.doubt(item);
      if (doubt) this.#report('malformed', doubt);
    }
    const answered = this.#answered;
    const asked = this.#findAsked(message, answers);
    if (asked) this.#answer(asked, message, at);
    else if (answered) this.#push(answered, message, at);
    else this.#report('out of order', 'a push came before the answer');
    return asked;
  }

  /** Handles a message that SDKs cannot read. */
  refuse(why: string): void {
    this.#report('malformed', why);
  }

  /** Handles the end of the connection. */
  disconnect(at: number): void {
    this.#endSession(at);
    this.#pending.clear();
    this.#users.clear();
    this.#pushed.clear();
    this.#answered = undefined;
  }

  /** The data-sync that a message answers. A push in transit answers none. */
  #findAsked(message: SyncMessage, answers?: number): PendingSync | undefined {
    const { eventType, userKeyId, items } = message;
    const pending = [...this.#pending.values()];
    const isForAll = ({ user }: PendingSync) => items.every((item) => isFor(user, message, item));
    if (answers !== undefined) {
      // The function that answers a data-sync also answers a later one that it finds. A patch begins no answer to 0: it can be
      // the last part of the answer to an earlier data-sync of the same user.
      const mayBegin = (each: PendingSync) => isForAll(each) && (eventType === 'full' || each.cursor > 0);
      const later = answers > 0 && items.length > 0 ? pending.findLast(mayBegin) : undefined;
      return later ?? this.#pending.get(answers);
    }
    const asked = pending.at(-1);
    if (!asked || userKeyId !== asked.user?.keyId) return undefined;
    const mayBePush = !asked.isFirst && asked.cursor === 0;
    return !mayBePush || (eventType === 'full' && isForAll(asked)) ? asked : undefined;
  }

  #answer(asked: PendingSync, message: SyncMessage, at: number): void {
    const { user, cursor, latest } = asked;
    const { eventType, items } = message;
    const before = this.#answered;
    const isSameUser = before !== undefined && JSON.stringify(before.asked.user) === JSON.stringify(user);
    const state = new SentState(asked, isSameUser ? before.sent : asked.held, this.counts, this.#report);
    const isSlow = this.#deps.wasSlow?.(asked.at, at) ?? false;
    this.counts.syncs++;
    for (const number of [...this.#pending.keys()].filter((each) => each <= asked.number)) this.#pending.delete(number);
    this.#answered = state;
    if (eventType === 'patch' && cursor === 0) this.#report('malformed', 'a patch answers no cursor');
    if (eventType === 'full') {
      const isNew = items.length === 0 || items.some(({ version }) => version > cursor);
      if (user === undefined && !isNew) this.#report('duplicate', `a full with nothing new answers ${cursor}`);
      // Without a cursor, a host with a slow table does not know that another host has sent newer items on an earlier connection.
      state.replace(items, this.#deps.hasParts ?? false, isSlow && cursor === 0 && !isSameUser);
    } else {
      // A push that was in transit when the SDK asked may have brought it already.
      const mayRepeat = ({ version }: Item) => version > cursor;
      this.#takePatch(state, message, { at, mayBeForAnother: () => false, mayRepeat });
    }
    for (const item of items) {
      if (isForAnother(user, item)) this.#report('stale', `the answer holds ${item.name} for ${item.group}`);
    }
    if (latest && !isSlow) state.expect(latest);
    state.begin();
  }

  #push(state: SentState, message: SyncMessage, at: number): void {
    const { graceMs = 0, isReliable = false } = this.#deps;
    const { asked } = state;
    const sinceAskedMs = asked.isFirst ? undefined : at - asked.at;
    const isWithinGrace = sinceAskedMs !== undefined && sinceAskedMs <= graceMs;
    const next = [...this.#pending.values()].at(-1);
    const mayRepeat = (item: Item, sentVersion: number) => {
      if (!isReliable) return isWithinGrace && item.version === sentVersion;
      return asked.isBack || this.#wasPushedForAnother(message, item);
    };
    const isForNext = (item: Item) => next !== undefined && isFor(next.user, message, item);
    const users = [...this.#users.values()];
    const mayBeForAnother = (item: Item) =>
      isWithinGrace ? users.some((user) => isFor(user, message, item)) : isForNext(item);
    const arrival = { at, mayBeForAnother, mayRepeat, sinceAskedMs };
    this.counts.pushes += message.items.length;
    for (const item of message.items) {
      if (!isForNext(item) || next?.isBack || isFor(asked.user, message, item)) continue;
      const isAllowed = isReliable ? this.#wasPushedForAnother(message, item) : isWithinGrace;
      if (!isAllowed) this.#report('out of order', `${item.name} of ${item.version} came before the answer`);
    }
    if (message.userKeyId !== asked.user?.keyId) {
      for (const item of message.items) state.leaveOver(item, arrival, false);
    } else if (message.eventType === 'patch') this.#takePatch(state, message, arrival);
    else {
      const isNew = message.items.some(({ version }) => version > state.newest);
      if (!isNew && !isWithinGrace) this.#report('duplicate', 'a full came with nothing new');
      state.replace(message.items, this.#deps.hasParts ?? false);
      this.#endSession(at);
      state.begin();
    }
    for (const item of message.items) this.#notePushed(message, item);
  }

  #takePatch(state: SentState, { items }: SyncMessage, arrival: Arrival): void {
    if (items.length > 1 && this.#rules.patchContents === 'one-item') {
      this.#report('malformed', 'a patch of several items');
    }
    for (const item of items) state.take(item, arrival);
  }

  #wasPushedForAnother({ userKeyId }: SyncMessage, { name, version, group }: Item): boolean {
    const users = this.#pushed.get(`${name} ${version}`) ?? new Set();
    return users.size > (users.has(`${userKeyId} ${group}`) ? 1 : 0);
  }

  #notePushed({ userKeyId }: SyncMessage, { name, version, group }: Item): void {
    const key = `${name} ${version}`;
    this.#pushed.set(key, (this.#pushed.get(key) ?? new Set()).add(`${userKeyId} ${group}`));
  }

  #endSession(at: number): void {
    const { name = '' } = this.#deps;
    const session = this.#answered?.end(at);
    if (session) this.sessions.push({ reader: name, type: this.#rules.type, ...session });
  }
}

/** Whether an item was evaluated for a user, or contains nothing about users. */
function isFor(user: SdkUser | undefined, { userKeyId }: SyncMessage, item: Item): boolean {
  return userKeyId === user?.keyId && !isForAnother(user, item);
}
