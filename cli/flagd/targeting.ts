import { parseNumber } from '../../shared/evaluation/number.ts';
import { compileOperator, parseList, UncompilableCondition } from '../../shared/evaluation/operator.ts';
import { type Condition, IN_SEGMENT, NOT_IN_SEGMENT } from '../../shared/flags/rule.ts';
import { isBlank } from '../../shared/flags/user.ts';

/** JsonLogic, with flagd's own operators. */
export type Logic = string | number | boolean | null | readonly Logic[] | { readonly [operator: string]: Logic };

/** Something that flagd has no words for; the message says what. */
export class Inexpressible extends Error {
  override name = 'Inexpressible';
}

const KEY: Logic = { var: 'targetingKey' };

/** Whether the context's `targetingKey` is one of these. */
export function isOneOfUsers(keyIds: readonly string[]): Logic {
  return { in: [KEY, keyIds] };
}

/** Whether all of these hold; false as soon as one never does. */
export function allOf(parts: readonly Logic[]): Logic {
  if (parts.includes(false)) return false;
  const open = parts.filter((part) => part !== true);
  return open.length > 1 ? { and: open } : (open[0] ?? true);
}

/** Whether one of these holds. */
export function anyOf(parts: readonly Logic[]): Logic {
  if (parts.includes(true)) return true;
  const open = parts.filter((part) => part !== false);
  return open.length > 1 ? { or: open } : (open[0] ?? false);
}

export function not(part: Logic): Logic {
  return typeof part === 'boolean' ? !part : { '!': [part] };
}

/**
 * A condition as JsonLogic. What compares as text here is made text there, and a missing attribute the empty one.
 *
 * @param segment the membership test of a segment by its id; false for one that does not exist
 * @throws {Inexpressible} a regular expression, an infinite number, an attribute whose name means something else to flagd
 */
export function conditionLogic({ property, op, value }: Condition, segment: (id: string) => Logic): Logic {
  try {
    if (property === IN_SEGMENT) return anyOf(idsIn(value).map(segment));
    if (property === NOT_IN_SEGMENT) return not(anyOf(idsIn(value).map(segment)));
    if (value === null) return false;
    const matches = compileOperator(op, value);
    if (isBlank(property)) return matches('');
  } catch (error) {
    if (error instanceof UncompilableCondition) return false;
    throw error;
  }
  const logic = operatorLogic(property, op ?? '', value);
  return property === 'name' ? allOf([{ '!=': [{ var: 'name' }, null] }, logic]) : logic;
}

function idsIn(value: string | null): readonly string[] {
  return value === null || value === '' ? [] : (parseList(value) ?? []);
}

/** The text of an attribute. @throws {Inexpressible} where flagd would read something else by that name */
export function textOf(property: string): Logic {
  return property === 'keyId' ? KEY : { cat: [{ var: [variableOf(property), ''] }] };
}

function variableOf(property: string): string {
  if (property === 'keyId') return 'targetingKey';
  if (property.includes('.') || property === 'targetingKey' || property === '$flagd') {
    throw new Inexpressible(`an attribute called "${property}", which is something else to flagd`);
  }
  return property;
}

/** What flagd's evaluators make of some values that is not what is made of them here. */
export function differencesOfCondition({ op }: Condition): readonly string[] {
  if (NUMERIC.has(op ?? '')) return ['compares numbers: for other text, flagd returns no value'];
  return op === 'IsTrue' || op === 'IsFalse'
    ? ['has a condition on true or false: flagd does not match a spelling such as tRUE']
    : [];
}

const NUMERIC: ReadonlyMap<string, string> = new Map([
  ['LessThan', '<'],
  ['LessEqualThan', '<='],
  ['BiggerThan', '>'],
  ['BiggerEqualThan', '>='],
]);

function operatorLogic(property: string, op: string, value: string): Logic {
  const text = textOf(property);
  const compare = NUMERIC.get(op);
  if (compare !== undefined) return numericLogic(property, compare, value);
  switch (op) {
    case 'Equal':
      return { '===': [text, value] };
    case 'NotEqual':
      return { '!==': [text, value] };
    case 'Contains':
      return value === '' ? true : { in: [value, text] };
    case 'NotContain':
      return value === '' ? false : not({ in: [value, text] });
    case 'StartsWith':
      return { starts_with: [text, value] };
    case 'EndsWith':
      return { ends_with: [text, value] };
    case 'IsOneOf':
      return { in: [text, parseList(value) ?? []] };
    case 'NotOneOf':
      return not({ in: [text, parseList(value) ?? []] });
    case 'IsTrue':
      return { in: [text, ['true', 'True', 'TRUE']] };
    case 'IsFalse':
      return { in: [text, ['false', 'False', 'FALSE']] };
    default:
      throw new Inexpressible(`a regular expression on "${property}"`);
  }
}

/** The empty text is no number here, and 0 in JsonLogic. */
function numericLogic(property: string, compare: string, value: string): Logic {
  const bound = parseNumber(value);
  if (Number.isNaN(bound)) return false;
  if (!Number.isFinite(bound)) throw new Inexpressible(`a comparison of "${property}" with infinity`);
  return allOf([{ '!==': [textOf(property), ''] }, { [compare]: [{ var: variableOf(property) }, bound] }]);
}
