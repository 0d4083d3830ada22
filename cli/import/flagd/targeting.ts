import { compileOperator, parseList, UncompilableCondition } from '../../../shared/evaluation/compileOperator.ts';
import { parseNumber } from '../../../shared/evaluation/number.ts';
import { ExactNumber } from '../../../shared/flags/exactJson.ts';
import type { Flag } from '../../../shared/flags/flag.ts';
import {
  type Condition,
  IN_SEGMENT,
  NOT_IN_SEGMENT,
  ROLLOUT_TOLERANCE,
  type Rollout,
} from '../../../shared/flags/rule.ts';
import { isBlank } from '../../../shared/flags/user.ts';
import { valueJson } from '../../../shared/flags/variationValue.ts';

/** JsonLogic with flagd's own operators. */
export type Logic =
  | string
  | number
  | ExactNumber
  | boolean
  | null
  | readonly Logic[]
  | { readonly [operator: string]: Logic };

/** A flag that flagd cannot express. The message says why. */
export class Inexpressible extends Error {
  override name = 'Inexpressible';
}

const KEY: Logic = { var: 'targetingKey' };

/** Whether the context's `targetingKey` is one of these. */
export function isOneOfUsers(keyIds: readonly string[]): Logic {
  return { in: [KEY, keyIds] };
}

/** Whether all of these match. False if one of them never does. */
export function allOf(parts: readonly Logic[]): Logic {
  if (parts.includes(false)) return false;
  const open = parts.filter((part) => part !== true);
  return open.length > 1 ? { and: open } : (open[0] ?? true);
}

/** Whether one of these matches. */
export function anyOf(parts: readonly Logic[]): Logic {
  if (parts.includes(true)) return true;
  const open = parts.filter((part) => part !== false);
  return open.length > 1 ? { or: open } : (open[0] ?? false);
}

export function not(part: Logic): Logic {
  return typeof part === 'boolean' ? !part : { '!': [part] };
}

/**
 * A condition as JsonLogic. Values that compare as text are converted to text. A missing attribute becomes the empty
 * text.
 *
 * @param segment the membership test of a segment by its id; false for an unknown segment
 * @throws {Inexpressible} for a regular expression, an infinite number, or an attribute name that flagd reserves
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

/** The text of an attribute. @throws {Inexpressible} if flagd reserves its name */
function textOf(property: string): Logic {
  return property === 'keyId' ? KEY : { cat: [{ var: [variableOf(property), ''] }] };
}

function variableOf(property: string): string {
  if (property === 'keyId') return 'targetingKey';
  if (property.includes('.') || property === 'targetingKey' || property === '$flagd') {
    throw new Inexpressible(`the attribute name "${property}", which flagd reserves`);
  }
  return property;
}

/** The differences of conditions for values that flagd's evaluators treat differently. */
export function differencesOfCondition({ op, value }: Condition): readonly string[] {
  if (NUMERIC.has(op ?? '')) return ['compares numbers: for other text, flagd returns no value'];
  if (LONG_NUMBER.test(value ?? '')) return ['compares a number of more than 15 digits: flagd rounds it in a context'];
  return op === 'IsTrue' || op === 'IsFalse'
    ? ['has a condition on true or false: flagd does not match a spelling such as tRUE']
    : [];
}

/** As a whole value, or as an item of a list. */
const LONG_NUMBER = /(?:^|")-?[\d.]{16,}(?:$|")/;

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

/** The empty text is not a number here. In JsonLogic it is 0. */
function numericLogic(property: string, compare: string, value: string): Logic {
  const bound = parseNumber(value);
  if (Number.isNaN(bound)) return false;
  if (!Number.isFinite(bound)) throw new Inexpressible(`a comparison of "${property}" with infinity`);
  const number = valueJson('number', value) === value && String(bound) !== value ? new ExactNumber(value) : bound;
  return allOf([{ '!==': [textOf(property), ''] }, { [compare]: [{ var: variableOf(property) }, number] }]);
}

/** A variation's name in flagd's file. @throws {Inexpressible} for an unknown variation */
type VariantOf = (variationId: string) => string;

/** The names of a flag's variations in flagd's file: their own names if these are unique, else their ids. */
export function variantsOf({ variations }: Flag): VariantOf {
  const names = variations.map(({ name }) => name ?? '');
  const isNamed = !names.includes('') && new Set(names).size === names.length;
  return (id) => {
    const variation = variations.find((candidate) => candidate.id === id);
    if (!variation) throw new Inexpressible(`the variation "${id}", which does not exist`);
    return isNamed ? (variation.name ?? id) : id;
  };
}

/** The non-empty shares of a rollout, in order. */
export function sharesOf({ variations }: Rollout) {
  return variations
    .map(({ id, rollout: [lower, upper] }) => ({ id, lower, upper }))
    .filter(({ lower, upper }) => upper > lower)
    .sort((a, b) => a.lower - b.lower);
}

/**
 * A rollout as JsonLogic: the name of one variation, or `fractional` with whole weights. flagd selects other users.
 *
 * @throws {Inexpressible} if shares leave users out or overlap
 */
export function rolloutLogic(rollout: Rollout, variantOf: VariantOf): Logic {
  const shares = sharesOf(rollout);
  let covered = 0;
  for (const { lower, upper } of shares) {
    if (Math.abs(lower - covered) > ROLLOUT_TOLERANCE) break;
    covered = upper;
  }
  const isWhole = shares.length > 0 && shares.at(-1)?.upper === covered && 1 - covered <= ROLLOUT_TOLERANCE;
  if (!isWhole) throw new Inexpressible('percentages that leave users out, or overlap');

  const [first] = shares;
  if (first && shares.length === 1) return variantOf(first.id);
  const widths = shares.map(({ lower, upper }) => upper - lower);
  const isPercent = widths.every((width) => Math.abs(width * 100 - Math.round(width * 100)) < ROLLOUT_TOLERANCE);
  const scale = isPercent ? 100 : 100_000;
  const weighted = shares.map(({ id }, n) => [variantOf(id), Math.round((widths[n] ?? 0) * scale)]);
  const property = rollout.dispatchKey ?? '';
  const isByKey = isBlank(property) || property === 'keyId';
  return { fractional: isByKey ? weighted : [{ cat: [{ var: '$flagd.flagKey' }, textOf(property)] }, ...weighted] };
}
