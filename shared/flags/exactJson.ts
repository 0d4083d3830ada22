/** A number as a JSON text has it, where a double would have other digits. `JSON.stringify` writes the same text. */
export class ExactNumber {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }

  toJSON(): unknown {
    return rawJson?.(this.text) ?? Number(this.text);
  }
}

/** A number as a double, rounded if it is an {@link ExactNumber}. Any other value is returned unchanged. */
export function roundNumber(value: unknown): unknown {
  return value instanceof ExactNumber ? Number(value.text) : value;
}

/**
 * Parses JSON without a change to any number. `1.0`, `1e2`, `-0` and long numbers become an {@link ExactNumber}.
 *
 * Objects list keys that are whole numbers first, as in all JavaScript.
 *
 * @throws {SyntaxError} if it is not JSON
 */
export function parseExactJson(text: string): unknown {
  return parse(text, /\d/);
}

/** Whether {@link parseExactJson} keeps all digits of a text. Node 20 rounds numbers of more than 15. */
export function keepsDigits(text: string): boolean {
  return rawJson !== undefined || !LONG.test(text);
}

/**
 * Parses JSON without a change to the digits of any number that has more than 15, or a long exponent. Those that a double would change become
 * an {@link ExactNumber}. Text without such numbers is parsed as fast as by `JSON.parse`,
 * any other in about three times as long.
 *
 * @throws {SyntaxError} if it is not JSON
 */
export function parseLongNumbers(text: string): unknown {
  return parse(text, LONG);
}

/** A double holds any 15 digits, and exponents of two. */
const LONG = /[\d.]{16}|\de[+-]?\d{3}/i;
/** A string's beginning, or what may be a number. */
const TOKEN = /"|-?\d[\d.e+-]*/gi;
/** A string's beginning, a number with many digits, or a long exponent, whose digits are before it. */
const LONG_TOKEN = /"|-?\d[\d.]{15,}(?:e[+-]?\d+)?|e[+-]?\d{3,}/gi;
const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:e[+-]?\d+)?$/i;

/**
 * Replaces the numbers whose text may have to be kept, parses, and puts them back. A reviver with the text of each value takes 20 times as
 * long as a parse.
 *
 * @param kept what a number contains if its text may have to be kept
 */
function parse(text: string, kept: RegExp): unknown {
  if (!kept.test(text)) return JSON.parse(text);
  if (!rawJson) {
    if (LONG.test(text)) warnOnce();
    return JSON.parse(text);
  }
  const sources: string[] = [];
  const parsed = parseAs(replaceNumbers(text, kept === LONG ? LONG_TOKEN : TOKEN, sources), text);
  return sources.length === 0 ? parsed : withNumbers(parsed, sources);
}

/** @throws {SyntaxError} with the place in the original */
function parseAs(replaced: string, original: string): unknown {
  try {
    return JSON.parse(replaced);
  } catch {
    return JSON.parse(original);
  }
}

/** Replaces the numbers that are long, or that a double writes in another way, by multiples of {@link PLACEHOLDER}. */
function replaceNumbers(text: string, tokens: RegExp, sources: string[]): string {
  let replaced = '';
  let done = 0;
  tokens.lastIndex = 0;
  for (let token = tokens.exec(text); token; token = tokens.exec(text)) {
    const [found] = token;
    if (found === '"') {
      tokens.lastIndex = endOfString(text, token.index) + 1;
      continue;
    }
    const begin = /^e/i.test(found) ? beginOfDigits(text, token.index) : token.index;
    const source = text.slice(begin, tokens.lastIndex);
    if (NUMBER.test(source) && (LONG.test(source) || String(Number(source)) !== source)) {
      // Without its sign, it could join what precedes it.
      const sign = source.startsWith('-') ? '-' : '';
      replaced += `${text.slice(done, begin)}${sign}${sources.push(source)}e150`;
      done = tokens.lastIndex;
    }
  }
  return replaced + text.slice(done);
}

/** Where the digits before an exponent begin. There are at most 15, because more are found with their exponent. */
function beginOfDigits(text: string, exponent: number): number {
  let begin = exponent;
  while (begin > 0 && /[\d.]/.test(text.charAt(begin - 1))) begin--;
  return text[begin - 1] === '-' ? begin - 1 : begin;
}

/** The index of the quote that ends the string starting at an index, or the text's end. */
export function endOfString(text: string, begin: number): number {
  for (let end = text.indexOf('"', begin + 1); end >= 0; end = text.indexOf('"', end + 1)) {
    let escapes = end;
    while (text[escapes - 1] === '\\') escapes--;
    if ((end - escapes) % 2 === 0) return end;
  }
  return text.length;
}

/** Larger than any number that is not long. Placeholders are its multiples, negative for a negative number. */
const PLACEHOLDER = 1e150;

/** Puts numbers back in place of their placeholders, without recursion: a body may have a million levels. */
function withNumbers(parsed: unknown, sources: readonly string[]): unknown {
  const values = sources.map(numberFrom);
  const root = [parsed];
  const waiting: object[] = [root];
  const restore = (holder: object, name: string | number) => {
    const members = holder as Record<string | number, unknown>;
    const value = members[name];
    if (typeof value === 'number' && Math.abs(value) >= PLACEHOLDER)
      members[name] = values[Math.round(Math.abs(value) / PLACEHOLDER) - 1];
    else if (typeof value === 'object' && value !== null) waiting.push(value);
  };
  for (let holder = waiting.pop(); holder; holder = waiting.pop()) {
    if (Array.isArray(holder)) for (let index = 0; index < holder.length; index++) restore(holder, index);
    else for (const name in holder) restore(holder, name);
  }
  return root[0];
}

function numberFrom(source: string): unknown {
  const number = Number(source);
  return String(number) === source ? number : new ExactNumber(source);
}

/** Node 20 has neither this function nor the text of a number. */
const { rawJSON: rawJson } = JSON as { readonly rawJSON?: (text: string) => unknown };

let hasWarned = false;

function warnOnce(): void {
  if (!hasWarned) console.error('Numbers with more than 15 digits are rounded. Run this program with Node 22 or newer');
  hasWarned = true;
}
