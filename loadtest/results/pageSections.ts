/**
 * Replaces one section of a Markdown page, or adds it at the end; all others stay as they are.
 *
 * @param heading its heading of the second level, without the signs
 * @param text what stands under it
 */
export function withSection(page: string, heading: string, text: string): string {
  const section = `## ${heading}\n\n${text.trim()}\n`;
  const [head = '', ...sections] = page.trim().split(/^(?=## )/m);
  const others = sections.map((each) => `${each.trim()}\n`);
  const at = others.findIndex((each) => each.startsWith(`## ${heading}\n`));
  return [`${head.trim()}\n`, ...(at < 0 ? [...others, section] : others.with(at, section))].join('\n');
}
