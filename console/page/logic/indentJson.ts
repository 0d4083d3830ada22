/**
 * Indents a JSON text by two spaces, like `JSON.stringify`. It changes only spaces. Parsing would round long numbers,
 * sort keys such as `"10"`, and drop duplicate keys.
 */
export function indentJson(text: string): string {
  const tokens = text.match(/"(?:[^"\\]|\\.)*"|[{}[\],:]|[^\s"{}[\],:]+/g) ?? [];
  let depth = 0;
  const line = () => `\n${'  '.repeat(depth)}`;
  return tokens
    .map((token, n) => {
      const isEmpty = '{['.includes(tokens[n - 1] ?? ' ');
      if (token === '}' || token === ']') {
        depth--;
        return isEmpty ? token : line() + token;
      }
      const before = isEmpty || tokens[n - 1] === ',' ? line() : '';
      if (token === '{' || token === '[') depth++;
      return before + token + (token === ':' ? ' ' : '');
    })
    .join('');
}
