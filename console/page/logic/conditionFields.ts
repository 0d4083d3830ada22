import {
  formatOperator,
  formatValue,
  OPERATOR_WORDS,
  parseCondition,
} from '../../../shared/evaluation/conditionText.ts';
import { parseList } from '../../../shared/evaluation/operator.ts';
import { InvalidInput } from '../../../shared/flags/invalidInput.ts';
import { type Condition, IN_SEGMENT, isSegmentCondition, NOT_IN_SEGMENT } from '../../../shared/flags/rule.ts';

/** Conditions about segments, which are offered as operators. */
const SEGMENT_WORDS = ['in segment', 'not in segment'] as const;

/** Comparisons with the empty text, which are offered as operators: an empty field means that a value is missing. */
const EMPTY_WORDS: Readonly<Record<string, string>> = { Equal: 'is empty', NotEqual: 'is not empty' };

/** The operators between an attribute and a value, as people write them. */
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
  /** As it is typed: texts as they are, lists separated by commas; empty for a condition about segments. */
  readonly value: string;
  readonly segmentIds: readonly string[];
  /** The condition that the form was opened with. As long as its fields are the same, it stays as it is. */
  readonly original?: Condition | undefined;
}

/** Whether an operator asks about segments. */
export function isAboutSegments(operator: string): boolean {
  return (SEGMENT_WORDS as readonly string[]).includes(operator);
}

/** Whether an operator takes a value. */
export function takesValue(operator: string): boolean {
  return !operator.startsWith('is ') && !isAboutSegments(operator);
}

/** Whether an operator takes several values. */
export function takesList(operator: string): boolean {
  return operator === 'in' || operator === 'not in';
}

/** A condition as a form shows it. */
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
 * The condition that a form shows. What was stored comes back unchanged, also if it could not be entered, until somebody
 * changes its fields.
 *
 * @throws {InvalidInput} for what is missing, cannot be read, or could never match
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

/** The most used come first. */
function byUse(a: string, b: string): number {
  const empty = Object.values(EMPTY_WORDS);
  const first = ['=', '!=', 'in', 'not in', 'contains', 'not contains', 'starts-with', 'ends-with', ...empty];
  const place = (word: string) => (first.includes(word) ? first.indexOf(word) : first.length);
  return place(a) - place(b);
}
