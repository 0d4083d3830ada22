import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { repositoryRoot } from '../../cdk/repository.ts';

const read = (name: string) => readFileSync(join(repositoryRoot, name), 'utf8');
const architecture = read('docs/architecture.md');
const picture = /```mermaid\nflowchart[\s\S]*?```/.exec(architecture)?.[0] ?? '';

/** Folders of the rooms, but for those that hold helpers of tests. */
const folders = ['shared', 'functions', 'infra'].flatMap((room) =>
  readdirSync(join(repositoryRoot, room), { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && entry.name !== 'testing')
    .map(({ name }) => `${room}/${name}`),
);

describe('the picture of the architecture', () => {
  test('shows every folder of the rooms, and no other', () => {
    const shown = [...picture.matchAll(/\["((?:shared|functions|infra)\/[\w-]+)<br\/>/g)].map(([, name]) => name);
    expect(shown.toSorted()).toEqual(folders.toSorted());
  });

  test('is of rooms without loose modules', () => {
    for (const room of ['shared', 'functions', 'infra']) {
      expect(readdirSync(join(repositoryRoot, room)).filter((name) => name.endsWith('.ts'))).toEqual([]);
    }
  });
});

test.each(['docs/architecture.md', 'CONTRIBUTING.md', 'README.md', 'docs/operations.md'])(
  '%s names files that exist',
  (page) => {
    const named = [...read(page).matchAll(/\b(?:shared|functions|infra|loadtest|docs)\/[\w./-]*\w/g)].map(
      ([path]) => path,
    );
    expect(named.length).toBeGreaterThan(0);
    // What a run writes is not in the repository.
    const missing = named.filter((path) => !existsSync(join(repositoryRoot, path)) && !path.endsWith('torture.md'));
    expect(missing).toEqual([]);
  },
);
