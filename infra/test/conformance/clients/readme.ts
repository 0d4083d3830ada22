import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { repositoryRoot } from '../../../cdk/repository.ts';

/**
 * Runs the lines of JavaScript that README has under a summary, with names in the place of what they import.
 *
 * @param summary what the summary begins with
 * @returns what they print
 */
export async function runReadme(summary: string, names: Readonly<Record<string, unknown>>): Promise<unknown[]> {
  const readme = readFileSync(join(repositoryRoot, 'README.md'), 'utf8');
  const block = readme.split(`<summary>${summary}`)[1] ?? '';
  const code = /```js\n([\s\S]*?)```/.exec(block)?.[1]?.replace(/^import .*$/gm, '');
  if (!code) throw new Error(`README has no JavaScript under "${summary}"`);
  const printed: unknown[] = [];
  const given = { ...names, console: { log: (value: unknown) => printed.push(value) } };
  const AsyncFunction = Object.getPrototypeOf(async () => {}).constructor;
  await new AsyncFunction(...Object.keys(given), code)(...Object.values(given));
  return printed;
}
