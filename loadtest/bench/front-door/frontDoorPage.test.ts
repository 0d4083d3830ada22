import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { repositoryRoot } from '../../../infra/repository.ts';
import { renderPage } from './frontDoorPage.ts';

test('keeps docs/results/front-door.md equal to the figures of its file', () => {
  const page = readFileSync(join(repositoryRoot, 'docs/results/front-door.md'), 'utf8');
  expect(page).toMatch(/<!-- figures -->\n[\s\S]+\| the machine is gone \|[\s\S]+<!-- end -->/);
  expect(page).toBe(renderPage(page));
});
