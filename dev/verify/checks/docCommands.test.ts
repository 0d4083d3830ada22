import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { repositoryRoot } from '../../../infra/repository.ts';
import { repositoryFiles } from '../../support/repositoryFiles.ts';

const files = repositoryFiles('**/*.{md,ts,tsx}');

/** Lines of the pages, or of all files, that match, with their file. */
function find(pattern: RegExp, searched = files): string[] {
  return searched.flatMap((file) => {
    const lines = readFileSync(join(repositoryRoot, file), 'utf8').split('\n');
    return lines.filter((line) => pattern.test(line.replaceAll(/'[^']*'/g, "''"))).map((line) => `${file}: ${line}`);
  });
}

const pages = files.filter((file) => file.endsWith('.md'));

test('no command starts a TypeScript file with the reader’s own Node', () => {
  expect(
    find(
      /(?<!npx )\bnode [\w/.-]+[.]ts\b(?! <)/,
      files.filter((file) => !/checks[/]main[.]ts$/.test(file)),
    ),
  ).toEqual([]);
});

test('a command whose output goes to a file or another program is silent about npm', () => {
  expect(find(/npm (?:run (?!--silent )|start)[^`]* [>|] /, pages)).toEqual([]);
});
