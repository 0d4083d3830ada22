/** The most characters of a caller's text in a line. */
const TEXT_LIMIT = 200;

/**
 * A caller's text in a form that is safe to log or to print: cut to the limit, with its length where it was cut, and with control,
 * formatting and unassigned characters, which could mislead a terminal or a reader, as `\u{…}`.
 *
 * @param limit in UTF-16 units, before anything is escaped
 */
export function printable(text: string, limit = TEXT_LIMIT): string {
  const shown = text
    .slice(0, limit)
    .replace(/[\p{C}\p{Zl}\p{Zp}]/gu, (character) => `\\u{${character.codePointAt(0)?.toString(16)}}`);
  return text.length > limit ? `${shown}… (${text.length} characters)` : shown;
}
