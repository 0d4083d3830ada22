import type { DataSync, WorldSdk } from './worldWires.ts';

interface Item {
  readonly id: string;
  readonly version: number;
  /** The user it was evaluated for. */
  readonly user: string;
}

interface Store {
  /** Cursor of the next data-sync. */
  readonly version: number;
  readonly flags: ReadonlyMap<string, Item>;
}

/**
 * A client-side SDK that handles messages like FeatBit's for JavaScript (4.2.15). It accepts only messages for its
 * user's keyId. A `full` replaces its flags, a patch item only if it is not older. It keeps flags by user.
 *
 * The flags of its world evaluate to the user's plan, so an item shows for which user it was evaluated.
 */
export class JsSdk implements WorldSdk {
  readonly type = 'client';
  /** Items that arrived twice or out of order for one user, except repeats for a new user. */
  readonly violations: string[] = [];
  connection: string | undefined;
  #keyId = '';
  #plan = '';
  #store: Store = { version: 0, flags: new Map() };
  /** The newest version sent to the user. Undefined until its data-sync is answered. */
  #newest: number | undefined;
  readonly #stores = new Map<string, Store>();
  /** Earlier users. Messages in transit for a returning user may arrive twice. */
  readonly #left = new Set<string>();
  #isBack = false;
  /** Whether it has asked for its user. An earlier reply belongs to the previous user. */
  #hasAsked = false;
  /** All pushed items. */
  readonly #pushed: Item[] = [];

  /**
   * Whether it has asked for another user on its current connection without a reply yet. If both users have the same
   * keyId, messages for the earlier one may be stored for this one. FeatBit's server has the same property.
   */
  isChangingUser = false;

  /** Switches to a user. A data-sync must follow. */
  identify(keyId: string, plan: string): void {
    this.isChangingUser = this.connection !== undefined;
    this.#left.add(this.#user());
    this.#keyId = keyId;
    this.#plan = plan;
    this.#isBack = this.#left.has(this.#user());
    this.#store = this.#stores.get(this.#user()) ?? { ...this.#store, version: 0 };
    this.#newest = undefined;
    this.#hasAsked = false;
  }

  request(): DataSync {
    this.#hasAsked = true;
    const customizedProperties = [{ name: 'plan', value: this.#plan }];
    return { timestamp: this.#store.version, user: { keyId: this.#keyId, customizedProperties } };
  }

  answer(text: string, isLatest: boolean): void {
    const items = this.#take(text);
    const isForUser = items.length > 0 && items.every(({ user }) => user === this.#user());
    if (!isForUser && !(isLatest && this.#hasAsked)) return;
    this.isChangingUser = false;
    this.#newest = Math.max(this.#newest ?? 0, ...items.map(({ version }) => version));
  }

  push(text: string): void {
    for (const item of this.#take(text)) {
      const isRepeat = this.#pushed.some(
        ({ id, version, user }) => id === item.id && version === item.version && user !== item.user,
      );
      this.#pushed.push(item);
      if (item.user !== this.#user() || isRepeat || this.#isBack) continue;
      if (item.version <= (this.#newest ?? Number.POSITIVE_INFINITY)) {
        this.violations.push(`${item.id} ${item.version} came ${this.#newest ? `after ${this.#newest}` : 'unasked'}`);
      }
      this.#newest = Math.max(this.#newest ?? 0, item.version);
    }
  }

  has() {
    const versions = new Map([...this.#store.flags].map(([id, { version }]) => [id, version]));
    return { cursor: this.isChangingUser ? 0 : this.#store.version, versions };
  }

  /** Its flags: the version, and the user they were evaluated for. */
  flags(): Record<string, string> {
    return Object.fromEntries([...this.#store.flags].map(([id, { version, user }]) => [id, `${version} ${user}`]));
  }

  /** Its expected flags for these versions. */
  expected(versions: readonly { readonly id: string; readonly updatedAt: number }[]): Record<string, string> {
    return Object.fromEntries(versions.map(({ id, updatedAt }) => [id, `${updatedAt} ${this.#user()}`]));
  }

  #take(text: string): Item[] {
    const { eventType, userKeyId, featureFlags } = JSON.parse(text).data;
    const items: Item[] = featureFlags.map((flag: { id: string; timestamp: number; variation: string }) => ({
      id: flag.id,
      version: flag.timestamp,
      user: `${userKeyId} ${flag.variation.slice(0, 1)}`,
    }));
    if (userKeyId !== this.#keyId) return items;
    const flags = new Map(eventType === 'full' ? [] : this.#store.flags);
    for (const item of items) if ((flags.get(item.id)?.version ?? 0) <= item.version) flags.set(item.id, item);
    const version = eventType === 'full' ? 0 : this.#store.version;
    this.#store = { version: Math.max(version, ...items.map((item) => item.version)), flags };
    this.#stores.set(this.#user(), this.#store);
    return items;
  }

  #user(): string {
    return `${this.#keyId} ${this.#plan}`;
  }
}
