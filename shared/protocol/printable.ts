/** Maximum number of characters of a caller's text in a line. */
const TEXT_LIMIT = 200;

/** Control, formatting and unassigned characters, including line ends. They could mislead a terminal or a reader. */
const MISLEADING = /[\p{C}\p{Zl}\p{Zp}]/gu;

/**
 * Makes a caller's text safe to log or print. It truncates the text and adds the original length. It escapes control,
 * formatting and unassigned characters as `\u{…}`.
 *
 * @param limit in UTF-16 units, before escaping
 */
export function printable(text: string, limit = TEXT_LIMIT): string {
  const shown = text
    .slice(0, limit)
    .replace(MISLEADING, (character) => `\\u{${character.codePointAt(0)?.toString(16)}}`);
  return text.length > limit ? `${shown}… (${text.length} characters)` : shown;
}

/**
 * Makes JSON safe to print without changing its content: it escapes the same characters as {@link printable}, in JSON's
 * form. Line ends between tokens stay.
 */
export function printableJson(json: string): string {
  return json.replace(MISLEADING, (character) => (character === '\n' ? character : jsonEscape(character)));
}

function jsonEscape(character: string): string {
  const units = Array.from({ length: character.length }, (_, index) => character.charCodeAt(index));
  return units.map((unit) => `\\u${unit.toString(16).padStart(4, '0')}`).join('');
}
