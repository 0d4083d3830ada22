/** A filter pattern: names lead to patterns, or to the values and conditions of which one must hold. */
export type Pattern = Readonly<Record<string, unknown>>;

/**
 * Checks whether `value` matches a pattern of EventBridge, as in the filters of event source mappings. For every name
 * of the pattern, one of the listed values or conditions must match. Of an array, one element must match.
 *
 * @throws Error naming a condition that is not a literal (`"x"`, `1`, `true`, `null`), `{"prefix"}` or `{"exists"}`.
 */
export function matchesPattern(pattern: Pattern, value: unknown): boolean {
  return Object.entries(pattern).every(([name, wanted]) => {
    const found = isObject(value) && Object.hasOwn(value, name) ? value[name] : undefined;
    if (Array.isArray(wanted)) return wanted.some((condition) => [found].flat().some((item) => holds(condition, item)));
    return isObject(found) && matchesPattern(wanted as Pattern, found);
  });
}

function holds(condition: unknown, value: unknown): boolean {
  if (!isObject(condition)) return condition === value;
  const [name = '', argument] = Object.entries(condition)[0] ?? [];
  switch (name) {
    // `exists` looks at leaves: an object is neither there nor absent.
    case 'exists':
      return argument === true ? value !== undefined && !isObject(value) : value === undefined;
    case 'prefix':
      return typeof value === 'string' && value.startsWith(String(argument));
    default:
      throw new Error(`The emulator does not support the filter condition ${JSON.stringify(condition)}`);
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
