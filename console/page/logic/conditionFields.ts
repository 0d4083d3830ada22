import { formatOperator, formatValue, OPERATOR_WORDS, parseCondition } from '../../../shared/describe/conditionText.ts';
import { parseList } from '../../../shared/evaluation/compileOperator.ts';
import { InvalidInput } from '../../../shared/flags/invalidInput.ts';
import { type Condition, IN_SEGMENT, isSegmentCondition, NOT_IN_SEGMENT } from '../../../shared/flags/rule.ts';

/** Conditions about segments, shown as operators. */
const SEGMENT_WORDS = ['in segment', 'not in segment'] as const;

/** Comparisons with the empty text, shown as operators, because an empty field means a missing value. */
const EMPTY_WORDS: Readonly<Record<string, string>> = { Equal: 'is empty', NotEqual: 'is not empty' };

/** Labels of the operators. */
export const OPERATORS: readonly string[] = [
  ...[...OPERATOR_WORDS, ...Object.values(EMPTY_WORDS)].toSorted(byUse),
  ...SEGMENT_WORDS,
];

/** A condition as the fields of a form. */
export interface ConditionFields {
  readonly id?: string | undefined;
  /** Empty for a condition about segments. */
  readonly attribute: string;
  readonly operator: string;
  /** The typed value. Lists are separated by commas. Empty for conditions about segments. */
  readonly value: string;
  readonly segmentIds: readonly string[];
  /** The original condition. It is kept while its fields are unchanged. */
  readonly original?: Condition | undefined;
}

/** True for operators about segments. */
export function isAboutSegments(operator: string): boolean {
  return (SEGMENT_WORDS as readonly string[]).includes(operator);
}

/** True for operators with a value. */
export function takesValue(operator: string): boolean {
  return !operator.startsWith('is ') && !isAboutSegments(operator);
}

/** True for operators with several values. */
export function takesList(operator: string): boolean {
  return operator === 'in' || operator === 'not in';
}

/** Converts a condition to fields. */
export function fieldsOf(condition: Condition): ConditionFields {
  const { id, property, op, value } = condition;
  const known = { id, original: condition };
  if (isSegmentCondition(condition)) {
    const operator = property === IN_SEGMENT ? 'in segment' : 'not in segment';
    return { ...known, attribute: '', operator, value: '', segmentIds: listOf(value) };
  }
  const operator = (value === '' && EMPTY_WORDS[op ?? '']) || formatOperator(op ?? '');
  const text = takesList(operator) ? formatValue(op, value) : (value ?? '');
  return { ...known, attribute: property, operator, value: text, segmentIds: [] };
}

/**
 * Converts fields to a condition. Unchanged fields return the stored condition, even if it is invalid.
 *
 * @throws {InvalidInput} for missing or invalid values, and for conditions that never match
 */
export function conditionOf(fields: ConditionFields): Condition {
  const { id, attribute, operator, value, segmentIds, original } = fields;
  if (original && isSame(fields, fieldsOf(original))) return original;
  const known = original ?? (id === undefined ? {} : { id });
  if (isAboutSegments(operator)) {
    if (segmentIds.length === 0) throw new InvalidInput('Choose a segment');
    const property = operator === 'in segment' ? IN_SEGMENT : NOT_IN_SEGMENT;
    return { ...known, property, op: null, value: JSON.stringify(segmentIds) };
  }
  const property = attribute === original?.property ? attribute : attribute.trim();
  if (property === '') throw new InvalidInput('Enter a user attribute, for example plan or email');
  const [ofEmpty] = Object.entries(EMPTY_WORDS).find(([, word]) => word === operator) ?? [];
  if (ofEmpty !== undefined) return { ...known, property, op: ofEmpty, value: '' };
  if (takesValue(operator) && (takesList(operator) ? value.trim() : value) === '') {
    throw new InvalidInput('Enter a value. For empty text, choose “is empty” or “is not empty”');
  }
  const written = takesList(operator) ? value : takesValue(operator) ? JSON.stringify(value) : '';
  return { ...known, ...parseCondition(`${JSON.stringify(property)} ${operator} ${written}`) };
}

function isSame(a: ConditionFields, b: ConditionFields): boolean {
  const shown = ({ attribute, operator, value, segmentIds }: ConditionFields) =>
    JSON.stringify([attribute, operator, value, segmentIds]);
  return shown(a) === shown(b);
}

function listOf(value: string | null): readonly string[] {
  try {
    return parseList(value ?? '[]') ?? [];
  } catch {
    return [];
  }
}

/** Sorted by use, most used first. */
function byUse(a: string, b: string): number {
  const empty = Object.values(EMPTY_WORDS);
  const first = ['=', '!=', 'in', 'not in', 'contains', 'not contains', 'starts-with', 'ends-with', ...empty];
  const place = (word: string) => (first.includes(word) ? first.indexOf(word) : first.length);
  return place(a) - place(b);
}
