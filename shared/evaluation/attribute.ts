import type { User } from '../flags/user.ts';

/** Finds one attribute of a user: its text, null for a `name` that was not sent, undefined for a missing attribute. */
export type AttributeReader = (user: User) => string | null | undefined;

/**
 * The reader of an attribute by its name: `keyId`, `name`, or a custom attribute by its exact name. A blank name reads
 * as the empty text (FeatBit `EndUser.ValueOf`).
 */
export function attributeReader(property: string): AttributeReader {
  if (property === 'keyId') return (user) => user.keyId;
  if (property === 'name') return (user) => user.name;
  if (property.trim() === '') return () => '';
  return (user) => user.attributes.get(property);
}
