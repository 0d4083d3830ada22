import { type Alternatives, allOf, anyOf, NEVER } from '../translation/alternatives.ts';
import {
  expressionCondition,
  inSegment,
  isOneOf,
  isSet,
  propertyOf,
  type TextOperator,
  textCondition,
} from '../translation/conditions.ts';
import {
  kindsWithPart,
  kindsWrittenAs,
  NO_TEXTS,
  type Note,
  noteValues,
  TEXTS,
  type ValueKind,
} from '../translation/differences.ts';
import { Untranslatable } from '../translation/translation.ts';
import { textOf } from '../translation/values.ts';
import type { Clause } from './format.ts';

const TEXT: ReadonlyMap<string, TextOperator> = new Map<string, TextOperator>([
  ['startsWith', 'StartsWith'],
  ['endsWith', 'EndsWith'],
  ['contains', 'Contains'],
]);

const NUMBERS: ReadonlyMap<string, readonly [op: string, negated: string]> = new Map([
  ['lessThan', ['LessThan', 'BiggerEqualThan']],
  ['lessThanOrEqual', ['LessEqualThan', 'BiggerThan']],
  ['greaterThan', ['BiggerThan', 'LessEqualThan']],
  ['greaterThanOrEqual', ['BiggerEqualThan', 'LessThan']],
]);

/** An attribute of a user as conditions here name it. @throws {Untranslatable} for one that means something else here */
export function attributeProperty(attribute: string): string {
  if (attribute === 'kind' || attribute === 'anonymous') throw new Untranslatable(`the attribute ${attribute}`);
  return propertyOf(attribute, 'key');
}

/**
 * A clause as alternatives. What is missing meets none, not even one that is negated.
 *
 * @param segmentOf the id of a segment here
 * @throws {Untranslatable} questions about versions and dates, and operators that are unknown
 */
export function readClause(
  { attribute, op, values, negate }: Clause,
  segmentOf: (key: string) => string,
  note: Note,
): Alternatives {
  if (op === 'segmentMatch')
    return [
      [
        inSegment(
          values.map((value) => segmentOf(textOf(value))),
          negate,
        ),
      ],
    ];
  const property = attributeProperty(attribute);
  const alternatives = readValues(property, op, values, negate, note);
  const differing = differingValues(op, values, negate);
  // A context of another key or name than text is none.
  noteValues(note, property, property === 'name' ? differing.filter((kind) => !NO_TEXTS.includes(kind)) : differing);
  return negate ? allOf([[[isSet(property)]], alternatives]) : alternatives;
}

function readValues(
  property: string,
  op: string,
  values: readonly unknown[],
  negate: boolean,
  note: Note,
): Alternatives {
  if (values.some((value) => value === '')) throw new Untranslatable(`${op} with an empty value`);
  if (op === 'in') {
    if (values.some((value) => typeof value === 'object')) throw new Untranslatable('in with a value that is no text');
    return values.length === 0 && !negate ? NEVER : [[isOneOf(property, values.map(String), negate)]];
  }
  // A value that is not of the operator's type is never met.
  const texts = values.filter((value) => typeof value === 'string');
  const text = TEXT.get(op);
  if (text) return textCondition(property, text, texts, { isNegated: negate });
  const together = negate ? allOf : anyOf;
  if (op === 'matches') return together(texts.map((value) => expressionCondition(property, value, negate, note)));
  const ops = NUMBERS.get(op);
  if (!ops) throw new Untranslatable(`the operator ${op}`);
  const bounds = values.filter((value) => typeof value === 'number');
  return together(bounds.map((bound) => [[{ property, op: ops[negate ? 1 : 0], value: String(bound) }]]));
}

/** Values of which a clause's question has another answer there, where text, numbers and lists are told apart, and empty text is there. */
function differingValues(op: string, values: readonly unknown[], negate: boolean): readonly ValueKind[] {
  const texts = values.filter((value) => typeof value === 'string');
  const has = (type: string) => values.some((value) => typeof value === type);
  const whenNegated = (...kinds: readonly ValueKind[]) => (negate ? kinds : []);
  if (op === 'in') {
    const numbers: readonly ValueKind[] = has('number') ? ['number text'] : [];
    const others: readonly ValueKind[] = has('boolean') ? ['other text'] : [];
    const list: readonly ValueKind[] = values.length > 0 ? ['list'] : [];
    return [...list, ...kindsWrittenAs(texts), ...numbers, ...others, ...whenNegated('empty')];
  }
  if (NUMBERS.has(op)) {
    const others: readonly ValueKind[] = has('number') ? [...TEXTS, 'list', ...whenNegated('boolean', 'object')] : [];
    return [...others, ...whenNegated('empty')];
  }
  const others: readonly ValueKind[] =
    texts.length > 0 ? ['list', ...kindsWithPart(TEXT.get(op) ?? 'MatchRegex', texts)] : [];
  return [...others, ...whenNegated('empty')];
}
