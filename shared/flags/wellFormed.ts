/** A character of a JSON text that is escaped: a surrogate pair, half of one, or another. */
const ESCAPED = /\\u(?:d[89ab][\da-f]{2}\\ud[c-f]|(d[89a-f]))[\da-f]{2}|\\./gi;

/** Whether a JSON text may have an escaped surrogate. */
const MAY_HAVE_SURROGATE = /\\ud[89a-f]/i;

/**
 * A JSON text in which half of a surrogate pair is U+FFFD. FeatBit's Rust SDK refuses a whole message with such a half, which is
 * usually the end of a text that was cut within an emoji.
 */
export function wellFormedJson(json: string): string {
  if (!MAY_HAVE_SURROGATE.test(json)) return json;
  return json.replace(ESCAPED, (all, half: string | undefined) => (half === undefined ? all : '\\ufffd'));
}

/** Why no new flag or segment can have such texts. Stored ones are read as {@link wellFormedJson}. Undefined if they are whole. */
export function problemOfText(document: object): string | undefined {
  // It escapes halves only.
  if (!MAY_HAVE_SURROGATE.test(JSON.stringify(document))) return undefined;
  const place = placeOfHalf(document, '');
  return place === undefined
    ? undefined
    : `${place} has half of a character (an unpaired surrogate), such as a cut emoji; write the whole character`;
}

/** The path of the first text that is not well-formed. */
function placeOfHalf(value: unknown, path: string): string | undefined {
  if (typeof value === 'string') return value.isWellFormed() ? undefined : path;
  if (typeof value !== 'object' || value === null) return undefined;
  for (const [name, member] of Object.entries(value)) {
    if (!name.isWellFormed()) return path === '' ? 'a member' : `a member of ${path}`;
    const inner = Array.isArray(value) ? `${path}[${name}]` : path === '' ? name : `${path}.${name}`;
    const found = placeOfHalf(member, inner);
    if (found !== undefined) return found;
  }
  return undefined;
}
