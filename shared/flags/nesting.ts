/**
 * The most levels of arrays and objects that a document may be nested. What is nested tens of thousands deep takes Bun a second
 * of processor time for each `JSON.stringify`, and overflows the stack of whatever walks through it; either runtime writes
 * this many in a millisecond.
 */
export const MAX_NESTING = 2_000;

/** JSON that is nested deeper than {@link MAX_NESTING}; the message quotes nothing of it. */
export class NestedTooDeep extends SyntaxError {
  override name = 'NestedTooDeep';

  constructor() {
    super(`nested deeper than the limit of ${MAX_NESTING} levels: flatten it`);
  }
}

/**
 * Parses JSON that somebody else wrote.
 *
 * @throws {NestedTooDeep}
 * @throws {SyntaxError} when it is not JSON
 */
export function parseForeignJson(text: string): unknown {
  if (isTooDeep(text)) throw new NestedTooDeep();
  return JSON.parse(text);
}

/** Looks at the text, so that nothing is built of it first. Most messages are too short to be that deep, and cost nothing. */
function isTooDeep(text: string): boolean {
  return text.length > 2 * MAX_NESTING && !hasFewBrackets(text) && isNestedDeeper(text, MAX_NESTING);
}

/** Whether there are no more opening brackets than levels, those within strings included. */
function hasFewBrackets(text: string): boolean {
  let left = MAX_NESTING;
  for (const bracket of ['[', '{']) {
    for (let at = text.indexOf(bracket); at >= 0; at = text.indexOf(bracket, at + 1)) if (--left < 0) return false;
  }
  return true;
}

/**
 * Whether arrays and objects of a JSON text are nested deeper than a limit. A scan without recursion, in linear time; text that
 * is not JSON has some answer.
 *
 * @param limit levels; `[]` has one
 */
export function isNestedDeeper(text: string, limit: number): boolean {
  let depth = 0;
  for (let at = 0; at < text.length; at++) {
    const character = text[at];
    if (character === '"') at = endOfString(text, at);
    else if (character === '[' || character === '{') {
      if (++depth > limit) return true;
    } else if (character === ']' || character === '}') depth--;
  }
  return false;
}

/** The place of the quote that ends the string which begins at another; the text's end where there is none. */
function endOfString(text: string, begin: number): number {
  for (let end = text.indexOf('"', begin + 1); end >= 0; end = text.indexOf('"', end + 1)) {
    let escapes = end;
    while (text[escapes - 1] === '\\') escapes--;
    if ((end - escapes) % 2 === 0) return end;
  }
  return text.length;
}
