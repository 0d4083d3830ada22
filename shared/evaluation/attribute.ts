import { isBlank, type User } from '../flags/user.ts';
import type { Matcher } from './operator.ts';
import { always, never, type Predicate } from './predicate.ts';

/**
 * How a condition treats an attribute that the user lacks: as the empty text, as FeatBit's server does (negative operators
 * then hold), or as a condition that never holds, as FeatBit's draft of an SDK specification asks.
 */
export type MissingAttribute = 'empty' | 'no-match';

/** Finds one attribute of a user: its text, null for a `name` that was not sent, undefined for a missing attribute. */
export type AttributeReader = (user: User) => string | null | undefined;

/**
 * The reader of an attribute by its name: `keyId`, `name`, or a custom attribute by its exact name. A blank name reads
 * as the empty text (FeatBit `EndUser.ValueOf`).
 */
export function attributeReader(property: string): AttributeReader {
  if (property === 'keyId') return (user) => user.keyId;
  if (property === 'name') return (user) => user.name;
  if (isBlank(property)) return () => '';
  return (user) => user.attributes.get(property);
}

/** Whether an attribute, found as {@link attributeReader} finds it, matches; a `name` that was not sent never does. */
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
