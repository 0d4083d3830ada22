import { isBlank, type User } from '../flags/user.ts';
import type { Matcher } from './operators.ts';
import { always, never, type Predicate } from './predicate.ts';

/**
 * How a condition treats a missing attribute. FeatBit's server reads the empty text, so negative operators match. In
 * FeatBit's draft of an SDK specification, the condition never matches.
 */
export type MissingAttribute = 'empty' | 'no-match';

/** An evaluation that depends on the key id of a user who has none. */
export class KeyIdMissing extends Error {
  override name = 'KeyIdMissing';
}

/** Created once: a stack for each flag and user would take more time than the evaluation. */
const KEY_ID_MISSING = new KeyIdMissing('the evaluation depends on the key id, which the user does not have');

/** @throws {KeyIdMissing} */
function keyIdOf({ keyId }: User): string {
  if (keyId === '') throw KEY_ID_MISSING;
  return keyId;
}

/**
 * Returns a reader for an attribute: `keyId`, `name`, or a custom attribute by its exact name. It reads the text, null for
 * a `name` that was not sent, undefined if missing. A blank name reads as the empty text (FeatBit `EndUser.ValueOf`). The
 * reader of `keyId` throws {@link KeyIdMissing} for a user without one.
 */
export function attributeReader(property: string): (user: User) => string | null | undefined {
  if (property === 'keyId') return keyIdOf;
  if (property === 'name') return (user) => user.name;
  if (isBlank(property)) return () => '';
  return (user) => user.attributes.get(property);
}

/** Whether an attribute from {@link attributeReader} matches. A `name` that was not sent never matches. */
export function attributeMatches(property: string, matches: Matcher, missing: MissingAttribute): Predicate {
  if (property === 'keyId') return (user) => matches(keyIdOf(user));
  if (property === 'name') return (user) => user.name !== null && matches(user.name);
  if (isBlank(property)) return matches('') ? always : never;
  if (missing === 'empty') return (user) => matches(user.attributes.get(property) ?? '');
  return (user) => {
    const text = user.attributes.get(property);
    return text !== undefined && matches(text);
  };
}
