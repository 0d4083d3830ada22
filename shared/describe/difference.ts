import { isJsonObject } from '../flags/reader.ts';

/** One difference between two documents: its path, and both values. A missing value is undefined. */
export interface Difference {
  readonly path: string;
  readonly before: unknown;
  readonly after: unknown;
}

/** Fields that every write changes, or that have no author. */
const OWN_TO_THE_STORE = new Set(['updatedAt', 'envId']);

/**
 * The differences between two documents, field by field. Array items with an id are matched by id, so that a moved item
 * does not change all others.
 */
export function differences(before: unknown, after: unknown, path = ''): Difference[] {
  if (JSON.stringify(before) === JSON.stringify(after)) return [];
  const [one, other] = [fieldsOf(before), fieldsOf(after)];
  if (!one || !other) return [{ path, before, after }];
  const names = [...new Set([...one.keys(), ...other.keys()])];
  const found = names
    .filter((name) => path !== '' || !OWN_TO_THE_STORE.has(name))
    .flatMap((name) => differences(one.get(name), other.get(name), path === '' ? name : `${path}.${name}`));
  if (found.length > 0 || path === '') return found;
  return [{ path, before: [...one.keys()].join(', '), after: [...other.keys()].join(', ') }];
}

/** A difference as one line: `isEnabled: false → true`. */
export function formatDifference({ path, before, after }: Difference): string {
  return `${path}: ${shortened(before)} → ${shortened(after)}`;
}

/** Names and values of an object, or of an array with identifiable items. */
function fieldsOf(value: unknown): ReadonlyMap<string, unknown> | undefined {
  if (isJsonObject(value)) return new Map(Object.entries(value));
  if (!Array.isArray(value) || !value.every(isJsonObject)) return undefined;
  const items = value.map((item) => [String(item['name'] || item['id']), item] as const);
  const fields = new Map(items);
  return items.length > 0 && fields.size === items.length && !fields.has('undefined') ? fields : undefined;
}

function shortened(value: unknown): string {
  if (value === undefined) return 'nothing';
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return text.length > 120 ? `${text.slice(0, 119)}…` : text;
}
