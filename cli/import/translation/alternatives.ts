import type { Condition } from '../../../shared/flags/rule.ts';
import { Untranslatable } from './translation.ts';

/**
 * Lists of conditions. At least one list must match completely. A rule has one list, so each alternative becomes a
 * rule.
 */
export type Alternatives = readonly (readonly Condition[])[];

export const ALWAYS: Alternatives = [[]];
export const NEVER: Alternatives = [];

const ALTERNATIVES_LIMIT = 100;

/**
 * Alternatives that match if all of these do, without impossible ones. @throws {Untranslatable} if there are too many
 */
export function allOf(parts: readonly Alternatives[]): Alternatives {
  return parts.reduce(both, ALWAYS);
}

/** Alternatives that match if any of these does. */
export function anyOf(parts: readonly Alternatives[]): Alternatives {
  return parts.flat();
}

function both(a: Alternatives, b: Alternatives): Alternatives {
  if (a.length * b.length > ALTERNATIVES_LIMIT)
    throw new Untranslatable(`a condition that takes more than ${ALTERNATIVES_LIMIT} rules`);
  return a.flatMap((left) => b.map((right) => [...left, ...right])).filter(isPossible);
}

/** No attribute is both empty and not empty. */
function isPossible(conditions: readonly Condition[]): boolean {
  const empty = new Set(
    conditions.flatMap(({ property, op, value }) => (op === 'Equal' && value === '' ? property : [])),
  );
  return !conditions.some(({ property, op, value }) => op === 'NotEqual' && value === '' && empty.has(property));
}
