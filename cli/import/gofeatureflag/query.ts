import { Untranslatable } from '../translation/values.ts';

/** A value in a query. */
export type Literal =
  | { readonly type: 'text'; readonly value: string }
  | { readonly type: 'boolean'; readonly value: boolean }
  | { readonly type: 'whole' | 'decimal'; readonly value: string }
  | { readonly type: 'texts'; readonly values: readonly string[] }
  | { readonly type: 'null' };

/** A query of GO Feature Flag's rules as a tree. */
export type Query =
  | { readonly kind: 'and' | 'or'; readonly parts: readonly [Query, Query] }
  | { readonly kind: 'not'; readonly part: Query }
  | { readonly kind: 'present'; readonly attribute: string }
  | { readonly kind: 'compare'; readonly attribute: string; readonly op: string; readonly literal: Literal };

const TEXT = String.raw`"(?:\\(?:["\\/bfnrt]|u[\da-fA-F]{4})|[^"\\])*"`;
/** A word, text, list or parenthesis, and the space before it. Before a parenthesis, there may be a second one. */
const TOKEN = new RegExp(String.raw`( \n*)?( \n*(?=\())?([()]|\[[^\]]*\]|${TEXT}|[^\s()"[\]]+)`, 'y');
const TEXTS = new RegExp(String.raw`^\[${TEXT}(, *${TEXT})*\]$`);
const NUMBERS = /^\[[\d., -]+\]$/;
const NOT = /^(not|NOT)$/;
const NAME = /^[A-Za-z][\w:-]*(\.[A-Za-z][\w:-]*)*$/;

/** The names of comparisons, by their other forms. */
const SYMBOLS: Readonly<Record<string, string>> = {
  '==': 'eq',
  '!=': 'ne',
  '>': 'gt',
  '<': 'lt',
  '>=': 'ge',
  '<=': 'le',
};
const COMPARISONS = ['eq', 'ne', 'gt', 'lt', 'ge', 'le', 'co', 'sw', 'ew', 'in'];
/** Words that cannot be names of attributes. */
const KEYWORDS = new Set(
  [...COMPARISONS, 'not']
    .flatMap((word) => [word, word.toUpperCase()])
    .concat('and', 'or', 'true', 'false', 'null', 'pr'),
);

/** Maximum number of nested parentheses. */
const DEPTH_LIMIT = 50;

/**
 * Parses a query. `and` and `or` have the same precedence, from left to right. Words are separated by one space, as in GO Feature Flag
 * (nikunjy/rules 1.5, `JsonQuery.g4`), which evaluates a part of a query with invalid syntax.
 *
 * @throws {Untranslatable} for invalid syntax, and for unsupported values
 */
export function parseQuery(text: string): Query {
  const invalid = () => new Untranslatable(`the query ${text.slice(0, 80)}`);
  const tokens = tokensOf(text.trim(), invalid);
  let at = 0;
  const next = () => tokens[at++] ?? '';
  const readTerm = (depth: number): Query => {
    if (depth > DEPTH_LIMIT) throw invalid();
    const first = next();
    const isNegated = NOT.test(first) && tokens[at] === '(';
    if (isNegated) at++;
    if (isNegated || first === '(') {
      const part = readAll(depth + 1);
      if (next() !== ')') throw invalid();
      return isNegated ? { kind: 'not', part } : part;
    }
    if (!NAME.test(first) || KEYWORDS.has(first)) throw invalid();
    const word = next();
    if (word === 'pr') return { kind: 'present', attribute: first };
    const op = SYMBOLS[word] ?? (/^([a-z]+|[A-Z]+)$/.test(word) ? word.toLowerCase() : '');
    if (!COMPARISONS.includes(op)) throw invalid();
    return { kind: 'compare', attribute: first, op, literal: readLiteral(next(), invalid) };
  };
  const readAll = (depth: number): Query => {
    let left = readTerm(depth);
    while (tokens[at] === 'and' || tokens[at] === 'or') {
      const kind = next() as 'and' | 'or';
      left = { kind, parts: [left, readTerm(depth)] };
    }
    return left;
  };
  const query = readAll(0);
  if (at < tokens.length) throw invalid();
  return query;
}

/** The words, texts, lists and parentheses of a query. Only inside of parentheses and after `not` may a space lack. */
function tokensOf(text: string, invalid: () => Untranslatable): string[] {
  const tokens: string[] = [];
  for (TOKEN.lastIndex = 0; TOKEN.lastIndex < text.length; ) {
    const [, space, second, token = ''] = TOKEN.exec(text) ?? [];
    const before = tokens.at(-1) ?? '(';
    const isNegation = token === '(' && NOT.test(before);
    const isJoined = before === '(' || token === ')' || isNegation;
    if (token === '' || (space === undefined && !isJoined) || (second && isNegation)) throw invalid();
    tokens.push(token);
  }
  return tokens;
}

/** GO Feature Flag does not resolve escapes in texts. */
function readLiteral(token: string, invalid: () => Untranslatable): Literal {
  if (token.startsWith('"')) return { type: 'text', value: token.slice(1, -1) };
  if (token === 'true' || token === 'false') return { type: 'boolean', value: token === 'true' };
  if (token === 'null') return { type: 'null' };
  if (/^\d+\.\d+\.\d+/.test(token)) throw new Untranslatable('a semantic version');
  if (/^-?(0|[1-9]\d{0,14})$/.test(token)) return { type: 'whole', value: token };
  if (/^-?(0|[1-9]\d{0,14})\.\d+$/.test(token)) return { type: 'decimal', value: token };
  if (TEXTS.test(token)) {
    const values = Array.from(token.matchAll(new RegExp(TEXT, 'g')), ([value]) => value.slice(1, -1));
    return { type: 'texts', values };
  }
  if (NUMBERS.test(token)) throw new Untranslatable('a list of numbers');
  throw token === '' || token.startsWith('[') ? invalid() : new Untranslatable(`the value ${token.slice(0, 40)}`);
}
