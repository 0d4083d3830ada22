import type { Condition } from '../../shared/flags/rule.ts';
import { Untranslatable } from './translation.ts';

/** Lists of conditions, one of which must hold as a whole: a rule has one list, so that each alternative becomes a rule. */
export type Alternatives = readonly (readonly Condition[])[];

export const ALWAYS: Alternatives = [[]];
export const NEVER: Alternatives = [];

const ALTERNATIVES_LIMIT = 100;

/** Alternatives that all of these hold, without those that never do. @throws {Untranslatable} when they are too many */
export function allOf(parts: readonly Alternatives[]): Alternatives {
  return parts.reduce(both, ALWAYS);
}

/** Alternatives of which one of these holds. */
export function anyOf(parts: readonly Alternatives[]): Alternatives {
  return parts.flat();
}

function both(a: Alternatives, b: Alternatives): Alternatives {
  if (a.length * b.length > ALTERNATIVES_LIMIT)
    throw new Untranslatable(`a condition that takes more than ${ALTERNATIVES_LIMIT} rules`);
  return a.flatMap((left) => b.map((right) => [...left, ...right])).filter(isPossible);
}

/** Nothing is both empty and not. */
function isPossible(conditions: readonly Condition[]): boolean {
  const empty = new Set(
    conditions.flatMap(({ property, op, value }) => (op === 'Equal' && value === '' ? property : [])),
  );
  return !conditions.some(({ property, op, value }) => op === 'NotEqual' && value === '' && empty.has(property));
}
