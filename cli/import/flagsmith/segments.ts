import { roundNumber } from '../../../shared/flags/exactJson.ts';
import {
  type Alternatives,
  allOf,
  anyOf,
  expressionCondition,
  isNotSet,
  isOneOf,
  isSet,
  NEVER,
  numberOperators,
  presence,
  propertyOf,
  textCondition,
} from '../translation/conditions.ts';
import {
  isNumberText,
  kindsWithPart,
  kindsWrittenAs,
  type Note,
  NUMBERS as NUMBER_KINDS,
  noteValues,
  TEXTS,
  type ValueKind,
} from '../translation/differences.ts';
import { comparedText, numberText, Untranslatable } from '../translation/values.ts';
import type { Condition, Rule } from './format.ts';

const IDENTIFIER = '$.identity.identifier';
const TRAIT = /^\$\.identity\.traits(?:\.(.+)|\['(.+)'\])$/;

const NUMBERS = numberOperators('GREATER_THAN', 'GREATER_THAN_INCLUSIVE', 'LESS_THAN', 'LESS_THAN_INCLUSIVE');

/** The members of a segment with these rules: users for whom all rules match. Without rules there are none. */
export function readSegmentRules(rules: readonly Rule[], note: Note): Alternatives {
  return rules.length === 0 ? NEVER : allOf(rules.map((rule) => readRule(rule, false, note)));
}

/** Combines a rule's conditions and its nested rules, each by its type. If both are present, both must match. */
function readRule({ type, conditions, rules }: Rule, isNegated: boolean, note: Note): Alternatives {
  if (!['ALL', 'ANY', 'NONE'].includes(type)) throw new Untranslatable(`the rule type ${type}`);
  const isNegatedPart = isNegated !== (type === 'NONE');
  const together = (type === 'ANY') === isNegated ? allOf : anyOf;
  const parts = [
    conditions.map((condition) => readCondition(condition, isNegatedPart, note)),
    rules.map((rule) => readRule(rule, isNegatedPart, note)),
  ];
  const both = parts.filter(({ length }) => length > 0).map(together);
  return isNegated ? anyOf(both) : allOf(both);
}

/** A condition, or its negation. A missing trait only matches IS_NOT_SET. */
function readCondition({ property: name, operator, value }: Condition, isNegated: boolean, note: Note): Alternatives {
  const property = traitOf(name);
  if (operator === 'IS_SET' || operator === 'IS_NOT_SET')
    return presence(property, (operator === 'IS_SET') !== isNegated, note);
  const unless = (alternatives: Alternatives): Alternatives =>
    isNegated ? [...alternatives, [isNotSet(property)]] : allOf([[[isSet(property)]], alternatives]);
  if (operator === 'IN') {
    const list = listOf(value);
    // In Flagsmith, 0 and false are in no list. True is in no list either.
    const others = kindsWrittenAs(list.filter((text) => ['0', 'true', 'false'].includes(text)));
    noteValues(note, property, others);
    return [[isOneOf(property, list, isNegated)]];
  }
  const text = ['number', 'boolean'].includes(typeof roundNumber(value)) ? comparedText(value) : value;
  if (typeof text !== 'string' || text === '') throw new Untranslatable(`${operator} without a value`);
  if (text.endsWith(':semver')) throw new Untranslatable('a comparison of versions');
  noteValues(note, property, differingValues(operator, value, text));
  switch (operator) {
    case 'EQUAL':
      return [[isOneOf(property, spellingsOf(text), isNegated)]];
    case 'NOT_EQUAL':
      return unless([[isOneOf(property, spellingsOf(text), !isNegated)]]);
    case 'CONTAINS':
      return textCondition(property, 'Contains', [text], { isNegated });
    case 'NOT_CONTAINS':
      return unless(textCondition(property, 'Contains', [text], { isNegated: !isNegated }));
    case 'REGEX':
      return expressionCondition(property, text, isNegated, note);
  }
  const ops = NUMBERS.get(operator);
  if (!ops) throw new Untranslatable(`the operator ${operator}`);
  const bound = Number.parseFloat(text);
  if (!Number.isFinite(bound) || bound !== Number(text))
    throw new Untranslatable(`${operator} with "${text}", which is not a number`);
  const compared = [[{ property, op: ops[isNegated ? 1 : 0], value: numberText(text, bound) }]];
  return isNegated ? unless(compared) : compared;
}

/** A trait or the user's identifier, as a condition's attribute. */
function traitOf(property: string): string {
  const [, dotted, quoted] = TRAIT.exec(property) ?? [];
  const name = dotted ?? quoted ?? property;
  if (name.startsWith('$.') && name !== IDENTIFIER) throw new Untranslatable(`a condition on ${name}`);
  return propertyOf(name, IDENTIFIER);
}

/** A trait that is a number or a boolean equals several spellings of it. */
function spellingsOf(text: string): readonly string[] {
  if (/^(True|False)$/.test(text)) return [text, text.toLowerCase()];
  const number = Number.parseFloat(text);
  return [...new Set([text, ...(Number.isFinite(number) ? [numberText(text, number)] : [])])];
}

/**
 * The traits for which a condition has another result in Flagsmith. Flagsmith converts the condition's value to the
 * trait's type. As a boolean, any text except `False` and `false` is true.
 */
function differingValues(operator: string, value: unknown, text: string): readonly ValueKind[] {
  const [, spelling] = spellingsOf(text);
  const isWrittenOtherwise = spelling !== undefined;
  const equal: readonly ValueKind[] = [
    ...(isWrittenOtherwise ? [isNumberText(spelling) ? ('number text' as const) : ('other text' as const)] : []),
    ...(typeof value === 'string' && /^([Tt]rue|[Ff]alse)$/.test(text) ? [] : ['boolean' as const]),
  ];
  switch (operator) {
    case 'EQUAL':
      return equal;
    case 'NOT_EQUAL':
      return [...equal, 'empty'];
    case 'CONTAINS':
      return kindsWithPart('Contains', [text]).filter((kind) => kind !== 'list' && kind !== 'object');
    case 'NOT_CONTAINS':
      return ['empty', ...NUMBER_KINDS, 'boolean'];
    case 'REGEX':
      return [];
    default:
      return ['empty', ...TEXTS, 'boolean'];
  }
}

/** A list in JSON or separated by commas. It never contains the empty text. */
function listOf(value: unknown): readonly string[] {
  const list = typeof value === 'string' ? listIn(value) : value;
  if (!Array.isArray(list)) throw new Untranslatable('IN without a list');
  if (list.some((item) => typeof item !== 'string')) throw new Untranslatable('IN with a value that is not a string');
  return list.filter((item) => item !== '');
}

function listIn(text: string): unknown {
  try {
    const parsed: unknown = JSON.parse(text);
    if (Array.isArray(parsed)) return parsed;
  } catch {}
  return text.split(',');
}
