import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { repositoryRoot } from '../../infra/repository.ts';
import { renderDocs } from './docs.ts';

test.each(renderDocs())('%s shows docs/results/comparison/full.json; `compare --docs` writes it', (path, content) => {
  expect(readFileSync(join(repositoryRoot, path), 'utf8')).toBe(content);
});
