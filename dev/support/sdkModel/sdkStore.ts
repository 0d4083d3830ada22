import type { Item } from './message.ts';

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
