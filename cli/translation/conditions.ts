import { compileOperator, UncompilableCondition } from '../../shared/evaluation/operator.ts';
import { type Condition, IN_SEGMENT, NOT_IN_SEGMENT } from '../../shared/flags/rule.ts';
import { isBlank } from '../../shared/flags/user.ts';
import { ALWAYS, type Alternatives, NEVER } from './alternatives.ts';
import { type Note, noteValues, TEXTS } from './differences.ts';
import { Untranslatable } from './translation.ts';

/**
 * An attribute as conditions here name it.
 *
 * @param key what the other service calls a user's key
 * @throws {Untranslatable} for a name that means something else here
 */
export function propertyOf(name: string, key: string): string {
  if (name === key) return 'keyId';
  if (isBlank(name) || ['keyId', IN_SEGMENT, NOT_IN_SEGMENT].includes(name))
    throw new Untranslatable(`an attribute called "${name}"`);
  return name;
}

/** That an attribute is there, and not the empty text. */
export function isSet(property: string): Condition {
  return { property, op: 'NotEqual', value: '' };
}

/** That an attribute is missing, or the empty text. */
export function isNotSet(property: string): Condition {
  return { property, op: 'Equal', value: '' };
}

/** That an attribute is one of these, or none of them. */
export function isOneOf(property: string, values: readonly string[], isNegated = false): Condition {
  return { property, op: isNegated ? 'NotOneOf' : 'IsOneOf', value: JSON.stringify(values) };
}

/** That a user is in one of these segments, or in none of them. */
export function inSegment(ids: readonly string[], isNegated = false): Condition {
  return { property: isNegated ? NOT_IN_SEGMENT : IN_SEGMENT, op: null, value: JSON.stringify(ids) };
}

/** What can be asked about a part of a text. */
export type TextOperator = 'StartsWith' | 'EndsWith' | 'Contains';

/** That a text begins or ends with one of these, or contains one, or none of them. */
export function textCondition(
  property: string,
  op: TextOperator,
  values: readonly string[],
  { isNegated = false, ignoresCase = false },
): Alternatives {
  const [first] = values;
  if (first === undefined) return isNegated ? ALWAYS : NEVER;
  const said = isNegated ? (op === 'Contains' ? 'NotContain' : undefined) : op;
  if (said && values.length === 1 && !ignoresCase) return [[{ property, op: said, value: first }]];
  const any = values.map((value) => literal(value, ignoresCase)).join('|');
  const [start, end] = [op === 'StartsWith' ? '^' : '', op === 'EndsWith' ? '$' : ''];
  return [[matching(property, `${start}(?:${any})${end}`, isNegated)]];
}

/**
 * That a text matches an expression which people wrote for another service, or does not; a missing one matches none.
 *
 * @throws {Untranslatable} an expression that would never match here
 */
export function expressionCondition(property: string, pattern: string, isNegated: boolean, note: Note): Alternatives {
  noteValues(note, property, TEXTS, 'expression');
  const condition = matching(property, pattern, isNegated);
  if (!compileOperator('MatchRegex', pattern)('')) return [[condition]];
  noteValues(note, property, ['empty']);
  return isNegated ? [[condition], [isNotSet(property)]] : [[isSet(property), condition]];
}

/** A condition with an expression. @throws {Untranslatable} for one that would never hold here */
function matching(property: string, pattern: string, isNegated: boolean): Condition {
  try {
    compileOperator('MatchRegex', pattern);
  } catch (error) {
    if (error instanceof UncompilableCondition) throw new Untranslatable(`what ${error.message}`);
    throw error;
  }
  return { property, op: isNegated ? 'NotMatchRegex' : 'MatchRegex', value: pattern };
}

/** A text as a regular expression, in what all SDKs' expressions have in common: not all know `(?i)`. */
function literal(text: string, ignoresCase: boolean): string {
  const characters = Array.from(text, (character) => {
    const forms = ignoresCase ? [...new Set([character.toLowerCase(), character.toUpperCase()])] : [character];
    if (forms.length > 1 && forms.every((form) => form.length === 1)) return `[${forms.join('')}]`;
    return character.replace(/[\\^$.*+?()[\]{}|]/, '\\$&');
  });
  return characters.join('');
}
