/** The most characters of a caller's text in a line. */
const TEXT_LIMIT = 200;

/** Characters that could mislead a terminal or a reader: control, formatting and unassigned ones, ends of lines included. */
const MISLEADING = /[\p{C}\p{Zl}\p{Zp}]/gu;

/**
 * A caller's text in a form that is safe to log or to print: cut to the limit, with its length where it was cut, and with control,
 * formatting and unassigned characters, which could mislead a terminal or a reader, as `\u{…}`.
 *
 * @param limit in UTF-16 units, before anything is escaped
 */
export function printable(text: string, limit = TEXT_LIMIT): string {
  const shown = text
    .slice(0, limit)
    .replace(MISLEADING, (character) => `\\u{${character.codePointAt(0)?.toString(16)}}`);
  return text.length > limit ? `${shown}… (${text.length} characters)` : shown;
}

/**
 * JSON with the same content that is safe to print: what {@link printable} escapes is escaped as JSON does it. That can be
 * in strings only, but for the ends of lines between them, which stay.
 */
export function printableJson(json: string): string {
  return json.replace(MISLEADING, (character) => (character === '\n' ? character : jsonEscape(character)));
}

function jsonEscape(character: string): string {
  const units = Array.from({ length: character.length }, (_, index) => character.charCodeAt(index));
  return units.map((unit) => `\\u${unit.toString(16).padStart(4, '0')}`).join('');
}
