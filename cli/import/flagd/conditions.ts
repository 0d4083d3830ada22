import { compileOperator } from '../../../shared/evaluation/operator.ts';
import { roundNumber } from '../../../shared/flags/exactJson.ts';
import { isJsonObject } from '../../../shared/flags/reader.ts';
import type { Condition } from '../../../shared/flags/rule.ts';
import { ALWAYS, type Alternatives, allOf, anyOf, isNotSet, isSet, NEVER } from '../translation/conditions.ts';
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

/** Maximum number of operations in one condition, including those behind `$ref`. */
const OPERATIONS_LIMIT = 1_000;

/** The single operator of a JsonLogic operation, and its arguments. @throws {Untranslatable} for anything else */
export function operationOf(logic: unknown): readonly [operator: string, args: readonly unknown[]] {
  const [entry, ...others] = isJsonObject(logic) ? Object.entries(logic) : [];
  if (!entry || others.length > 0) throw untranslatable(logic);
  return [entry[0], Array.isArray(entry[1]) ? entry[1] : [entry[1]]];
}

/** Creates the error for an unsupported operation. */
export function untranslatable(logic: unknown): Untranslatable {
  return new Untranslatable((JSON.stringify(logic) ?? 'nothing').slice(0, 80));
}

/**
 * Translates one condition of JsonLogic into alternatives. A new reader is needed for each condition, because it limits
 * the operations.
 *
 * @param evaluators the shared rules that `$ref` may name
 */
export class ConditionReader {
  readonly #evaluators: Readonly<Record<string, unknown>>;
  readonly #note: Note;
  #operations = 0;

  constructor(evaluators: Readonly<Record<string, unknown>>, note: Note) {
    this.#evaluators = evaluators;
    this.#note = note;
  }

  /**
   * The alternatives in which a condition matches, or in which it does not. @throws {Untranslatable} if it is not
   * supported
   */
  read(logic: unknown, isNegated = false): Alternatives {
    if (typeof logic === 'boolean') return logic === isNegated ? NEVER : ALWAYS;
    const [operator, args] = this.#operationOf(logic);
    const parts = (negated: boolean) => args.map((arg) => this.read(arg, negated));
    if (operator === '$ref') return this.read(args[0], isNegated);
    if (operator === '!' && args.length === 1) return this.read(args[0], !isNegated);
    if (operator === 'and') return isNegated ? anyOf(parts(true)) : allOf(parts(false));
    if (operator === 'or') return isNegated ? allOf(parts(true)) : anyOf(parts(false));
    return readComparison(operator, args, isNegated, logic, this.#note);
  }

  /**
   * The alternatives in which a condition returns null. If it is the whole targeting, null is neither true nor false.
   * `starts_with` and `ends_with` return null for anything that is not text. `and` returns its first false part, `or`
   * its last.
   *
   * @throws {Untranslatable} if it is not supported
   */
  readNull(logic: unknown): Alternatives {
    if (typeof logic === 'boolean') return NEVER;
    const [operator, args] = this.#operationOf(logic);
    const nullBehind = (n: number, isNegated: boolean): Alternatives => {
      const isNull = this.readNull(args[n]);
      if (isNull.length === 0) return NEVER;
      return allOf([...args.slice(0, n).map((arg) => this.read(arg, isNegated)), isNull]);
    };
    if (operator === '$ref') return this.readNull(args[0]);
    if (operator === 'and') return anyOf(args.map((_, n) => nullBehind(n, false)));
    if (operator === 'or') return nullBehind(args.length - 1, true);
    const attribute = AFFIXES.has(operator) ? attributeOf(args[0]) : undefined;
    if (!attribute || attribute.isText) return NEVER;
    const { property, isEmptyIfMissing } = attribute;
    noteValues(this.#note, property, [...NO_TEXTS, isEmptyIfMissing ? 'null' : 'empty']);
    return isEmptyIfMissing ? NEVER : [[isNotSet(property)]];
  }

  /** An operation. For `$ref`, the shared rule. */
  #operationOf(logic: unknown): ReturnType<typeof operationOf> {
    if (++this.#operations > OPERATIONS_LIMIT)
      throw new Untranslatable(`a condition of more than ${OPERATIONS_LIMIT} operations`);
    const [operator, args] = operationOf(logic);
    const [first] = args;
    if (operator === '$ref' && !(typeof first === 'string' && Object.hasOwn(this.#evaluators, first)))
      throw new Untranslatable(`the evaluator ${JSON.stringify(first)}, which is not in "$evaluators" of the file`);
    if (args.length === 0) throw untranslatable(logic);
    return operator === '$ref' ? [operator, [this.#evaluators[first as string]]] : [operator, args];
  }
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
const AFFIXES: ReadonlyMap<string, string> = new Map([
  ['starts_with', 'StartsWith'],
  ['ends_with', 'EndsWith'],
]);

function readComparison(
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
