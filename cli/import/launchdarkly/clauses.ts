import { roundNumber } from '../../../shared/flags/exactJson.ts';
import {
  type Alternatives,
  allOf,
  anyOf,
  expressionCondition,
  inSegment,
  isOneOf,
  isSet,
  NEVER,
  numberOperators,
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
import { comparedText, isRounded, textOf, Untranslatable } from '../translation/values.ts';
import type { Clause } from './format.ts';

const TEXT: ReadonlyMap<string, TextOperator> = new Map<string, TextOperator>([
  ['startsWith', 'StartsWith'],
  ['endsWith', 'EndsWith'],
  ['contains', 'Contains'],
]);

const NUMBERS = numberOperators('greaterThan', 'greaterThanOrEqual', 'lessThan', 'lessThanOrEqual');

/** The name of a user's attribute in conditions. @throws {Untranslatable} for a name that is reserved here */
export function attributeProperty(attribute: string): string {
  if (attribute === 'kind' || attribute === 'anonymous') throw new Untranslatable(`the attribute ${attribute}`);
  return propertyOf(attribute, 'key');
}

/**
 * Translates a clause into alternatives. A missing attribute never matches, even if the clause is negated.
 *
 * @param segmentOf returns the id of an imported segment
 * @throws {Untranslatable} for conditions on versions or dates, and for unknown operators
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
  // A context whose key or name is not text is invalid.
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
    if (values.some((value) => typeof roundNumber(value) === 'object'))
      throw new Untranslatable('in with a value that is not a string');
    return values.length === 0 && !negate ? NEVER : [[isOneOf(property, values.map(comparedText), negate)]];
  }
  // A value of another type than the operator's never matches.
  const texts = values.filter((value) => typeof value === 'string');
  const text = TEXT.get(op);
  if (text) return textCondition(property, text, texts, { isNegated: negate });
  const together = negate ? allOf : anyOf;
  if (op === 'matches') return together(texts.map((value) => expressionCondition(property, value, negate, note)));
  const ops = NUMBERS.get(op);
  if (!ops) throw new Untranslatable(`the operator ${op}`);
  const bounds = values.filter((value) => typeof roundNumber(value) === 'number');
  return together(bounds.map((bound) => [[{ property, op: ops[negate ? 1 : 0], value: comparedText(bound) }]]));
}

/**
 * The values for which a clause has another result in LaunchDarkly, which distinguishes text, numbers, lists and empty
 * text.
 */
function differingValues(op: string, values: readonly unknown[], negate: boolean): readonly ValueKind[] {
  const texts = values.filter((value) => typeof value === 'string');
  const has = (type: string) => values.some((value) => typeof roundNumber(value) === type);
  const whenNegated = (...kinds: readonly ValueKind[]) => (negate ? kinds : []);
  if (op === 'in') {
    const numbers: readonly ValueKind[] = has('number') ? ['number text'] : [];
    const others: readonly ValueKind[] = has('boolean') ? ['other text'] : [];
    const neighbours: readonly ValueKind[] = values.some(isRounded) ? ['whole number', 'fraction'] : [];
    const list: readonly ValueKind[] = values.length > 0 ? ['list'] : [];
    return [...list, ...kindsWrittenAs(texts), ...numbers, ...neighbours, ...others, ...whenNegated('empty')];
  }
  if (NUMBERS.has(op)) {
    const others: readonly ValueKind[] = has('number') ? [...TEXTS, 'list', ...whenNegated('boolean', 'object')] : [];
    return [...others, ...whenNegated('empty')];
  }
  const others: readonly ValueKind[] =
    texts.length > 0 ? ['list', ...kindsWithPart(TEXT.get(op) ?? 'MatchRegex', texts)] : [];
  return [...others, ...whenNegated('empty')];
}
