import { isJsonObject, type JsonObject } from './reader.ts';

/** The person or thing a flag is evaluated for. */
export interface User {
  /** What identifies it; never blank. */
  readonly keyId: string;
  /** Null when it was not sent: a condition on it then never matches. */
  readonly name: string | null;
  /** Custom attributes by name; of several with one name the first counts. */
  readonly attributes: ReadonlyMap<string, string>;
}

/** A user as SDKs send it: custom attributes as a list of name and value. */
export interface UserDocument {
  readonly keyId: string;
  readonly name: string | null;
  readonly customizedProperties: readonly { readonly name: string; readonly value: string }[];
}

/**
 * Reads a user from parsed JSON as FeatBit's server does: field names in any letter case, `keyId` required and not
 * blank, other fields optional, a null value read as `""`. Numbers and booleans as values are read as their JSON text
 * (docs/decisions/0005-lenient-attribute-values.md); a value that is an array or object makes the user invalid.
 *
 * @returns undefined when it is not a valid user
 */
export function parseUser(value: unknown): User | undefined {
  if (!isJsonObject(value)) return undefined;
  const keyId = field(value, 'keyId');
  if (typeof keyId !== 'string' || isBlank(keyId)) return undefined;
  const name = textOrNull(field(value, 'name'));
  const properties = field(value, 'customizedProperties') ?? [];
  if (name === undefined || !Array.isArray(properties)) return undefined;

  const attributes = new Map<string, string>();
  for (const property of properties) {
    if (property === null) continue;
    if (!isJsonObject(property)) return undefined;
    const attribute = field(property, 'name');
    const text = textOf(field(property, 'value') ?? '');
    if (text === undefined) return undefined;
    if (typeof attribute === 'string' && !attributes.has(attribute)) attributes.set(attribute, text);
  }
  return { keyId, name, attributes };
}

/** The user as an SDK would have sent it. */
export function userDocument(user: User): UserDocument {
  return {
    keyId: user.keyId,
    name: user.name,
    customizedProperties: Array.from(user.attributes, ([name, value]) => ({ name, value })),
  };
}

/** Whether a text is blank to .NET, which does not count U+FEFF as JavaScript's `trim` does, but counts U+0085. */
export function isBlank(text: string): boolean {
  // Looks for one character that is not: Bun takes 0.13 s for a pattern of all of a text of 1 MB.
  return !/[^\s\u0085]|\ufeff/.test(text);
}

/** Whether two users are the same to every flag. */
export function isSameUser(a: User | undefined, b: User | undefined): boolean {
  return a === b || (!!a && !!b && JSON.stringify(userDocument(a)) === JSON.stringify(userDocument(b)));
}

/** A field by its name, or by the same name in other letter case when the exact one is missing. */
export function field(source: JsonObject, name: string): unknown {
  if (Object.hasOwn(source, name)) return source[name];
  const folded = name.toLowerCase();
  const key = Object.keys(source).find((candidate) => candidate.toLowerCase() === folded);
  return key === undefined ? undefined : source[key];
}

function textOrNull(value: unknown): string | null | undefined {
  return value === undefined || value === null ? null : textOf(value);
}

function textOf(value: unknown): string | undefined {
  if (typeof value === 'string') return value;
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : undefined;
}
