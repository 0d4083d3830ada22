import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { ageOf, originOf } from './age.ts';
import { digestOf, noteMeasured } from './measuredCode.ts';

let root: string;
const git = (...args: string[]) =>
  execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@example.org', ...args], {
    cwd: root,
    encoding: 'utf8',
  });
const write = (path: string, text: string) => writeFileSync(join(root, path), text);
beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), 'flagwire-age-'));
  mkdirSync(join(root, 'docs/results'), { recursive: true });
  git('init', '-q');
  write('code.ts', '1');
  write('other.ts', '1');
  git('add', '.');
  git('commit', '-qm', 'one');
  write('figures.json', JSON.stringify({ commit: git('rev-parse', 'HEAD').trim(), at: '2026-11-22T10:00:00Z' }));
});
afterAll(() => rmSync(root, { recursive: true }));

test('figures are older than the code once the code has changed, and only then', () => {
  const age = () => ageOf(root, 'it', { figures: 'figures.json', code: ['code.ts'] });
  write('other.ts', '2');
  expect(age()).toMatchObject({ state: 'up to date', on: '2026-11-22' });
  write('code.ts', '2');
  expect(age()).toMatchObject({ state: 'older than the code' });
});

test('of figures whose commit nobody knows nothing is said', () => {
  write('unstamped.json', '{"at":"2026-11-22T10:00:00Z"}');
  expect(ageOf(root, 'it', { figures: 'unstamped.json', code: ['.'] })).toEqual({ on: '2026-11-22', state: 'unknown' });
  expect(ageOf(root, 'it', { figures: 'nowhere.json', code: ['.'] })).toEqual({ state: 'unknown' });
});

test('figures whose commit is gone, as after a squash, are held against the code that was noted with them', () => {
  const age = () => ageOf(root, 'squashed', { figures: 'squashed.json', code: ['.', ':!other.ts'] }).state;
  const commit = 'f'.repeat(12);
  write('squashed.json', JSON.stringify({ commit }));
  write('code.ts', 'export const one: number = 1;');
  expect(age()).toBe('unknown');
  noteMeasured(root, 'squashed', { commit, code: digestOf(root, ['.', ':!other.ts']) });
  write('other.ts', '3');
  write('code.ts', '/** Told better. */\nexport const one =\n  1 as const;');
  write('fixture.ts', "import { beforeAll } from '@jest/globals';");
  git('add', 'fixture.ts');
  expect(age()).toBe('up to date');
  write('code.ts', 'export const one = 2;');
  expect(age()).toBe('older than the code');
  write('code.ts', 'export const one = 1;');
  write('more.ts', '');
  git('add', 'more.ts');
  expect(age()).toBe('older than the code');
  noteMeasured(root, 'squashed', { commit: '0'.repeat(12), code: digestOf(root, ['.', ':!other.ts']) });
  expect(age()).toBe('unknown');
});

test.each([
  ['{"stamp": {"commit": "0123456789ab"}, "at": "2026-11-22T10:00:00Z"}', { commit: '0123456789ab', on: '2026-11-22' }],
  ['{"commit":"6e83e4f37ff0 with changes"}', { commit: '6e83e4f37ff0' }],
  ['`npm run x` on 2026-11-21, commit bc1d82f355e4 with changes', { commit: 'bc1d82f355e4', on: '2026-11-21' }],
  ['| `shared/flags` | 98.6 % | 2026-11-22 | `cfe4d94c92e6` |', { commit: 'cfe4d94c92e6', on: '2026-11-22' }],
])('the origin of %s', (text, origin) => {
  expect(originOf(text)).toEqual(origin);
});
