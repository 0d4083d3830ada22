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

/**
 * Parses JSON without a change to the digits of any number that has more than 15, or a long exponent. Those that a double would change become
 * an {@link ExactNumber}. Text without such numbers is parsed as fast as by `JSON.parse`.
 *
 * @throws {SyntaxError} if it is not JSON
 */
export function parseLongNumbers(text: string): unknown {
  return parse(text, LONG);
}

/** A double holds any 15 digits, and exponents of two. */
const LONG = /[\d.]{16}|\de[+-]?\d{3}/i;

/** @param kept what a number contains if its text may have to be kept */
function parse(text: string, kept: RegExp): unknown {
  if (!kept.test(text)) return JSON.parse(text);
  if (!rawJson) {
    if (LONG.test(text)) warnOnce();
    return JSON.parse(text);
  }
  return JSON.parse(text, (_, value: unknown, context?: { readonly source?: string }) => {
    if (typeof value !== 'number') return value;
    const { source = '' } = context ?? {};
    return kept.test(source) && String(value) !== source ? new ExactNumber(source) : value;
  });
}

/** Node 20 has neither this function nor the text of a number. */
const { rawJSON: rawJson } = JSON as { readonly rawJSON?: (text: string) => unknown };

let hasWarned = false;

function warnOnce(): void {
  if (!hasWarned) console.error('Numbers with more than 15 digits are rounded. Run this program with Node 22 or newer');
  hasWarned = true;
}
