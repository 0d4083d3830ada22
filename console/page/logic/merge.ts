import { isJsonObject, type JsonObject } from '../../../shared/flags/reader.ts';

/** The merge of two edits of a document. */
interface Merged<T> {
  readonly value: T;
  /** Fields that both edits changed differently. They have the value of the first edit. */
  readonly conflicts: readonly string[];
}

/**
 * Merges an edit with another one that was saved meanwhile. A field that one edit changed has its value. Lists of
 * texts have the additions and removals of both. Items with an id are matched by it. Shares of a rollout stay
 * together, because they are ranges of one scale.
 *
 * @param base the original document
 * @param mine the edit that wins conflicts
 * @param theirs the saved edit
 */
export function merge<T>(base: T, mine: T, theirs: T): Merged<T> {
  const conflicts: string[] = [];
  return { value: merged(base, mine, theirs, '', conflicts) as T, conflicts };
}

function merged(base: unknown, mine: unknown, theirs: unknown, path: string, conflicts: string[]): unknown {
  if (isEqual(mine, base) || isEqual(mine, theirs)) return theirs;
  if (isEqual(theirs, base)) return mine;
  if (isJsonObject(base) && isJsonObject(mine) && isJsonObject(theirs)) {
    return mergedFields(base, mine, theirs, path, conflicts);
  }
  if (isTexts(base) && isTexts(mine) && isTexts(theirs)) return mergedTexts(base, mine, theirs);
  const [a, b, c] = [byId(base), byId(mine), byId(theirs)];
  if (a && b && c) return mergedItems(a, b, c, path, conflicts);
  conflicts.push(path);
  return mine;
}

function mergedFields(base: JsonObject, mine: JsonObject, theirs: JsonObject, path: string, conflicts: string[]) {
  const names = [...new Set([...Object.keys(theirs), ...Object.keys(mine)])];
  const fields = names.map((name) => {
    const within = path === '' ? name : `${path}.${name}`;
    return [name, merged(base[name], mine[name], theirs[name], within, conflicts)] as const;
  });
  return Object.fromEntries(fields.filter(([, value]) => value !== undefined));
}

function mergedTexts(base: readonly string[], mine: readonly string[], theirs: readonly string[]): string[] {
  const added = mine.filter((text) => !base.includes(text));
  const kept = theirs.filter((text) => mine.includes(text) || !base.includes(text));
  return [...new Set([...kept, ...added])];
}

type Items = ReadonlyMap<string, JsonObject>;

function mergedItems(base: Items, mine: Items, theirs: Items, path: string, conflicts: string[]): unknown[] {
  const isMoved = !isEqual(orderIn(mine, base), orderIn(base, mine));
  const [first, second] = isMoved ? [mine, theirs] : [theirs, mine];
  return insertedInto(
    [...first.keys()],
    [...second.keys()].filter((id) => !first.has(id)),
    [...second.keys()],
  ).flatMap((id) => {
    const within = path === '' ? id : `${path}.${id}`;
    return merged(base.get(id), mine.get(id), theirs.get(id), within, conflicts) ?? [];
  });
}

/** The ids in both lists, in the order of the first. */
function orderIn(items: Items, other: Items): string[] {
  return [...items.keys()].filter((id) => other.has(id));
}

/** Inserts missing items after their predecessor. */
function insertedInto(order: string[], missing: readonly string[], itsOrder: readonly string[]): string[] {
  return missing.reduce((ids, id) => {
    const before = itsOrder.slice(0, itsOrder.indexOf(id)).reverse();
    const neighbour = before.find((other) => ids.includes(other));
    return ids.toSpliced(neighbour === undefined ? 0 : ids.indexOf(neighbour) + 1, 0, id);
  }, order);
}

/** Items of an array by id. Undefined if they have no ids, or belong together. */
function byId(value: unknown): Items | undefined {
  if (!Array.isArray(value) || !value.every(isJsonObject)) return undefined;
  const items = new Map(value.map((item) => [String(item['id'] ?? item['variationId']), item]));
  const belongTogether = value.some((item) => 'rollout' in item);
  return items.size === value.length && !items.has('undefined') && !belongTogether ? items : undefined;
}

function isTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((item) => typeof item === 'string');
}

function isEqual(a: unknown, b: unknown): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}
