import { takingWholeText } from '../../../shared/describe/sdks/wholeText.ts';
import { compileOperator, parseList, UncompilableCondition } from '../../../shared/evaluation/compileOperator.ts';
import { EXPRESSION_LIMIT, readExpression } from '../../../shared/evaluation/readExpression.ts';
import { type Condition, IN_SEGMENT, NOT_IN_SEGMENT } from '../../../shared/flags/rule.ts';
import { isBlank } from '../../../shared/flags/user.ts';
import { type Note, noteValues, TEXTS } from './differences.ts';
import { Untranslatable } from './values.ts';

/**
 * The name of an attribute in conditions.
 *
 * @param key the other service's name for a user's key
 * @throws {Untranslatable} for a name that is reserved here
 */
export function propertyOf(name: string, key: string): string {
  if (name === key) return 'keyId';
  if (isBlank(name) || ['keyId', IN_SEGMENT, NOT_IN_SEGMENT].includes(name))
    throw new Untranslatable(`the attribute name "${name}", which is reserved here`);
  return name;
}

/** Matches an attribute that is present and not empty. */
export function isSet(property: string): Condition {
  return { property, op: 'NotEqual', value: '' };
}

/** Matches an attribute that is missing or empty. */
export function isNotSet(property: string): Condition {
  return { property, op: 'Equal', value: '' };
}

/** Matches an attribute that is there, or one that is missing. Elsewhere, empty text is there. */
export function presence(property: string, isPresent: boolean, note: Note): Alternatives {
  noteValues(note, property, ['empty']);
  return [[isPresent ? isSet(property) : isNotSet(property)]];
}

/** Matches a number that is equal, or one that is not. */
export function equalNumber(property: string, value: string, isEqual: boolean): Alternatives {
  const at = (op: string): Condition => ({ property, op, value });
  return isEqual ? [[at('BiggerEqualThan'), at('LessEqualThan')]] : [[at('LessThan')], [at('BiggerThan')]];
}

/** Matches an attribute that is one of these values, or none of them. */
export function isOneOf(property: string, values: readonly string[], isNegated = false): Condition {
  return { property, op: isNegated ? 'NotOneOf' : 'IsOneOf', value: JSON.stringify(values) };
}

/** Matches a user in one of these segments, or in none of them. */
export function inSegment(ids: readonly string[], isNegated = false): Condition {
  return { property: isNegated ? NOT_IN_SEGMENT : IN_SEGMENT, op: null, value: JSON.stringify(ids) };
}

/** The conditions that compare numbers, each with its negation, by another service's names for them. */
export function numberOperators(above: string, notBelow: string, below: string, notAbove: string) {
  return new Map<string, readonly [op: string, negated: string]>([
    [above, ['BiggerThan', 'LessEqualThan']],
    [notBelow, ['BiggerEqualThan', 'LessThan']],
    [below, ['LessThan', 'BiggerEqualThan']],
    [notAbove, ['LessEqualThan', 'BiggerThan']],
  ]);
}

/** The conditions on a part of a text. */
type TextOperator = 'StartsWith' | 'EndsWith' | 'Contains';

/** These conditions by another service's names for them. */
export function textOperators(start: string, end: string, part: string): ReadonlyMap<string, TextOperator> {
  return new Map<string, TextOperator>([
    [start, 'StartsWith'],
    [end, 'EndsWith'],
    [part, 'Contains'],
  ]);
}

/** Matches a text that starts with, ends with or contains one of these parts, or none of them. */
export function textCondition(
  property: string,
  op: TextOperator,
  values: readonly string[],
  { isNegated = false, ignoresCase = false },
): Alternatives {
  const [first] = values;
  if (first === undefined) return isNegated ? ALWAYS : NEVER;
  const said = isNegated ? (op === 'Contains' ? 'NotContain' : undefined) : op;
  if (said && !ignoresCase && (values.length === 1 || isNegated)) {
    return [values.map((value) => ({ property, op: said, value }))];
  }
  const any = values.map((value) => literal(value, ignoresCase)).join('|');
  const [start, end] = [op === 'StartsWith' ? '^' : '', op === 'EndsWith' ? '$' : ''];
  return [[matching(property, `${start}(?:${any})${end}`, isNegated)]];
}

/**
 * Matches a text by a regular expression of another service, or negates it. A missing attribute never matches.
 *
 * @throws {Untranslatable} for an expression that would never match here
 */
export function expressionCondition(property: string, pattern: string, isNegated: boolean, note: Note): Alternatives {
  noteValues(note, property, TEXTS, 'expression');
  const condition = matching(property, pattern, isNegated);
  if (!compileOperator('MatchRegex', pattern)('')) return [[condition]];
  noteValues(note, property, ['empty']);
  return isNegated ? [[condition], [isNotSet(property)]] : [[isSet(property), condition]];
}

/**
 * A condition with a regular expression, in a form that FeatBit's Java SDK finds too.
 *
 * @throws {Untranslatable} if it would never match here
 */
function matching(property: string, pattern: string, isNegated: boolean): Condition {
  try {
    compileOperator('MatchRegex', pattern);
  } catch (error) {
    if (error instanceof UncompilableCondition) throw new Untranslatable(`what ${error.message}`);
    throw error;
  }
  const whole = takingWholeText(pattern);
  const value = readExpression(whole).size > EXPRESSION_LIMIT ? pattern : whole;
  return { property, op: isNegated ? 'NotMatchRegex' : 'MatchRegex', value };
}

/** A text as a regular expression, in syntax that all SDKs support. Some lack `(?i)`. */
function literal(text: string, ignoresCase: boolean): string {
  const characters = Array.from(text, (character) => {
    const forms = ignoresCase ? [...new Set([character.toLowerCase(), character.toUpperCase()])] : [character];
    if (forms.length > 1 && forms.every((form) => form.length === 1)) return `[${forms.join('')}]`;
    return character.replace(/[\\^$.*+?()[\]{}|]/, '\\$&');
  });
  return characters.join('');
}

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

/** No attribute is both empty and not empty, or in two lists without a common value. */
function isPossible(conditions: readonly Condition[]): boolean {
  const empty = new Set(
    conditions.flatMap(({ property, op, value }) => (op === 'Equal' && value === '' ? property : [])),
  );
  const lists = conditions.flatMap(({ property, op, value }) =>
    op === 'IsOneOf' ? { property, values: parseList(value ?? '') ?? [] } : [],
  );
  return !(
    conditions.some(({ property, op, value }) => op === 'NotEqual' && value === '' && empty.has(property)) ||
    lists.some((one) =>
      lists.some((other) => one.property === other.property && !one.values.some((each) => other.values.includes(each))),
    )
  );
}
