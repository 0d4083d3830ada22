/**
 * The key a message selects: the value its body has at `$request.body.<path>` (or `${request.body.<path>}`).
 *
 * @returns undefined when the body is not JSON, or has no string there; such a message goes to `$default`.
 * @throws Error when the expression is of another kind.
 */
export function selectRouteKey(expression: string, body: string): string | undefined {
  const path = /^\$(?:request\.body\.([\w.-]+)|\{request\.body\.([\w.-]+)\})$/.exec(expression);
  if (!path) throw new Error(`The emulator does not support the route selection expression "${expression}"`);
  let value: unknown;
  try {
    value = JSON.parse(body);
  } catch {
    return undefined;
  }
  for (const key of (path[1] ?? path[2] ?? '').split('.')) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined;
    value = (value as Record<string, unknown>)[key];
  }
  return typeof value === 'string' ? value : undefined;
}
