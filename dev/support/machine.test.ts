import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { describeWith } from './jest/describeWith.ts';
import { describeCommit, describeMachine } from './machine.ts';
import { program } from './requirement.ts';

test('the machine and the commit are named', () => {
  expect(describeMachine()).toEqual({
    cpu: expect.any(String),
    cores: expect.any(Number),
    memoryBytes: expect.any(Number),
  });
  expect(describeCommit()).toMatch(/^([0-9a-f]{12,}( with changes)?|unknown)$/);
});

const describeWithGit = await describeWith(program('git'));
describeWithGit('a commit', () => {
  test('is marked where its code was changed since, and not where figures were', () => {
    const root = mkdtempSync(join(tmpdir(), 'flagwire-commit-'));
    const callGit = (...args: string[]) => execFileSync('git', args, { cwd: root, encoding: 'utf8' }).trim();
    const write = (path: string, text: string) => writeFileSync(join(root, path), text);
    for (const folder of ['docs', 'shared']) mkdirSync(join(root, folder));
    const paths = ['docs/figures.json', 'README.md', 'shared/flag.ts'];
    for (const path of paths) write(path, 'before');
    callGit('init', '--quiet');
    callGit('add', '.');
    callGit('-c', 'user.name=Ann', '-c', 'user.email=ann@example.org', 'commit', '--quiet', '--message', 'First');
    const commit = callGit('rev-parse', '--short=12', 'HEAD');
    for (const path of paths.slice(0, 2)) write(path, 'after');
    expect(describeCommit(root)).toBe(commit);
    write('shared/flag.ts', 'after');
    expect(describeCommit(root)).toBe(`${commit} with changes`);
    rmSync(root, { recursive: true });
    expect(describeCommit(tmpdir())).toBe('unknown');
  });
});
