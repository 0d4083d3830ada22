import { endOfString, parseLongNumbers } from './exactJson.ts';

/**
 * Maximum nesting of arrays and objects in a document. At tens of thousands of levels, `JSON.stringify` takes a second
 * of CPU time on Bun, and recursive code overflows the stack. At this limit, Node and Bun need a millisecond.
 */
export const MAX_NESTING = 2_000;

/** JSON nested deeper than {@link MAX_NESTING}. The message quotes nothing of it. */
export class NestedTooDeep extends SyntaxError {
  override name = 'NestedTooDeep';

  constructor() {
    super(`nested deeper than the limit of ${MAX_NESTING} levels: flatten it`);
  }
}

/**
 * Parses untrusted JSON. Long numbers keep their digits ({@link parseLongNumbers}).
 *
 * @throws {NestedTooDeep}
 * @throws {SyntaxError} if it is not JSON
 */
export function parseForeignJson(text: string): unknown {
  if (isTooDeep(text)) throw new NestedTooDeep();
  return parseLongNumbers(text);
}

/**
 * Checks the text before parsing, so that nothing is built from it. Most messages are too short to be nested deeply.
 */
function isTooDeep(text: string): boolean {
  return text.length > 2 * MAX_NESTING && !hasFewBrackets(text) && isNestedDeeper(text, MAX_NESTING);
}

/** Whether there are at most as many opening brackets as levels, including those in strings. */
function hasFewBrackets(text: string): boolean {
  let left = MAX_NESTING;
  for (const bracket of ['[', '{']) {
    for (let at = text.indexOf(bracket); at >= 0; at = text.indexOf(bracket, at + 1)) if (--left < 0) return false;
  }
  return true;
}

/**
 * Whether a JSON text is nested deeper than a limit. It scans without recursion, in linear time. For text that is not
 * JSON the result has no meaning.
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
