import { isJsonObject, type JsonObject } from '../flags/reader.ts';

/** One difference between two documents: its path, and both values. A missing value is undefined. */
export interface Difference {
  readonly path: string;
  readonly before: unknown;
  readonly after: unknown;
}

/** Fields that every write changes, or that have no author. */
const OWN_TO_THE_STORE = new Set(['updatedAt', 'envId']);

/**
 * The differences between two documents, field by field. Array items are matched by id, or else by name, so that a moved
 * item does not change all others. A path has the later name of an item.
 */
export function differences(before: unknown, after: unknown, path = ''): Difference[] {
  const [one, other] = [fieldsOf(before, after), fieldsOf(after, after)];
  // Only what has no fields is compared as text: at each level, it would take time in proportion to the depth.
  if (!one || !other || Array.isArray(before) !== Array.isArray(after))
    return JSON.stringify(before) === JSON.stringify(after) ? [] : [{ path, before, after }];
  const names = [...new Set([...one.keys(), ...other.keys()])];
  const found = names
    .filter((name) => path !== '' || !OWN_TO_THE_STORE.has(name))
    .flatMap((name) => differences(one.get(name), other.get(name), path === '' ? name : `${path}.${name}`));
  if (found.length > 0 || path === '') return found;
  const [was, is] = [[...one.keys()], [...other.keys()]];
  return was.every((name, index) => name === is[index]) ? [] : [{ path, before: was.join(', '), after: is.join(', ') }];
}

/** Names and values of an object, or of an array with identifiable items. Their names are those of the items with the same ids in `later`. */
function fieldsOf(value: unknown, later: unknown): ReadonlyMap<string, unknown> | undefined {
  if (isJsonObject(value)) return new Map(Object.entries(value).filter(([, field]) => field !== undefined));
  if (!isItems(value) || value.length === 0) return undefined;
  const known = isItems(later) ? later.filter((item) => 'id' in item) : [];
  const names = new Map(known.map((item) => [item['id'], nameOf(item)]));
  const kept = new Set(value.map((item) => names.get(item['id'])));
  // A new item may have the earlier name of another.
  const named = (item: JsonObject) =>
    names.get(item['id']) ?? (kept.has(nameOf(item)) ? String(item['id']) : nameOf(item));
  const fields = new Map(value.map((item) => [named(item), item]));
  return fields.size === value.length && !fields.has('undefined') ? fields : undefined;
}

function isItems(value: unknown): value is readonly JsonObject[] {
  return Array.isArray(value) && value.every(isJsonObject);
}

function nameOf(item: JsonObject): string {
  return String(item['name'] || item['id']);
}
