/** What stands between is made of a measurement's figures, by its name. */
const BEGIN = (name: string) => `<!-- Written by \`npm run results\`, of ${name}. -->`;
const END = '<!-- As far as here. -->';

/** A place for what is made of a measurement's figures, on a page of other text. */
export function place(name: string, text: string): string {
  return `${BEGIN(name)}\n${text}\n${END}`;
}

/**
 * Puts a text in place of what stood in a page's place for it.
 *
 * @param name of the measurement whose place it is
 * @throws Error for a page without the two marks of that place
 */
export function withPlace(page: string, name: string, text: string): string {
  const from = page.indexOf(BEGIN(name));
  const to = page.indexOf(END, from);
  if (from < 0 || to < 0) throw new Error(`the page has no place for results, between ${BEGIN(name)} and ${END}`);
  return `${page.slice(0, from)}${place(name, text)}${page.slice(to + END.length)}`;
}
