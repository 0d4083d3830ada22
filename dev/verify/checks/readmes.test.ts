import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { repositoryRoot } from '../../../infra/repository.ts';
import { repositoryFiles } from '../../support/repositoryFiles.ts';

const pages = repositoryFiles('*/README.md');

test.each(pages)('%s has a line for each folder', (page) => {
  const room = page.slice(0, page.indexOf('/'));
  const below = repositoryFiles(`${room}/*/**`).map((file) => file.split('/')[1] ?? '');
  const text = readFileSync(join(repositoryRoot, page), 'utf8');
  expect([...new Set(below)].filter((folder) => !text.includes(`${folder}/`))).toEqual([]);
});

test('each folder with sources has a README, and CONTRIBUTING.md names it', () => {
  const contributing = readFileSync(join(repositoryRoot, 'CONTRIBUTING.md'), 'utf8');
  const rooms = new Set(repositoryFiles('*/**/*.ts').map((file) => file.slice(0, file.indexOf('/'))));
  expect([...rooms].filter((room) => !pages.includes(`${room}/README.md`))).toEqual([]);
  expect([...rooms].filter((room) => !contributing.includes(`\`${room}`))).toEqual([]);
});

test('each record of a decision has a date and a status, and a line in the index', () => {
  const index = readFileSync(join(repositoryRoot, 'docs/decisions/README.md'), 'utf8');
  for (const page of repositoryFiles('docs/decisions/0*.md')) {
    expect(readFileSync(join(repositoryRoot, page), 'utf8')).toMatch(/^# .+\n\n\d{4}-\d\d-\d\d · [A-Z]/);
    expect(index).toContain(`](${page.slice(page.lastIndexOf('/') + 1)})`);
  }
});
