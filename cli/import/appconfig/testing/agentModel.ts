import type { Context } from '../../translation/testing/oracle.ts';

/** The content of a hosted configuration version. */
export interface Document {
  readonly version?: unknown;
  readonly flags?: Readonly<Record<string, unknown>>;
  readonly values?: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
}

/**
 * What AWS AppConfig's agent answers, as its user guide describes it. Where the guide says nothing: a comparison with a
 * missing context value is false, and a context value that is compared with a number or a boolean is parsed as in Go.
 *
 * @param isJson whether the answer is JSON instead of whether the flag is enabled
 */
export function answerOf(file: Document, key: string, { key: targetingKey, attributes }: Context, isJson: boolean) {
  const present = Object.entries(attributes).filter(([, each]) => each !== null);
  // Clients send each context value as text.
  const context = new Map(
    present.map(([name, each]) => [name, typeof each === 'string' ? each : JSON.stringify(each)]),
  );
  context.set('targetingKey', targetingKey);
  const { _variants: variants, _createdAt, _updatedAt, ...basic } = file.values?.[key] ?? {};
  const isMet = ({ rule = '' }) => rule.trim() === '' || holds(readExpression(rule), context, key);
  const { enabled, attributeValues } = Array.isArray(variants)
    ? variants.find(isMet)
    : { enabled: basic['enabled'], attributeValues: basic };
  return isJson ? JSON.stringify(enabled ? { enabled, ...attributeValues } : { enabled }) : String(enabled);
}

interface Call {
  readonly call: readonly Expression[];
  readonly named: Readonly<Record<string, Expression>>;
}
interface List {
  readonly list: readonly Expression[];
}
type Expression = string | number | boolean | { readonly text: string } | List | Call;

/** Reads an s-expression. Names of operands are `name::`. */
function readExpression(rule: string): Expression {
  const tokens = rule.match(/"(?:\\.|[^"\\])*"|[()[\]]|\w+(?=\s*::)|::|[^\s()[\],"]+/g) ?? [];
  const next = (): Expression => {
    const token = tokens.shift() ?? '';
    if (token === '(' || token === '[') {
      const call: Expression[] = [];
      const named: Record<string, Expression> = {};
      while (tokens.length > 0 && tokens[0] !== ')' && tokens[0] !== ']') {
        if (tokens[1] !== '::') call.push(next());
        else {
          const [name = ''] = tokens.splice(0, 2);
          named[name] = next();
        }
      }
      tokens.shift();
      return token === '[' ? { list: call } : { call, named };
    }
    if (token.startsWith('"')) return { text: JSON.parse(token) };
    if (token === 'true' || token === 'false') return token === 'true';
    return /^-?\d/.test(token) ? Number(token) : token;
  };
  return next();
}

const TEXTS: Readonly<Record<string, (given: string, part: string) => boolean>> = {
  begins_with: (given, part) => given.startsWith(part),
  ends_with: (given, part) => given.endsWith(part),
  contains: (given, part) => given.includes(part),
  matches: (given, pattern) => new RegExp(pattern).test(given),
};
const NUMBERS: Readonly<Record<string, (given: number, bound: number) => boolean>> = {
  gt: (given, bound) => given > bound,
  gte: (given, bound) => given >= bound,
  lt: (given, bound) => given < bound,
  lte: (given, bound) => given <= bound,
};

function holds(expression: Expression, context: ReadonlyMap<string, string>, flag: string): boolean {
  if (typeof expression !== 'object' || !('call' in expression)) return expression === true;
  const { call, named } = expression;
  const [operator, ...operands] = call;
  const isMet = (each: Expression) => holds(each, context, flag);
  const textOf = (each: Expression | undefined) =>
    typeof each === 'object' && 'text' in each ? each.text : context.get(String(each).slice(1));
  const [subject = named['in'], other = named['pattern'] ?? ''] = operands;
  const given = textOf(subject);
  switch (operator) {
    case 'and':
      return operands.every(isMet);
    case 'or':
      return operands.some(isMet);
    case 'not':
      return !isMet(operands[0] as Expression);
    case 'exists':
      return context.has(textOf(named['key']) ?? '');
    case 'split':
      return isInSplit(textOf(named['by']), textOf(named['seed'] ?? { text: flag }) ?? '', Number(named['pct']));
    case 'in':
      return typeof other === 'object' && 'list' in other && other.list.some((each) => isEqual(given, each));
    case 'eq':
      return isEqual(given, other);
  }
  if (TEXTS[String(operator)])
    return given !== undefined && TEXTS[String(operator)]?.(given, textOf(other) ?? '') === true;
  return NUMBERS[String(operator)]?.(floatOf(given), Number(other)) === true;
}

function isEqual(given: string | undefined, literal: Expression): boolean {
  if (typeof literal === 'number') return floatOf(given) === literal;
  if (typeof literal === 'boolean') return given !== undefined && booleanOf(given) === literal;
  return typeof literal === 'object' && 'text' in literal && given === literal.text;
}

/** Go's `strconv.ParseFloat`, without hexadecimal numbers and infinity. */
const floatOf = (text = '') => (/^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(text) ? Number(text) : Number.NaN);

/** Go's `strconv.ParseBool`. */
function booleanOf(text: string): boolean | undefined {
  if (/^(1|t|T|true|TRUE|True)$/.test(text)) return true;
  return /^(0|f|F|false|FALSE|False)$/.test(text) ? false : undefined;
}

/** A hash of FNV-1a stands for the one of AWS AppConfig, which is not documented. */
function isInSplit(by: string | undefined, seed: string, percent: number): boolean {
  if (by === undefined) return false;
  let hash = 0x811c9dc5;
  for (const byte of Buffer.from(`${by}\n${seed}`)) hash = Math.imul(hash ^ byte, 0x01000193) >>> 0;
  return (hash % 100_000) / 1_000 < percent;
}
