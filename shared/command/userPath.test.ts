import { mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { userPath } from './userPath.ts';

const clone = realpathSync(mkdtempSync(join(tmpdir(), 'flagwire-path-')));
const folder = join(clone, 'team');
const before = { folder: process.cwd(), variables: { ...process.env } };

beforeEach(() => {
  mkdirSync(folder, { recursive: true });
  process.chdir(clone);
  Object.assign(process.env, {
    INIT_CWD: folder,
    npm_package_name: 'flagwire',
    npm_package_json: join(clone, 'package.json'),
  });
});

afterEach(() => {
  process.chdir(before.folder);
  process.env = { ...before.variables };
  rmSync(clone, { recursive: true });
});

test('a path is relative to the folder in which the user called npm', () => {
  expect(userPath('flags.json')).toBe(join(folder, 'flags.json'));
  expect(userPath('../flags.json')).toBe(join(clone, 'flags.json'));
  expect(userPath('/tmp/flags.json')).toBe('/tmp/flags.json');
});

test('keeps a path as typed in the folder of package.json, or without npm', () => {
  process.env['INIT_CWD'] = clone;
  expect(userPath('flags.json')).toBe('flags.json');
  delete process.env['INIT_CWD'];
  expect(userPath('flags.json')).toBe('flags.json');
});

test('a script of another package, and a process in another folder, keep the path', () => {
  process.env['npm_package_name'] = 'shop';
  expect(userPath('flags.json')).toBe('flags.json');
  process.env['npm_package_name'] = 'flagwire';
  process.chdir(tmpdir());
  expect(userPath('flags.json')).toBe('flags.json');
});
