import { spawnSync } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { join, matchesGlob } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { repositoryRoot } from '../../infra/repository.ts';
import { repositoryFiles } from './repositoryFiles.ts';
import { SUITES } from './suites.ts';

/** The suite that another command runs, npm run verify. */
const OF_VERIFY = 'dev/verify/deployment/remote.suite.ts';

function npmTest(...args: readonly string[]) {
  const main = join(import.meta.dirname, 'test.ts');
  const { stdout, stderr, status } = spawnSync(process.execPath, [main, ...args], {
    encoding: 'utf8',
    timeout: 60_000,
  });
  return { stdout, stderr, status };
}

describe('the suites of npm test', () => {
  test('have every test file between them, each in one', () => {
    const wrong = repositoryFiles('**/*.{test,suite}.ts')
      .filter((file) => file !== OF_VERIFY)
      .map((file) => [file, Object.keys(SUITES).filter((name) => hasFile(SUITES[name]?.files ?? [], file))])
      .filter(([, suites]) => suites?.length !== 1);
    expect(wrong).toEqual([]);
  });

  test('are all run by .ci, npm test at night also with Node alone', () => {
    const [onChange = '', nightly = ''] = readFileSync(join(repositoryRoot, '.ci/run'), 'utf8').split(
      '\nnightly_computing',
    );
    const isMissing = (name: string) => !`${onChange}${nightly}`.includes(`part npm test -- ${name}`);
    expect(Object.keys(SUITES).filter(isMissing)).toEqual(['unit']);
    expect(onChange).toContain('part npm test\n');
    expect(nightly).toContain('part env --unset CI PATH="$basic" npm test\n');
  });

  test('are listed by --help', () => {
    const { stdout, status } = npmTest('--help');
    expect(status).toBe(0);
    for (const [name, { about }] of Object.entries(SUITES))
      expect(stdout.replace(/\s+/g, ' ')).toContain(` ${name} ${about} `);
  });

  test('hand jest what follows their name', () => {
    const { stdout, status } = npmTest('unit', 'shared/flags', '--listTests');
    expect(status).toBe(0);
    const beside = globSync('shared/flags/**/*.test.ts', { cwd: repositoryRoot }).map((file) =>
      join(repositoryRoot, file),
    );
    expect(stdout.trim().split('\n').sort()).toEqual(beside.sort());
  });

  test('leave out what their globs exclude', () => {
    const listed = npmTest('conformance', '--listTests').stdout.trim().split('\n');
    expect(listed).toContain(join(repositoryRoot, 'dev/verify/conformance/host.suite.ts'));
    for (const file of listed) expect(file).not.toMatch(/rust/);
  });

  test('are refused by another name', () => {
    const { stdout, stderr, status } = npmTest('unot', 'shared/flags');
    expect({ stdout, status }).toEqual({ stdout: '', status: 2 });
    expect(stderr).toBe('error: there is no suite unot: npm test -- --help lists them\n');
  });
});

function hasFile(globs: readonly string[], file: string): boolean {
  const out = globs.filter((glob) => glob.startsWith('!'));
  return globs.some((glob) => matchesGlob(file, glob)) && !out.some((glob) => matchesGlob(file, glob.slice(1)));
}
