import { type Item, readSyncMessage, type SdkUser, type SyncMessage } from './message.ts';
import type { SdkRules } from './sdkRules.ts';
import type { Asked } from './sentState.ts';
import { type CheckDeps, SyncCheck } from './syncCheck.ts';

/** The items that an SDK has: of an environment, or of one user if it is a client-side SDK. */
export class SdkStore {
  readonly items = new Map<string, Item>();
  /** The newest version among the items that it ever had since it last replaced all. The next data-sync sends it. */
  cursor = 0;
  /** Whether a `full` brought its items. */
  isWhole = false;

  put(item: Item): void {
    this.items.set(item.name, item);
    this.cursor = Math.max(this.cursor, item.version);
  }

  /** Replaces all items, even newer ones. */
  replace(items: readonly Item[]): void {
    this.items.clear();
    this.cursor = 0;
    this.isWhole = true;
    for (const item of items) this.put(item);
  }

  /** The versions of its items, by name. */
  versions(): Map<string, number> {
    return new Map([...this.items.values()].map(({ name, version }) => [name, version]));
  }
}

/** What an SDK does with a message. */
export type Outcome =
  | 'stored'
  /** It has everything in the message. */
  | 'old'
  /** The message is for another user. */
  | 'ignored'
  /** The SDK cannot read the message. */
  | 'invalid'
  /** The message is no data-sync. */
  | 'other'
  | 'reconnect'
  /** The SDK asks for everything on the same connection. */
  | 'ask again';

/** A message, and what the SDK did with it. */
export interface Received {
  readonly outcome: Outcome;
  readonly message?: SyncMessage | undefined;
  /** The data-sync whose answer begins with the message. */
  readonly asked?: Asked | undefined;
}

/** Whether an SDK stores an item of a patch, by the version that it has of the item, and its newest version. */
const ACCEPTS: Readonly<Record<SdkRules['accepts'], (version: number, known: number, newest: number) => boolean>> = {
  all: () => true,
  'newer than all': (version, _, newest) => version > newest,
  newer: (version, known) => version > known,
  'not older': (version, known) => version >= known,
};

/**
 * An SDK without its connection. It stores what its rules accept, and a check compares each message with what the SDK
 * must be sent. Times are milliseconds on any one clock.
 */
export class SdkModel {
  readonly rules: SdkRules;
  readonly check: SyncCheck;
  /** Messages by outcome. */
  readonly outcomes = new Map<Outcome, number>();
  /** The number of items in the largest patch. */
  largestPatch = 0;
  /** The cursors of its data-syncs, in order. */
  readonly cursors: number[] = [];
  /** The user and attributes of its flags. Undefined in a server-side SDK. */
  user: SdkUser | undefined;
  readonly #stores = new Map<string, { readonly context: string; readonly store: SdkStore }>();

  constructor(rules: SdkRules, deps: CheckDeps = {}, user?: SdkUser) {
    this.rules = rules;
    this.check = new SyncCheck(rules, deps);
    this.user = user;
  }

  /** Its items: of its user, if it is a client-side SDK. */
  get store(): SdkStore {
    const { keyId = '' } = this.user ?? {};
    const context = this.user ? describeUser(this.user) : '';
    const slot = this.rules.keepsContexts ? context : keyId;
    const kept = this.#stores.get(slot);
    if (kept?.context === context) return kept.store;
    const store = new SdkStore();
    this.#stores.set(slot, { context, store });
    return store;
  }

  /** A flag's value. Undefined if the code gets its default. */
  value(key: string): string | null | undefined {
    const { variation, matchReason } = this.store.items.get(`flag:${key}`)?.json ?? {};
    return matchReason === 'flag archived' ? undefined : variation;
  }

  /** Sends a data-sync. @param isAnew whether it asks for everything @returns the message */
  request(at: number, isAnew = false): string {
    const { user, store } = this;
    // A push for the previous user's attributes can be the only item here if the connection ends before the answer. SDKs
    // send its version, and then lack the other flags with any server. The check is about the server.
    const timestamp = isAnew || !store.isWhole ? 0 : store.cursor;
    const number = this.cursors.push(timestamp);
    this.check.ask({ number, user, at, cursor: timestamp, held: store.versions() });
    return JSON.stringify({ messageType: 'data-sync', data: user ? { timestamp, user } : { timestamp } });
  }

  /**
   * Handles a message.
   *
   * @param answers number of the data-sync that it answers, 0 for a push. Undefined if the transport does not know
   */
  receive(text: string, at: number, answers?: number): Received {
    const received = this.#receive(text, at, answers);
    const { outcome } = received;
    this.outcomes.set(outcome, (this.outcomes.get(outcome) ?? 0) + 1);
    return received;
  }

  /** Handles the end of its connection. */
  disconnect(at: number): void {
    this.check.disconnect(at);
  }

  #receive(text: string, at: number, answers?: number): Received {
    const { type, limitBytes = Number.POSITIVE_INFINITY, refusesOthers } = this.rules;
    if (Buffer.byteLength(text) > limitBytes) return { outcome: 'reconnect' };
    let message: SyncMessage | undefined;
    try {
      message = readSyncMessage(text, type);
    } catch (error) {
      this.check.refuse(`${(error as Error).message}: ${text.slice(0, 200)}`);
      return { outcome: refusesOthers ? 'reconnect' : 'invalid' };
    }
    if (!message) return { outcome: refusesOthers ? 'reconnect' : 'other' };
    const asked = this.check.receive(message, at, answers);
    return { outcome: this.#apply(message), message, asked };
  }

  #apply(message: SyncMessage): Outcome {
    const { accepts, isUnordered, refusesNulls, refusesIncomplete } = this.rules;
    const { eventType, userKeyId, items } = message;
    if (userKeyId !== this.user?.keyId) return 'ignored';
    if (refusesNulls && items.some(hasNullCondition)) return 'invalid';
    if (refusesIncomplete && new Set(items.map(({ name }) => name)).size < items.length) return 'invalid';
    const readable = refusesIncomplete ? items.filter(isComplete) : items;
    const { store } = this;
    if (eventType === 'full') {
      const isOld = items.every(({ version }) => version <= store.cursor);
      if (accepts === 'newer than all' && isOld) return 'old';
      store.replace(readable);
      return 'stored';
    }
    this.largestPatch = Math.max(this.largestPatch, items.length);
    let outcome: Outcome = 'stored';
    for (const item of isUnordered ? readable.toReversed() : readable) {
      const known = store.items.get(item.name);
      if (ACCEPTS[accepts](item.version, known?.version ?? 0, store.cursor)) store.put(item);
      else if (accepts === 'newer than all') return 'reconnect';
      else if (this.rules.asksAgain && isConflict(known, item)) outcome = 'ask again';
    }
    return outcome;
  }
}

/** A text that is equal for a user with equal attributes. */
function describeUser({ customizedProperties, ...rest }: SdkUser): string {
  return JSON.stringify([rest, customizedProperties.toSorted((a, b) => (a.name < b.name ? -1 : 1))]);
}

function hasNullCondition({ json }: Item): boolean {
  return (json.rules ?? []).some(({ conditions }) => conditions.some(({ op, value }) => op === null || value === null));
}

function isComplete({ version, json }: Item): boolean {
  return typeof json.variation === 'string' && typeof json.variationType === 'string' && Number.isInteger(version);
}

/** Whether two items of one version differ. */
function isConflict(known: Item | undefined, item: Item): boolean {
  return known?.version === item.version && known.json.isEnabled !== item.json.isEnabled;
}
