import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { repositoryRoot } from '../../../infra/repository.ts';

const read = (name: string) => readFileSync(join(repositoryRoot, name), 'utf8');
const operations = readdirSync(join(repositoryRoot, 'docs/operations')).map((name) => `docs/operations/${name}`);
const pages = ['docs/architecture.md', 'CONTRIBUTING.md', 'README.md', ...operations];
test.each(pages)('%s names files that exist', (page) => {
  const named = [
    ...read(page).matchAll(
      /(?<![\w-])(?:shared|functions|provider|infra|loadtest|cli|console|cost|dev|docs)\/[\w./-]*\w/g,
    ),
  ].map(([path]) => path);
  expect(named.filter((path) => !existsSync(join(repositoryRoot, path)))).toEqual([]);
});
