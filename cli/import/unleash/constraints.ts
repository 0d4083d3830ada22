import { roundNumber } from '../../../shared/flags/exactJson.ts';
import {
  ALWAYS,
  type Alternatives,
  equalNumber,
  expressionCondition,
  isOneOf,
  NEVER,
  numberOperators,
  propertyOf,
  textCondition,
  textOperators,
} from '../translation/conditions.ts';
import { ABSENT, type Note, noteValues } from '../translation/differences.ts';
import { comparedText, numberText, Untranslatable } from '../translation/values.ts';
import type { Constraint } from './format.ts';

const TEXT = textOperators('STR_STARTS_WITH', 'STR_ENDS_WITH', 'STR_CONTAINS');

const NUMBERS = numberOperators('NUM_GT', 'NUM_GTE', 'NUM_LT', 'NUM_LTE');

/** Context fields that Unleash's SDKs fill in. */
const FILLED_IN = ['appName', 'environment'];

/** The name of a context field in conditions. @throws {Untranslatable} for a name that is reserved here */
export function contextProperty(name: string, note: Note): string {
  if (name === 'currentTime') throw new Untranslatable('a condition on the current time');
  if (FILLED_IN.includes(name)) noteValues(note, name, ['missing'], 'filledIn');
  return propertyOf(name, 'userId');
}

/**
 * Translates a constraint into alternatives.
 *
 * @throws {Untranslatable} for conditions on versions, addresses or the time, and for unknown operators
 */
export function readConstraint(constraint: Constraint, note: Note): Alternatives {
  const { operator, inverted, caseInsensitive: ignoresCase } = constraint;
  if (/^(DATE|SEMVER)_|CIDR/.test(operator)) throw new Untranslatable(`the operator ${operator}`);
  const property = contextProperty(constraint.contextName, note);
  const values = constraint.values.filter((value) => value !== '').map((value) => value.trim());
  if (values.includes('')) throw new Untranslatable(`a blank value of ${constraint.contextName}`);
  if (operator === 'IN' || operator === 'NOT_IN') {
    return [[isOneOf(property, values, inverted !== (operator === 'NOT_IN'))]];
  }
  const text = TEXT.get(operator);
  if (text) {
    if (ignoresCase) noteValues(note, property, ['other text'], 'case');
    return textCondition(property, text, values, { isNegated: inverted, ignoresCase });
  }
  if (operator === 'REGEX') return readExpression(property, constraint, note);
  return readNumber(property, constraint, note);
}

function readExpression(property: string, { value, inverted, caseInsensitive }: Constraint, note: Note): Alternatives {
  if (typeof value !== 'string' || caseInsensitive)
    throw new Untranslatable('a regular expression that is not a string, or that ignores case');
  return expressionCondition(property, value, inverted, note);
}

function readNumber(property: string, { operator, value, inverted }: Constraint, note: Note): Alternatives {
  const text = typeof value === 'string' ? value.trim() : comparedText(value);
  if (!['string', 'number'].includes(typeof roundNumber(value)))
    throw new Untranslatable(`${operator} without a number`);
  const number = Number(text);
  const ops = NUMBERS.get(operator);
  if (!ops && operator !== 'NUM_EQ') throw new Untranslatable(`the operator ${operator}`);
  if (Number.isNaN(number)) return inverted ? ALWAYS : NEVER;
  // In Unleash, the empty text is 0, and blanks and `0x10` are numbers. An inverted comparison matches values that are
  // not numbers.
  noteValues(note, property, ['empty', 'other text', ...(inverted ? [...ABSENT, 'boolean' as const] : [])], 'numbers');
  if (ops) return [[{ property, op: ops[inverted ? 1 : 0], value: numberText(text) }]];
  return equalNumber(property, numberText(text), !inverted);
}
