import { Untranslatable } from '../translation/translation.ts';

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

const TOKEN = /\s*([()]|\[[^\]]*\]|"(?:\\.|[^"\\])*"|[^\s()]+)/y;
const TEXT = /"((?:\\.|[^"\\])*)"/g;

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

/** Maximum number of nested parentheses. */
const DEPTH_LIMIT = 50;

/**
 * Parses a query. `and` and `or` have the same precedence, from left to right, as in GO Feature Flag (nikunjy/rules 1.5, `JsonQuery.g4`).
 *
 * @throws {Untranslatable} for invalid syntax, and for unsupported values
 */
export function parseQuery(text: string): Query {
  const tokens = tokensOf(text);
  let at = 0;
  const invalid = () => new Untranslatable(`the query ${text.slice(0, 80)}`);
  const next = () => tokens[at++] ?? '';
  const readTerm = (depth: number): Query => {
    if (depth > DEPTH_LIMIT) throw invalid();
    const token = next();
    if (token === '(') return readGroup(depth);
    if (/^not$/i.test(token) && tokens[at] === '(') {
      at++;
      return { kind: 'not', part: readGroup(depth) };
    }
    const word = next();
    if (!/^[A-Za-z][\w:.-]*$/.test(token)) throw invalid();
    if (word === 'pr') return { kind: 'present', attribute: token };
    const op = SYMBOLS[word] ?? word.toLowerCase();
    if (!COMPARISONS.includes(op)) throw invalid();
    return { kind: 'compare', attribute: token, op, literal: readLiteral(next()) };
  };
  const readGroup = (depth: number): Query => {
    const query = readAll(depth + 1);
    if (next() !== ')') throw invalid();
    return query;
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

function tokensOf(text: string): string[] {
  const tokens: string[] = [];
  const trimmed = text.trim();
  for (TOKEN.lastIndex = 0; TOKEN.lastIndex < trimmed.length; ) {
    const [, token] = TOKEN.exec(trimmed) ?? [];
    if (token === undefined) throw new Untranslatable(`the query ${text.slice(0, 80)}`);
    tokens.push(token);
  }
  return tokens;
}

/** GO Feature Flag does not resolve escapes in texts. */
function readLiteral(token: string): Literal {
  if (token.startsWith('"')) return { type: 'text', value: token.slice(1, -1) };
  if (token === 'true' || token === 'false') return { type: 'boolean', value: token === 'true' };
  if (token === 'null') return { type: 'null' };
  if (/^\d+\.\d+\.\d+$/.test(token)) throw new Untranslatable('a semantic version');
  if (/^-?\d+$/.test(token)) return { type: 'whole', value: token };
  if (/^-?\d+\.\d+$/.test(token)) return { type: 'decimal', value: token };
  const values = Array.from(token.matchAll(TEXT), ([, value = '']) => value);
  if (token.startsWith('[') && values.length > 0) return { type: 'texts', values };
  throw new Untranslatable(token.startsWith('[') ? 'a list of numbers' : `the value ${token.slice(0, 40)}`);
}
