import { isBlank, type User } from '../flags/user.ts';
import type { Matcher } from './operator.ts';
import { always, never, type Predicate } from './predicate.ts';

/**
 * How a condition treats a missing attribute. FeatBit's server reads the empty text, so negative operators match. In
 * FeatBit's draft of an SDK specification, the condition never matches.
 */
export type MissingAttribute = 'empty' | 'no-match';

/** Reads one attribute of a user: its text, null for a `name` that was not sent, undefined if missing. */
export type AttributeReader = (user: User) => string | null | undefined;

/**
 * Returns a reader for an attribute: `keyId`, `name`, or a custom attribute by its exact name. A blank name reads as
 * the empty text (FeatBit `EndUser.ValueOf`).
 */
export function attributeReader(property: string): AttributeReader {
  if (property === 'keyId') return (user) => user.keyId;
  if (property === 'name') return (user) => user.name;
  if (isBlank(property)) return () => '';
  return (user) => user.attributes.get(property);
}

/** Whether an attribute from {@link attributeReader} matches. A `name` that was not sent never matches. */
export function attributeMatches(property: string, matches: Matcher, missing: MissingAttribute): Predicate {
  if (property === 'keyId') return (user) => matches(user.keyId);
  if (property === 'name') return (user) => user.name !== null && matches(user.name);
  if (isBlank(property)) return matches('') ? always : never;
  if (missing === 'empty') return (user) => matches(user.attributes.get(property) ?? '');
  return (user) => {
    const text = user.attributes.get(property);
    return text !== undefined && matches(text);
  };
}
