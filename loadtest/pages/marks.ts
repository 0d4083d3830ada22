/** What is between the marks of a page. Both throw for a name that they do not know. */
export interface Renderers {
  /** A table by its name: `<!-- table: sizes -->`, the table, `<!-- end -->`. */
  readonly table: (name: string) => string;
  /** A figure in a sentence or a cell: `<!--=idle:door-->$12<!--/-->`. */
  readonly figure: (expression: string) => string;
}

const TABLE = /(<!-- table: (.+?) -->\n)[\s\S]*?(<!-- end -->)/g;
const FIGURE = /(<!--=(\S+?)-->).*?(<!--\/-->)/g;

/** Whether a page has marks. */
export function hasMarks(page: string): boolean {
  return page.search(TABLE) >= 0 || page.search(FIGURE) >= 0;
}

/** The figures of a page that are not measured yet: a dash, and then their expression as a comment. */
export function listUnmeasured(page: string): string[] {
  return [...page.matchAll(/–<!-- (\S+) -->/g)].flatMap(([, expression]) => expression ?? []);
}

/**
 * Renders the tables and figures of a Markdown page again. The rest of the page stays.
 *
 * @throws Error if a line begins with a figure: Markdown shows such a line as it is
 */
export function renderMarks(page: string, { table, figure }: Renderers): string {
  const atStart = /^<!--=.*$/m.exec(page);
  if (atStart) throw new Error(`a line begins with a mark, so that Markdown does not format it: ${atStart[0]}`);
  return page
    .replace(TABLE, (_, begin, name, end) => `${begin}\n${table(name)}\n\n${end}`)
    .replace(FIGURE, (_, begin, expression, end) => `${begin}${figure(expression)}${end}`);
}
