import { InvalidInput } from '../invalidInput.ts';
import type { Condition } from '../rule.ts';

/** The common fields of flag rules and segment rules. */
export interface NamedRule {
  readonly id: string;
  readonly name: string;
}

/**
 * Finds a rule by its name, id, or position (counted from 1).
 *
 * @param owner the flag or segment with these rules, for messages: `flag "x"`
 * @throws {InvalidInput} if there is none, or several have the name
 */
export function findRule<R extends NamedRule>(rules: readonly R[], named: string, owner: string): R {
  const called = rules.filter(({ id, name }) => id === named || name === named);
  const [first] = called;
  if (first && called.length === 1) return first;
  if (first) {
    const positions = rules.flatMap((rule, index) => (called.includes(rule) ? [index + 1] : []));
    throw new InvalidInput(`several rules of ${owner} are named "${named}"; use a position: ${positions.join(', ')}`);
  }
  const placed = /^\d+$/.test(named) ? rules[Number(named) - 1] : undefined;
  if (placed) return placed;
  const known = rules.map(({ name }, index) => `${index + 1} "${name}"`).join(', ') || 'none';
  throw new InvalidInput(`${owner} has no rule "${named}"; its rules are: ${known}`);
}

/** Replaces one rule with another. */
export function replaceRule<R extends NamedRule>(rules: readonly R[], rule: R, by: R): R[] {
  return rules.map((other) => (other === rule ? by : other));
}

/** A rule with another name, other conditions, or both. @throws {InvalidInput} if another rule has the name */
export function changedRule<R extends NamedRule & { readonly conditions: readonly Condition[] }>(
  rules: readonly R[],
  rule: R,
  name: string | undefined,
  conditions: readonly Condition[],
): R {
  return {
    ...rule,
    ...(name === undefined ? {} : { name: nameForRule(withoutRule(rules, rule), name) }),
    ...(conditions.length === 0 ? {} : { conditions }),
  };
}

/** Removes one rule. */
export function withoutRule<R extends NamedRule>(rules: readonly R[], rule: R): R[] {
  return rules.filter((other) => other !== rule);
}

/**
 * Inserts a rule at a position. Rules are evaluated in order.
 *
 * @param position counted from 1; undefined for the end
 * @throws {InvalidInput} for a position beyond the end
 */
export function insertRule<R extends NamedRule>(rules: readonly R[], rule: R, position?: string): R[] {
  const last = rules.length + 1;
  const at = position === undefined ? last : Number(position);
  if (!Number.isInteger(at) || at < 1 || at > last) {
    throw new InvalidInput(`"${position}" is not a position for the rule; give a number from 1 to ${last}`);
  }
  return rules.toSpliced(at - 1, 0, rule);
}

/**
 * The name of a new rule, which SDKs report as the reason. By default it is unique. @throws {InvalidInput} if another
 * rule has it
 */
export function nameForRule(rules: readonly NamedRule[], wanted?: string): string {
  const taken = new Set(rules.map(({ name }) => name));
  if (wanted !== undefined && taken.has(wanted)) throw new InvalidInput(`a rule named "${wanted}" already exists`);
  if (wanted !== undefined) return wanted;
  let number = rules.length + 1;
  while (taken.has(`Rule ${number}`)) number += 1;
  return `Rule ${number}`;
}
