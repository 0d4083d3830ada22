import {
  ALWAYS,
  type Alternatives,
  allOf,
  anyOf,
  expressionCondition,
  isNotSet,
  isOneOf,
  NEVER,
  numberOperators,
  presence,
  propertyOf,
  textCondition,
  textOperators,
} from '../translation/conditions.ts';
import { ABSENT, type Note, NUMBERS, noteValues, TEXTS } from '../translation/differences.ts';
import { numberText, Untranslatable } from '../translation/values.ts';
import type { Part } from './rules.ts';
import { splitCondition } from './splits.ts';

const TEXT = textOperators('begins_with', 'ends_with', 'contains');
/** Context keys are attributes of the same name. Providers of OpenFeature send the targeting key as one. */
const contextProperty = (name: string) => propertyOf(name, 'targetingKey');
const COMPARISONS = numberOperators('gt', 'gte', 'lt', 'lte');
/** The names of an operator's operands, in alphabetical order. Comparisons have two without a name. */
const OPERANDS: ReadonlyMap<string, RegExp> = new Map([
  ['and', /^,*$/],
  ['or', /^,*$/],
  ['not', /^$/],
  ['exists', /^key$/],
  ['matches', /^in,pattern$/],
  ['split', /^by,pct(,seed)?$/],
]);

/**
 * The alternatives in which a rule matches, or in which it does not. A comparison with a missing context value does not
 * match, so that its negation does.
 *
 * @throws {Untranslatable} if it is not supported
 */
export function readCondition(part: Part, isNegated: boolean, note: Note): Alternatives {
  if (part.type === 'boolean') return (part.value === 'true') === isNegated ? NEVER : ALWAYS;
  const operator = part.items[0]?.value ?? '';
  const given = part.items.slice(1);
  if (part.type !== '(' || part.items[0]?.type !== 'symbol')
    throw new Untranslatable(`${part.value || 'a list'} instead of a condition`);
  const names = given.map(({ name }) => name).toSorted();
  if (given.length === 0 || !(OPERANDS.get(operator) ?? /^,$/).test(names.join()))
    throw new Untranslatable(`${operator} with these operands`);
  const operand = (name: string) => given.find((each) => each.name === name);
  switch (operator) {
    case 'and':
    case 'or': {
      const parts = given.map((each) => readCondition(each, isNegated, note));
      return (operator === 'and') === isNegated ? anyOf(parts) : allOf(parts);
    }
    case 'not':
      return readCondition(given[0] as Part, !isNegated, note);
    case 'exists':
      return presence(contextProperty(textIn(operand('key'), operator)), !isNegated, note);
    case 'matches': {
      // Its expressions are Go's, as here.
      const noteOthers: Note = (difference) => difference.cause !== 'expression' && note(difference);
      const pattern = textIn(operand('pattern'), operator);
      return expressionCondition(contextIn(operand('in'), operator), pattern, isNegated, noteOthers);
    }
    case 'split': {
      const property = contextIn(operand('by'), operator);
      const [pct, seed] = [operand('pct'), operand('seed')];
      const percent = pct?.type === 'number' ? Number(pct.value) : Number.NaN;
      if (!(percent >= 0 && percent <= 100)) throw new Untranslatable('split without a percentage from 0 to 100');
      noteValues(note, property, ['empty']);
      return [[splitCondition(property, seed && textIn(seed, operator), percent, isNegated)]];
    }
    default:
      return compare(contextIn(given[0], operator), operator, given[1] as Part, isNegated, note);
  }
}

function compare(property: string, operator: string, operand: Part, isNegated: boolean, note: Note): Alternatives {
  if (operator === 'eq' || (operator === 'in' && operand.type === '[')) {
    const items = operator === 'eq' ? [operand] : operand.items;
    const values = items.map((item) => textOfLiteral(item, property, note));
    return [[isOneOf(property, values, isNegated)]];
  }
  const text = TEXT.get(operator);
  if (text) {
    const value = textIn(operand, operator);
    return value === '' ? presence(property, !isNegated, note) : textCondition(property, text, [value], { isNegated });
  }
  const ops = COMPARISONS.get(operator);
  if (!ops || operand.type !== 'number')
    throw new Untranslatable(`the operator ${operator} with ${operand.value || 'an expression'}`);
  noteNumber(operand.value, property, note);
  const compared = [{ property, op: ops[isNegated ? 1 : 0], value: numberText(operand.value) }];
  if (!isNegated) return [compared];
  noteValues(note, property, [...ABSENT, 'empty', 'boolean', 'list', 'object'], 'numbers');
  return [compared, [isNotSet(property)]];
}

/** A literal as the text of a context value. A number or a boolean equals several texts there, and one here. */
function textOfLiteral({ type, value }: Part, property: string, note: Note): string {
  if (type === 'number') {
    noteNumber(value, property, note);
    return numberText(value);
  }
  if (type === 'boolean') noteValues(note, property, [...TEXTS, 'whole number']);
  else if (type !== 'text') throw new Untranslatable(`eq or in with ${value || 'an expression'}`);
  else if (value === '') noteValues(note, property, [...ABSENT, 'empty']);
  return value;
}

/** AWS AppConfig reads other spellings of a number, and rounds numbers of more than 15 digits. */
function noteNumber(value: string, property: string, note: Note): void {
  const isLong = value.replaceAll(/\D/g, '').length > 15;
  noteValues(note, property, isLong ? [...TEXTS, ...NUMBERS] : ['other text'], 'numbers');
}

function contextIn(part: Part | undefined, operator: string): string {
  if (part?.type !== 'context') throw new Untranslatable(`${operator} without a context value such as $userId`);
  return contextProperty(part.value);
}

function textIn(part: Part | undefined, operator: string): string {
  if (part?.type !== 'text') throw new Untranslatable(`${operator} without a text`);
  return part.value;
}
