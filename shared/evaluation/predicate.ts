import type { User } from '../flags/user.ts';

/** A test of a user. */
export type Predicate = (user: User) => boolean;

export const always: Predicate = () => true;
export const never: Predicate = () => false;

export function not(predicate: Predicate): Predicate {
  return (user) => !predicate(user);
}

/** True if all are true. True for all users if there are none. */
export function allOf(predicates: readonly Predicate[]): Predicate {
  const [first, second, third] = predicates;
  if (!first) return always;
  if (!second) return first;
  if (!third) return both(first, second);
  return (user) => {
    for (const holds of predicates) if (!holds(user)) return false;
    return true;
  };
}

/** True if any is true. False for all users if there are none. */
export function anyOf(predicates: readonly Predicate[]): Predicate {
  const [first, second] = predicates;
  if (!first) return never;
  if (!second) return first;
  return (user) => {
    for (const holds of predicates) if (holds(user)) return true;
    return false;
  };
}

/** The common case of two conditions, without a loop. */
function both(first: Predicate, second: Predicate): Predicate {
  return (user) => first(user) && second(user);
}
