import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { repositoryRoot } from '../../../infra/repository.ts';

/** A template of docs/events.md. */
export interface Recipe {
  // biome-ignore lint/suspicious/noExplicitAny: each type has its own properties.
  readonly Resources: Readonly<Record<string, { readonly Properties: any }>>;
}

/** A code block of a page of docs/, by its language or by the start of its first line. @throws Error if there is none */
export function blockOf(start: string, file = 'events.md'): string {
  const page = readFileSync(join(repositoryRoot, 'docs', file), 'utf8');
  const blocks = [...page.matchAll(/^```(\w+)\n([\s\S]*?)^```/gm)];
  const found = blocks.find(([, language, code = '']) => language === start || code.startsWith(start));
  if (!found) throw new Error(`docs/${file} has no code block ${start}`);
  return found[2] ?? '';
}

/** A template of docs/events.md, by the file name in its first line. */
export function recipeOf(file: string): Recipe {
  return parse(blockOf(`# ${file}`));
}

/** The function of docs/events.md by which a receiver checks the signature of a request. */
export async function signatureCheck(): Promise<
  (headers: Readonly<Record<string, unknown>>, body: string, secret: string) => boolean
> {
  const { isGenuine } = await import(`data:text/javascript,${encodeURIComponent(blockOf('// verify.mjs'))}`);
  return isGenuine;
}
