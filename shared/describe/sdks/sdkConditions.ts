import { RE2JS } from 're2js';
import { compileOperator, OPERATOR_NAMES, parseList, UncompilableCondition } from '../../evaluation/compileOperator.ts';
import { parseNumber } from '../../evaluation/number.ts';
import { readExpression } from '../../evaluation/readExpression.ts';
import { readSyntax } from './expressionSyntax.ts';

/** FeatBit's server-side SDKs that were run. The SDK for .NET was not. */
export const SDKS = ['Node', 'Python', 'Go', 'Java', 'Rust'] as const;
export type SdkName = (typeof SDKS)[number];

/** Whether a condition matches in an SDK. `no value`: the SDK fails, and returns the default in the code. */
export type SdkAnswer = boolean | 'no value' | 'unknown';

const NEGATIONS: ReadonlyMap<string, string> = new Map([
  ['NotEqual', 'Equal'],
  ['NotContain', 'Contains'],
  ['NotMatchRegex', 'MatchRegex'],
  ['NotOneOf', 'IsOneOf'],
]);

const COMPARISONS: ReadonlyMap<string, (a: number, b: number) => boolean> = new Map([
  ['LessThan', (a, b) => a < b],
  ['LessEqualThan', (a, b) => a <= b],
  ['BiggerThan', (a, b) => a > b],
  ['BiggerEqualThan', (a, b) => a >= b],
]);

/** True for operators that compare numbers. */
export const isComparison = (op: string | null): boolean => COMPARISONS.has(op ?? '');
/** True for operators with a regular expression. */
export const isExpression = (op: string | null): boolean => op?.endsWith('MatchRegex') ?? false;

/** The result of a condition in an SDK and here, as measured (`shared/testing/data/sdk-conditions.json`). */
interface Comparison {
  readonly own: boolean;
  readonly answer: SdkAnswer;
}

/**
 * Compares the result of an SDK with that of this service.
 *
 * A condition that cannot be compiled never matches here. What SDKs make of its expression or list is not known.
 *
 * @param text the user's text; null if the attribute is missing
 */
export function compareWithSdk(sdk: SdkName, op: string, value: string, text: string | null): Comparison {
  try {
    const own = compileOperator(op, value)(text ?? '');
    const answer = positiveAnswer(sdk, NEGATIONS.get(op) ?? op, value, text);
    return { own, answer: typeof answer === 'boolean' && NEGATIONS.has(op) ? !answer : answer };
  } catch (error) {
    if (!(error instanceof UncompilableCondition)) throw error;
    return { own: false, answer: OPERATOR_NAMES.includes(op) ? 'unknown' : false };
  }
}

function positiveAnswer(sdk: SdkName, op: string, value: string, sent: string | null): SdkAnswer {
  if (op === 'IsOneOf' && (parseList(value) === null || JSON.parse(value).includes(null))) return 'unknown';
  if (sent === null && sdk === 'Node') return isText(op) ? 'no value' : false;
  if (sent === null && (sdk === 'Python' || sdk === 'Java')) return false;
  const text = sent ?? '';
  if (sdk === 'Go' && (text === '' || (value === '' && (isText(op) || op === 'Equal')))) return false;
  const compare = COMPARISONS.get(op);
  if (compare) {
    const [a, b] = [readNumber(sdk, text), readNumber(sdk, value)];
    return sdk === 'Node' && !Number.isFinite(a) && a === b ? false : compare(a, b);
  }
  if (op === 'MatchRegex') return expressionAnswer(sdk, value, text);
  // Unlike other SDKs, these fold `ſ` to `s`.
  const isFolded = (op === 'IsTrue' || op === 'IsFalse') && ['Go', 'Java', 'Node'].includes(sdk);
  return compileOperator(op, value)(isFolded ? text.toUpperCase() : text);
}

const isText = (op: string) => ['Contains', 'StartsWith', 'EndsWith', 'MatchRegex'].includes(op);

/** A number as an SDK reads it. NaN for other text. */
export function readNumber(sdk: SdkName | undefined, text: string): number {
  switch (sdk) {
    case undefined:
      return parseNumber(text);
    case 'Node':
      return Number.parseFloat(text);
    case 'Java':
      return /^\p{Nd}+$/u.test(text) ? Number(withPlainDigits(text)) : Number.NaN;
    case 'Python':
      return rounded(decimal(joined(withPlainDigits(text.trim()))));
    case 'Go':
    case 'Rust': {
      const number = decimal(sdk === 'Go' ? joined(text) : text);
      const isInfinite = !Number.isFinite(number) && (sdk === 'Rust' || /\d/.test(text));
      return isInfinite ? Number.NaN : number;
    }
  }
}

/** The syntax that Python, Go and Rust share. */
function decimal(text: string): number {
  if (/^[+-]?inf(inity)?$/i.test(text))
    return text.startsWith('-') ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY;
  return /^[+-]?(\d+(\.\d*)?|\.\d+)(e[+-]?\d+)?$/i.test(text) ? Number(text) : Number.NaN;
}

/** Digits without `_` between them. */
const joined = (text: string) => text.replaceAll(/(?<=\d)_(?=\d)/g, '');

const rounded = (number: number) => (Math.abs(number) < 1e15 ? Number(number.toFixed(5)) : number);

/** Digits of other scripts as those of ASCII. Each script has ten in a row. */
function withPlainDigits(text: string): string {
  const isDigit = (code: number) => /\p{Nd}/u.test(String.fromCodePoint(code));
  return text.replaceAll(/\p{Nd}/gu, (digit) => {
    let above = 0;
    while (isDigit((digit.codePointAt(0) as number) - above - 1)) above += 1;
    return String(above % 10);
  });
}

function expressionAnswer(sdk: SdkName, pattern: string, text: string): SdkAnswer {
  try {
    if (sdk === 'Node') return RE2JS.compile(text).test(pattern);
    if (sdk === 'Go') return RE2JS.compile(pattern).test(text);
  } catch {
    return sdk === 'Node' ? 'unknown' : false;
  }
  if (!readSyntax(pattern).isPortable || isReadDifferently(sdk, pattern, text)) return 'unknown';
  const expression = RE2JS.compile(readExpression(pattern).source);
  return sdk === 'Java' ? expression.matches(text) : expression.test(text);
}

/** Whether an SDK may find another text: they know different lines, and letters and digits outside of ASCII. */
function isReadDifferently(sdk: SdkName, pattern: string, text: string): boolean {
  const other = pattern.replaceAll('[\\s\\S]', '');
  if (sdk === 'Python' && text.endsWith('\n') && /\$/.test(other)) return true;
  if (/[^\P{Cc}\n\t]|[\u2028\u2029]/u.test(text)) return /[.$]|\\[sSwW]/.test(other);
  return /[^\n -~\t]/.test(text + other) && (/\\[dDwWsSbB]/.test(other) || /^\(\?[ms]*i/.test(other));
}
