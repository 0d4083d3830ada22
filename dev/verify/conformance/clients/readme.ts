import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { repositoryRoot } from '../../../../infra/repository.ts';

/**
 * The lines of code that README has under a summary.
 *
 * @param summary what the summary begins with
 * @returns those that import, and the others
 */
export function readmeLines(summary: string, language: 'js' | 'jsx'): [imports: string, others: string] {
  const readme = readFileSync(join(repositoryRoot, 'README.md'), 'utf8');
  const block = readme.split(`<summary>${summary}`)[1] ?? '';
  const code = new RegExp(`\`\`\`${language}\n([\\s\\S]*?)\`\`\``).exec(block)?.[1];
  if (!code) throw new Error(`README has no ${language} under "${summary}"`);
  const lines = code.split('\n');
  const isImport = (line: string) => line.startsWith('import ');
  return [lines.filter(isImport).join('\n'), lines.filter((line) => !isImport(line)).join('\n')];
}

/**
 * Runs the lines of JavaScript that README has under a summary, with names in the place of what they import.
 *
 * @param summary what the summary begins with
 * @returns what they print
 */
export async function runReadme(summary: string, names: Readonly<Record<string, unknown>>): Promise<unknown[]> {
  const [, code] = readmeLines(summary, 'js');
  const printed: unknown[] = [];
  const given = { ...names, console: { log: (value: unknown) => printed.push(value) } };
  const AsyncFunction = Object.getPrototypeOf(async () => {}).constructor;
  await new AsyncFunction(...Object.keys(given), code)(...Object.values(given));
  return printed;
}
