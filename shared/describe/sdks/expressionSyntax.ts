/** A regular expression in parts. */
interface ExpressionSyntax {
  /** `(?i)` at its start, or empty. */
  readonly options: string;
  readonly body: string;
  /** The body: characters, escapes, classes, and the signs of groups and repeats. */
  readonly tokens: readonly string[];
  readonly hasAlternatives: boolean;
  /** Whether all SDKs know its syntax: no classes of POSIX or in classes, named groups, late options or unusual escapes. */
  readonly isPortable: boolean;
}

/** Reads an expression that compiles. */
export function readSyntax(pattern: string): ExpressionSyntax {
  const options = /^\(\?[ims]+\)/.exec(pattern)?.[0] ?? '';
  const body = pattern.slice(options.length);
  const tokens: string[] = [];
  let [isPortable, hasAlternatives, depth] = [true, false, 0];
  for (let at = 0; at < body.length; at += tokens.at(-1)?.length ?? 1) {
    const token = tokenAt(body, at);
    tokens.push(token);
    if (token.startsWith('\\') && !isCommonEscape(token)) isPortable = false;
    if (token.length > 2 && token.startsWith('[')) isPortable &&= isCommonClass(token.slice(1));
    if (token === '(' && body[at + 1] === '?' && body[at + 2] !== ':') isPortable = false;
    if (token === '(') depth += 1;
    if (token === ')') depth -= 1;
    if (token === '|' && depth === 0) hasAlternatives = true;
  }
  return { options, body, tokens, hasAlternatives, isPortable };
}

function tokenAt(body: string, start: number): string {
  if (body[start] === '\\') return body.slice(start, start + 2);
  if (body[start] !== '[') return body[start] ?? '';
  let end = start + (body[start + 1] === '^' ? 2 : 1);
  // A bracket is itself at the start of a class.
  if (body[end] === ']') end += 1;
  while (end < body.length && body[end] !== ']') end += body[end] === '\\' ? 2 : 1;
  return body.slice(start, end + 1);
}

const isCommonEscape = (token: string) => /^\\([dDwWsSbBAnrtfv]|\W)$/.test(token);

function isCommonClass(content: string): boolean {
  if (/\[|&&|--|~~/.test(content) || content.replace('^', '').startsWith(']')) return false;
  return (content.match(/\\./gs) ?? []).every(isCommonEscape);
}
