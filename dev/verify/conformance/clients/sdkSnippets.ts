import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { repositoryRoot } from '../../../../infra/repository.ts';

/**
 * The code of a section of docs/sdks.md, for a flag of the benchmark.
 *
 * @param title heading of the section
 * @returns the lines that import, and the others
 * @throws Error when the section has no code in that language
 */
export function snippetLines(title: string, language: 'js' | 'jsx'): [imports: string, others: string] {
  const page = readFileSync(join(repositoryRoot, 'docs/sdks.md'), 'utf8');
  const section = page.split(`### ${title}\n`)[1]?.split('\n#')[0] ?? '';
  const code = new RegExp(`\`\`\`${language}\n([\\s\\S]*?)\`\`\``).exec(section)?.[1];
  if (!code) throw new Error(`docs/sdks.md has no ${language} under "${title}"`);
  const lines = code.replaceAll('new-checkout', 'returns-true').split('\n');
  const isImport = (line: string) => line.startsWith('import ');
  return [lines.filter(isImport).join('\n'), lines.filter((line) => !isImport(line)).join('\n')];
}

/**
 * Runs the JavaScript of a section of docs/sdks.md.
 *
 * @param title heading of the section
 * @param names values for what the code imports and for its placeholders
 * @returns what the code prints
 */
export async function runSnippet(title: string, names: Readonly<Record<string, unknown>>): Promise<unknown[]> {
  const [, code] = snippetLines(title, 'js');
  const printed: unknown[] = [];
  const given = { ...names, console: { log: (value: unknown) => printed.push(value) } };
  const AsyncFunction = Object.getPrototypeOf(async () => {}).constructor;
  await new AsyncFunction(...Object.keys(given), code)(...Object.values(given));
  return printed;
}
