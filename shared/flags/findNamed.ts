import { InvalidInput } from './invalidInput.ts';

/** A way to name an item. Undefined or empty: the item has no such name. */
type Way<T> = (item: T) => string | undefined;

/**
 * Finds the item that a name means. The ways to name an item are tried in order: the first one by which any item has the
 * name decides. Ids come first, so that an id always means one item.
 *
 * @param what the items in messages: `segments`
 * @returns undefined if no item has the name
 * @throws {InvalidInput} with their ids if several have it
 */
export function findNamed<T extends { readonly id: string }>(
  items: readonly T[],
  named: string,
  ways: readonly Way<T>[],
  what: string,
): T | undefined {
  for (const way of [({ id }: T) => id, ...ways]) {
    const [first, ...others] = items.filter((item) => way(item) === named);
    if (first && others.length === 0) return first;
    if (first) {
      const ids = [first, ...others].map(({ id }) => id).join(', ');
      throw new InvalidInput(`several ${what} are named "${named}"; use an id: ${ids}`);
    }
  }
  return undefined;
}
