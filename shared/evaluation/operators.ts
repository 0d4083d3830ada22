import { parseNumber } from './number.ts';

/** Whether the text of an attribute matches a condition. */
export type Matcher = (text: string) => boolean;

/** Regular expressions in .NET's syntax. Processes that rarely need one load it then. */
export interface ExpressionEngine {
  /** @throws {Error} with the reason why it does not compile */
  compile(pattern: string): {
    test(text: string): boolean;
    /** Instructions of the compiled expression. */
    programSize(): number;
  };
  /** How FeatBit's server reads an expression that compiles here with another meaning. */
  warningsOf(pattern: string): readonly string[];
  /** Number of characters with counted repeats written out, at most the limit of one expression. */
  sizeOf(pattern: string): number;
}

/** An expression to compile without an engine. */
export class EngineMissing extends Error {
  override name = 'EngineMissing';
}

/** A condition that cannot be compiled. The message says why. The caller makes it never match. */
export class UncompilableCondition extends Error {
  override name = 'UncompilableCondition';
}

/**
 * Maximum number of steps in one search: instructions of the compiled expression times characters of the text. A step takes up
 * to 70 ns. A text from a client thus takes at most 20 to 45 ms for each condition.
 */
export const SEARCH_LIMIT_STEPS = 500_000;

/** Called with a condition's unintended effect on a user's text. */
type OnSkipped = (message: string) => void;

type Operator = (value: string, onSkipped: OnSkipped, engine: ExpressionEngine | undefined) => Matcher;

/** FeatBit's operators by their exact names (such as `NotContain`). Each creates a matcher from a condition's value. */
const OPERATORS: ReadonlyMap<string, Operator> = new Map<string, Operator>([
  ['LessThan', numeric((a, b) => a < b)],
  ['LessEqualThan', numeric((a, b) => a <= b)],
  ['BiggerThan', numeric((a, b) => a > b)],
  ['BiggerEqualThan', numeric((a, b) => a >= b)],
  ['Equal', (value) => (text) => text === value],
  ['NotEqual', (value) => (text) => text !== value],
  ['Contains', (value) => (text) => text.includes(value)],
  ['NotContain', (value) => (text) => !text.includes(value)],
  ['StartsWith', (value) => (text) => text.startsWith(value)],
  ['EndsWith', (value) => (text) => text.endsWith(value)],
  ['MatchRegex', (value, ...more) => search(value, true, ...more)],
  ['NotMatchRegex', (value, ...more) => search(value, false, ...more)],
  ['IsOneOf', memberOf],
  ['NotOneOf', (value) => negate(memberOf(value))],
  ['IsTrue', () => (text) => text.toLowerCase() === 'true'],
  ['IsFalse', () => (text) => text.toLowerCase() === 'false'],
]);

/** The operators' names. */
export const OPERATOR_NAMES: readonly string[] = [...OPERATORS.keys()];

/** How FeatBit's server reads a condition's value that compiles here with another meaning. */
export function warningsOf(engine: ExpressionEngine | undefined, op: string | null, value: string): readonly string[] {
  return isExpressionOperator(op) && engine ? engine.warningsOf(value) : [];
}

/** Whether an operator's value is a regular expression. */
export function isExpressionOperator(op: string | null): boolean {
  return op === 'MatchRegex' || op === 'NotMatchRegex';
}

/**
 * Compiles an operator and its condition's value, once for many users. Strings compare by code unit. Numbers compare as
 * IEEE doubles, and never match if either side is not a number. Regular expressions search unanchored, in linear time.
 * A text that exceeds {@link SEARCH_LIMIT_STEPS} is skipped: no condition matches it, not even a negative one.
 *
 * @param onSkipped called for the first skipped text
 * @throws {UncompilableCondition} for an unknown operator, an invalid or too large regular expression, or an invalid
 *   JSON list
 * @throws {EngineMissing} for a regular expression without an engine
 */
export function compileWith(
  engine: ExpressionEngine | undefined,
  op: string | null,
  value: string,
  onSkipped: OnSkipped,
): Matcher {
  const operator = OPERATORS.get(op ?? '');
  if (!operator) throw new UncompilableCondition(`unknown operator ${JSON.stringify(op).slice(0, 80)}`);
  return operator(value, onSkipped, engine);
}

/**
 * Parses a condition's value as a JSON array of strings.
 *
 * @returns null for JSON `null`; null elements are removed, because they equal no text
 * @throws {UncompilableCondition} for anything else
 */
export function parseList(value: string): string[] | null {
  let list: unknown;
  try {
    list = JSON.parse(value);
  } catch (cause) {
    throw new UncompilableCondition(`is not a JSON array of strings: ${JSON.stringify(value.slice(0, 80))}`, { cause });
  }
  if (list === null) return null;
  if (!Array.isArray(list) || list.some((item) => item !== null && typeof item !== 'string')) {
    throw new UncompilableCondition(`is not a JSON array of strings: ${JSON.stringify(value.slice(0, 80))}`);
  }
  return list.filter((item) => item !== null);
}

function numeric(compare: (user: number, rule: number) => boolean): (value: string) => Matcher {
  return (value) => {
    const bound = parseNumber(value);
    return (text) => compare(parseNumber(text), bound);
  };
}

/** @param isWanted whether a match of the expression makes the condition match */
function search(
  pattern: string,
  isWanted: boolean,
  onSkipped: OnSkipped,
  engine: ExpressionEngine | undefined,
): Matcher {
  if (!engine) throw new EngineMissing('the engine of regular expressions is not loaded');
  const expression = compileExpression(pattern, engine);
  const longest = Math.floor(SEARCH_LIMIT_STEPS / expression.programSize());
  let hasSkipped = false;
  return (text) => {
    if (text.length <= longest) return expression.test(text) === isWanted;
    if (!hasSkipped) {
      hasSkipped = true;
      onSkipped(
        `did not hold for a text of ${text.length} characters: its expression searches up to ${longest}: ` +
          'use fewer or smaller repeats',
      );
    }
    return false;
  };
}

function compileExpression(pattern: string, engine: ExpressionEngine): ReturnType<ExpressionEngine['compile']> {
  try {
    return engine.compile(pattern);
  } catch (cause) {
    throw new UncompilableCondition((cause as Error).message, { cause });
  }
}

function memberOf(value: string): Matcher {
  const members = new Set(parseList(value));
  return (text) => members.has(text);
}

function negate(matcher: Matcher): Matcher {
  return (text) => !matcher(text);
}
