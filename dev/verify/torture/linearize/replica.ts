import type { Item } from './items.ts';

/** Whom a client-type reader asks for. */
export interface SyncUser {
  readonly keyId: string;
  /** The attribute by which the test's flags tell users apart. */
  readonly group: string;
}

/** What an SDK keeps of an environment, for one user if it is of client type. */
export class Replica {
  readonly items = new Map<string, Item>();
  /** The newest version in it: where it stands when it asks again. */
  cursor = 0;

  put(item: Item): void {
    this.items.set(item.name, item);
    this.cursor = Math.max(this.cursor, item.version);
  }

  /** Takes the place of everything that was there, also of what is newer. */
  replace(items: readonly Item[]): void {
    this.items.clear();
    this.cursor = 0;
    for (const item of items) this.put(item);
  }
}

/** A reader's replicas: one for a server-side SDK; one by user, as the JavaScript SDK keeps them, for a client-side one. */
export class Replicas {
  readonly #byUser = new Map<string, { readonly group: string; readonly replica: Replica }>();

  /** The replica to go on with; an empty one for a user who is new, or is the same with other attributes. */
  for(user: SyncUser | undefined): Replica {
    const { keyId = '', group = '' } = user ?? {};
    const kept = this.#byUser.get(keyId);
    if (kept?.group === group) return kept.replica;
    const replica = new Replica();
    this.#byUser.set(keyId, { group, replica });
    return replica;
  }
}
