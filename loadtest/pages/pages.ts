import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Beside } from '../bench/beside/report.ts';
import { formatStamp } from '../measure/stamp.ts';
import { publishedSchema } from '../report/schema.ts';
import { featbitPage } from './featbitPage.ts';
import { featbitTable } from './featbitTable.ts';

/** The figures that pages are made of, from the project's root. */
export const BESIDE = 'docs/results/featbit/beside.json';

const BEGIN = '<!-- Written by `npm run results`. -->';
const END = '<!-- As far as here. -->';

/** Every page that is made of kept figures, by its path from the project's root. @param root of the project */
export function pagesOf(root: string): Readonly<Record<string, string>> {
  const read = (path: string) => readFileSync(join(root, path), 'utf8');
  if (!existsSync(join(root, BESIDE))) throw new Error(`there is no ${BESIDE}: npm run results -- beside measures it.`);
  const beside: Beside = JSON.parse(read(BESIDE));
  return {
    'docs/results/featbit.md': featbitPage(beside),
    'docs/results/schema.json': publishedSchema(),
    'README.md': withTable(read('README.md'), `${featbitTable(beside)}\n\nToday: ${formatStamp(beside.stamp)}`),
  };
}

/**
 * Puts a text in place of what `npm run results` wrote into a page.
 *
 * @throws Error for a page without its two marks
 */
export function withTable(page: string, text: string): string {
  const [from, to] = [page.indexOf(BEGIN), page.indexOf(END)];
  if (from < 0 || to < from) throw new Error(`the page has no place for results, between ${BEGIN} and ${END}`);
  return `${page.slice(0, from)}${BEGIN}\n${text}\n${page.slice(to)}`;
}
