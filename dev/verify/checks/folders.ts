import { readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { repositoryRoot } from '../../../infra/repository.ts';
import { repositoryFiles } from '../../support/repositoryFiles.ts';

/*
 * Looks for cycles between sibling folders, at any depth: `a/x` imports from `a/y`, directly or by others, and `a/y` from `a/x`.
 * Tests are left out, and a folder's own files, which share types with the folders below them.
 */

const TESTS = /[.](test|suite)[.]|\/testing\//;
const files = new Set(repositoryFiles('**/*.{ts,tsx}').filter((file) => !TESTS.test(file)));

/** By folder: the siblings that it imports from, with the first import. */
const imports = new Map<string, Map<string, string>>();
for (const file of files) {
  for (const [, path = ''] of readFileSync(join(repositoryRoot, file), 'utf8').matchAll(
    /(?:from|import|import\()\s*'([.][^']+)'/g,
  )) {
    const target = normalize(join(dirname(file), path));
    if (files.has(target)) add(file, target);
  }
}

const found = [...imports].flatMap(([folder, siblings]) =>
  [...siblings].filter(([sibling]) => leads(sibling, folder)).map(([, example]) => example),
);
if (found.length > 0) {
  console.error(`These imports are parts of cycles between sibling folders:\n${found.join('\n')}`);
  process.exit(1);
}

function add(file: string, target: string): void {
  const [from, to] = [file.split('/'), target.split('/')];
  const depth = from.findIndex((name, n) => name !== to[n]);
  if (depth >= from.length - 1 || depth >= to.length - 1) return;
  const folder = from.slice(0, depth + 1).join('/');
  const sibling = to.slice(0, depth + 1).join('/');
  const siblings = imports.get(folder) ?? new Map<string, string>();
  imports.set(folder, siblings);
  if (!siblings.has(sibling)) siblings.set(sibling, `${file} → ${target}`);
}

/** Checks whether one folder imports from a sibling, directly or by others. */
function leads(from: string, to: string, seen = new Set<string>()): boolean {
  if (seen.has(from)) return false;
  seen.add(from);
  const targets = [...(imports.get(from)?.keys() ?? [])];
  return targets.includes(to) || targets.some((each) => leads(each, to, seen));
}
