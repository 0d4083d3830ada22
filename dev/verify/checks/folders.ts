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

/** By parent folder: from child to child, the first import that leads from one to the other. */
const imports = new Map<string, Map<string, Map<string, string>>>();
for (const file of files) {
  for (const [, path = ''] of readFileSync(join(repositoryRoot, file), 'utf8').matchAll(
    /(?:from|import|import\()\s*'([.][^']+)'/g,
  )) {
    const target = normalize(join(dirname(file), path));
    if (files.has(target)) add(file, target);
  }
}

const found = [...imports].flatMap(([parent, children]) =>
  [...children].flatMap(([from, targets]) =>
    [...targets].filter(([to]) => leads(children, to, from)).map(([, example]) => `${parent}: ${example}`),
  ),
);
if (found.length > 0) {
  console.error(`These imports are parts of cycles between sibling folders:\n${found.join('\n')}`);
  process.exit(1);
}

function add(file: string, target: string): void {
  const from = file.split('/');
  const to = target.split('/');
  const depth = from.findIndex((name, n) => name !== to[n]);
  if (depth >= from.length - 1 || depth >= to.length - 1) return;
  const children = at(imports, from.slice(0, depth).join('/') || '.', () => new Map());
  at(
    at(children, from[depth] as string, () => new Map()),
    to[depth] as string,
    () => `${file} → ${target}`,
  );
}

/** Checks whether one folder imports from another, directly or by others. */
function leads(
  children: Map<string, Map<string, string>>,
  from: string,
  to: string,
  seen = new Set<string>(),
): boolean {
  if (seen.has(from)) return false;
  seen.add(from);
  const targets = [...(children.get(from)?.keys() ?? [])];
  return targets.includes(to) || targets.some((each) => leads(children, each, to, seen));
}

function at<K, V>(map: Map<K, V>, key: K, make: () => V): V {
  const value = map.get(key) ?? make();
  map.set(key, value);
  return value;
}
