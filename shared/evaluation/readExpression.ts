/**
 * Maximum length of an expression in characters, with counted repeats expanded (`a{3}` is `aaa`). RE2 has no such
 * limit: an expression of ten lines can take seconds and a gigabyte to compile. A search's time grows with this size.
 */
export const EXPRESSION_LIMIT = 5_000;

/** A condition's regular expression in .NET's syntax, converted for RE2. */
interface Expression {
  /** The expression in RE2's syntax. */
  readonly source: string;
  /** Compared with {@link EXPRESSION_LIMIT}. Never less than the size that RE2 compiles. */
  readonly size: number;
  /** Syntax that RE2 accepts with another meaning than .NET, as text. */
  readonly warnings: readonly string[];
}

/**
 * One token of an expression: an escape, a count, a POSIX class, the start of a class, options, or any one character.
 */
const TOKEN =
  /\\u([dD][89abAB][\da-fA-F]{2})\\u([dD][c-fC-F][\da-fA-F]{2})|\\u([\da-fA-F]{4})|\\Q.*?(?:\\E|$)|\\[pPx]\{[^}]{0,64}\}|\\.|\{(\d+)(?:,(\d*))?\}|\[:\^?[a-z]+:\]|\[\^|\(\?[a-zA-Z-]+\)|./gs;
/** `(?i)`. A count after it applies to the token before it. */
const OPTIONS = /^\(\?.+\)$/;
const SURROGATE = /^d[89a-f]/i;

const SUBTRACTION = 'has "-[" in a class: .NET subtracts the second class from the first, here both form one class';
const POSIX = 'has "[:" in a class: .NET reads two characters, here this is a POSIX class';
const HALF = 'has half a character after "\\u": .NET matches halves, here only whole characters match';

/**
 * Converts an expression for RE2, which does not support `\uXXXX`. A surrogate pair becomes its character. RE2 refuses
 * other unknown syntax. RE2JS's own conversion is for JavaScript's expressions and reads `\Z` and `\e` as letters, so
 * it is not used.
 */
export function readExpression(pattern: string): Expression {
  if (pattern.length > EXPRESSION_LIMIT) return { source: pattern, size: pattern.length, warnings: [] };
  const warnings = new Set<string>();
  const size = new Size();
  let source = '';
  /** Position in a class. At its `start`, `]` and `-` are literal. `after a hyphen`, `[` starts a subtraction. */
  let inClass: 'start' | 'within' | 'after a hyphen' | undefined;
  for (const [token, high, low, unit, least, most] of pattern.matchAll(TOKEN)) {
    if (high && low) source += `\\x{${codePoint(high, low).toString(16)}}`;
    else if (unit) source += `\\x{${unit}}`;
    else source += token;
    if (unit && SURROGATE.test(unit)) warnings.add(HALF);

    if (inClass) {
      if (token === '[' && inClass === 'after a hyphen') warnings.add(SUBTRACTION);
      if (token.startsWith('[:')) warnings.add(POSIX);
      if (token === ']' && inClass !== 'start') inClass = undefined;
      else inClass = token === '-' && inClass !== 'start' ? 'after a hyphen' : 'within';
    } else if (OPTIONS.test(token)) continue;
    else if (token === '(') size.open();
    else if (token === ')') size.close();
    else if (least !== undefined) size.repeat(Math.max(Number(least), Number(most ?? 0), 1));
    else if (token === '*' || token === '+' || token === '?') size.grow();
    else {
      size.add(token.startsWith('\\Q') ? token.length : 1);
      if (token.startsWith('[') && !token.startsWith('[:')) inClass = 'start';
    }
  }
  return { source, size: Math.max(pattern.length, size.total), warnings: [...warnings] };
}

/** The size of an expression as it counts in sums. One that is too large by itself counts as the largest. */
export function sizeOf(pattern: string): number {
  return Math.min(readExpression(pattern).size, EXPRESSION_LIMIT);
}

function codePoint(high: string, low: string): number {
  return String.fromCharCode(Number.parseInt(high, 16), Number.parseInt(low, 16)).codePointAt(0) as number;
}

/** Counts an expression's characters and classes, with counted repeats expanded. */
class Size {
  /** Size of each open group. The first is the whole expression. */
  readonly #groups = [0];
  /** Size of the token that a quantifier would apply to. */
  #last = 0;

  get total(): number {
    return this.#groups.reduce((sum, size) => sum + size, 0);
  }

  add(size: number): void {
    this.#last = size;
    this.#add(size);
  }

  open(): void {
    this.#groups.push(1);
  }

  close(): void {
    if (this.#groups.length > 1) this.add(this.#groups.pop() as number);
  }

  /** For `*`, `+` and `?`. */
  grow(): void {
    this.#last += 1;
    this.#add(1);
  }

  repeat(times: number): void {
    this.#add(this.#last * (times - 1));
    this.#last *= times;
  }

  #add(size: number): void {
    this.#groups.push((this.#groups.pop() as number) + size);
  }
}
