import { compileOperator } from '../../../shared/evaluation/compileOperator.ts';
import { roundNumber } from '../../../shared/flags/exactJson.ts';
import { isJsonObject } from '../../../shared/flags/reader.ts';
import type { Condition } from '../../../shared/flags/rule.ts';
import { type Alternatives, isNotSet, isSet } from '../translation/conditions.ts';
import {
  ABSENT,
  isNumberText,
  kindsWithPart,
  kindsWrittenAs,
  NO_TEXTS,
  type Note,
  NUMBERS,
  noteValues,
  TEXTS,
  type ValueKind,
} from '../translation/differences.ts';
import { comparedText, isRounded, Untranslatable } from '../translation/values.ts';

/** Creates the error for an unsupported operation. */
export function untranslatable(logic: unknown): Untranslatable {
  return new Untranslatable((JSON.stringify(logic) ?? 'nothing').slice(0, 80));
}

/** An attribute's name in a condition here, and its type in flagd. */
export interface Attribute {
  readonly property: string;
  /** Whether it is always text. */
  readonly isText: boolean;
  /** Whether a missing attribute is the empty text. */
  readonly isEmptyIfMissing: boolean;
}

/** Parses `{"var": …}`, or `{"cat": […]}` of one, which converts it to text. @returns undefined for anything else */
export function attributeOf(logic: unknown): Attribute | undefined {
  if (!isJsonObject(logic) || Object.keys(logic).length !== 1) return undefined;
  const { cat, var: variable } = logic;
  if (Array.isArray(cat) && cat.length === 1) {
    const attribute = attributeOf(cat[0]);
    return attribute && { ...attribute, isText: true };
  }
  const [name, fallback = null, ...more] = Array.isArray(variable) ? variable : [variable];
  if (typeof name !== 'string' || more.length > 0 || (fallback !== null && fallback !== '')) return undefined;
  if (name === 'targetingKey') return { property: 'keyId', isText: true, isEmptyIfMissing: true };
  const isOther = name.trim() === '' || name.includes('.') || name === 'keyId' || name === '$flagd';
  return isOther ? undefined : { property: name, isText: false, isEmptyIfMissing: fallback === '' };
}

const NEGATIONS: Readonly<Record<string, string>> = {
  Equal: 'NotEqual',
  IsOneOf: 'NotOneOf',
  Contains: 'NotContain',
  LessThan: 'BiggerEqualThan',
  LessEqualThan: 'BiggerThan',
  BiggerThan: 'LessEqualThan',
  BiggerEqualThan: 'LessThan',
};
const OPPOSITES: ReadonlyMap<string, string> = new Map(Object.entries(NEGATIONS).map(([op, negated]) => [negated, op]));
const COMPARES: ReadonlyMap<string, readonly [op: string, turned: string]> = new Map([
  ['<', ['LessThan', 'BiggerThan']],
  ['<=', ['LessEqualThan', 'BiggerEqualThan']],
  ['>', ['BiggerThan', 'LessThan']],
  ['>=', ['BiggerEqualThan', 'LessEqualThan']],
]);
/** The operators on a part of a text. */
export const AFFIXES: ReadonlyMap<string, string> = new Map([
  ['starts_with', 'StartsWith'],
  ['ends_with', 'EndsWith'],
]);

/**
 * Translates a comparison of an attribute with a constant.
 *
 * @param whole the operation, for the error
 * @throws {Untranslatable} if it is not supported
 */
export function readComparison(
  operator: string,
  args: readonly unknown[],
  isNegated: boolean,
  whole: unknown,
  note: Note,
): Alternatives {
  const [a, b] = args;
  const [left, right] = [attributeOf(a), attributeOf(b)];
  const attribute = left ?? right;
  if (args.length !== 2 || !attribute || (left && right)) throw untranslatable(whole);
  const { property, isText } = attribute;
  const exact = left ? b : a;
  const literal = Array.isArray(exact) ? exact.map(roundNumber) : roundNumber(exact);
  const text = comparedText(exact);
  const as = (op: string, value: string): Condition => {
    const said = isNegated ? (NEGATIONS[op] ?? OPPOSITES.get(op)) : op;
    if (said === undefined) throw untranslatable({ '!': whole });
    const condition = { property, op: said, value };
    noteValues(note, property, differingValues(operator, literal, attribute, condition));
    noteValues(note, property, left ? [] : differingBehind(operator, literal, attribute));
    if (!COMPARES.has(operator) && [exact].flat().some(isRounded)) noteValues(note, property, NUMBERS);
    // For null, flagd's evaluator uses the empty text if it compiles the condition, and null if it does not.
    if (attribute.isEmptyIfMissing) noteValues(note, property, ['null']);
    return condition;
  };
  /** For numbers, a missing or empty value is 0. For booleans, it is false. */
  const asNumber = (op: string, isMetBy: (zero: number) => boolean): Alternatives => {
    const condition = as(op, text);
    const isMet = isMetBy(0) !== isNegated;
    if (isMet === compileOperator(condition.op, text)('')) return [[condition]];
    return isMet ? [[condition], [isNotSet(property)]] : [[isSet(property), condition]];
  };

  if (['==', '===', '!=', '!=='].includes(operator)) {
    const isUnequal = operator.startsWith('!');
    // Every name contains the empty text. A missing name contains nothing.
    if (property === 'name' && literal === null && isUnequal && !isNegated)
      return [[{ property, op: 'Contains', value: '' }]];
    if (!isComparable(literal, attribute)) throw untranslatable(whole);
    const op = isUnequal ? 'NotEqual' : 'Equal';
    if (typeof literal === 'string' || operator.length === 3) return [[as(op, text)]];
    return asNumber(op, (zero) => (zero === Number(literal)) !== isUnequal);
  }
  if (
    operator === 'in' &&
    left &&
    Array.isArray(b) &&
    Array.isArray(literal) &&
    literal.every((item) => isComparable(item, attribute))
  ) {
    return [[as('IsOneOf', JSON.stringify(b.map(comparedText)))]];
  }
  if (operator === 'in' && right && typeof a === 'string' && a !== '') return [[as('Contains', a)]];
  const affix = AFFIXES.get(operator);
  if (affix !== undefined && left && typeof b === 'string' && (b !== '' || isText)) return [[as(affix, b)]];
  const compare = COMPARES.get(operator);
  if (!compare || typeof literal !== 'number' || isText) throw untranslatable(whole);
  const [op, turned] = compare;
  const said = left ? op : turned;
  return asNumber(said, (zero) => compileOperator(said, text)(String(zero)));
}

/**
 * The values for which a comparison has another result in flagd. It fails if a side is not a number. `===` and `in`
 * distinguish types. `cat` makes `null` of a missing value, or fails.
 */
function differingValues(
  operator: string,
  literal: unknown,
  { isText, isEmptyIfMissing }: Attribute,
  { op }: Condition,
): readonly ValueKind[] {
  if (isText) return ['list', 'object', ...(isEmptyIfMissing ? [] : ABSENT)];
  const has = (type: string) => [literal].flat().some((item) => typeof item === type);
  const texts = [literal].flat().filter((item) => typeof item === 'string');
  if (operator === 'starts_with') return kindsWithPart('StartsWith', texts);
  if (operator === 'ends_with') return kindsWithPart('EndsWith', texts);
  if (op === 'Contains' || op === 'NotContain') return NO_TEXTS;
  if (operator === 'in' || operator.length === 3) {
    const ofNumbers: readonly ValueKind[] = has('number') ? ['number text'] : [];
    return [...kindsWrittenAs(texts), ...ofNumbers, ...(has('boolean') ? (['other text'] as const) : [])];
  }
  if (typeof literal === 'boolean') return [...TEXTS, ...NUMBERS, 'list', 'object'];
  if (typeof literal === 'number') return ['other text', 'boolean', 'list', 'object'];
  return isNumberText(String(literal)) ? ['boolean', 'list', 'object'] : NO_TEXTS;
}

/** The values for which flagd's `==` and `!=` depend on compilation if the literal comes first. */
function differingBehind(
  operator: string,
  literal: unknown,
  { isText, isEmptyIfMissing }: Attribute,
): readonly ValueKind[] {
  if (operator !== '==' && operator !== '!=') return [];
  if (isText) return ['boolean'];
  return typeof literal !== 'string' && Number(literal) === 0 && !isEmptyIfMissing ? ABSENT : [];
}

/** Whether a literal compares as its text. The empty text does only if a missing attribute is empty too. */
function isComparable(value: unknown, { isText, isEmptyIfMissing }: Attribute): boolean {
  if (typeof value === 'string') return value !== '' || isEmptyIfMissing;
  return !isText && (typeof value === 'number' || typeof value === 'boolean');
}
