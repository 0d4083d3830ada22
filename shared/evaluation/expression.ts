/**
 * The longest expression in characters, also with counted repeats written out (`a{3}` is `aaa`). RE2 has no such limit: an
 * expression of ten lines can take seconds and a gigabyte to compile, and the time of a search grows with this size.
 */
export const EXPRESSION_LIMIT = 5_000;

/** A regular expression of a condition, in .NET's syntax, made ready for RE2. */
interface Expression {
  /** The same in RE2's syntax. */
  readonly source: string;
  /** Compared with {@link EXPRESSION_LIMIT}; never less than the size that RE2 compiles. */
  readonly size: number;
  /** What RE2 accepts but reads otherwise than .NET, and how. */
  readonly warnings: readonly string[];
}

/** One step through an expression: an escape, a count, a POSIX class, a class's beginning, options, or any one character. */
const TOKEN =
  /\\u([dD][89abAB][\da-fA-F]{2})\\u([dD][c-fC-F][\da-fA-F]{2})|\\u([\da-fA-F]{4})|\\Q.*?(?:\\E|$)|\\[pPx]\{[^}]*\}|\\.|\{(\d+)(?:,(\d*))?\}|\[:\^?[a-z]+:\]|\[\^|\(\?[a-zA-Z-]+\)|./gs;
/** `(?i)`: a count behind it counts what precedes it. */
const OPTIONS = /^\(\?.+\)$/;
const SURROGATE = /^d[89a-f]/i;

const SUBTRACTION = 'has "-[" in a class: .NET subtracts the second class from the first, here both are one class';
const POSIX = 'has "[:" in a class: .NET reads two characters, here they name a POSIX class';
const HALF =
  'has half a character after "\\u": .NET searches halves, here whole characters are searched, and none is a half';

/**
 * Reads an expression for RE2, which lacks `\uXXXX`; two that are one character become that character. RE2 refuses
 * everything else that it does not know. RE2JS's own translation is not used: it is for JavaScript's expressions, and reads
 * `\Z` and `\e` as letters.
 */
export function readExpression(pattern: string): Expression {
  if (pattern.length > EXPRESSION_LIMIT) return { source: pattern, size: pattern.length, warnings: [] };
  const warnings = new Set<string>();
  const size = new Size();
  let source = '';
  /** Where in a class: at its `start` a `]` or `-` is a character, `after a hyphen` a `[` begins a subtraction. */
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

function codePoint(high: string, low: string): number {
  return String.fromCharCode(Number.parseInt(high, 16), Number.parseInt(low, 16)).codePointAt(0) as number;
}

/** Counts an expression's characters and classes as it is read, with counted repeats written out. */
class Size {
  /** By group that is open, the whole expression first. */
  readonly #groups = [0];
  /** Of what a quantifier would apply to. */
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
