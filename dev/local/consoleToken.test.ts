import { chmodSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeEach, expect, test } from '@jest/globals';
import { keepToken } from './localConsole.ts';

const root = mkdtempSync(join(tmpdir(), 'flagwire-token-'));
afterAll(() => rmSync(root, { recursive: true }));

let dataDir: string;
let path: string;
beforeEach(() => {
  dataDir = mkdtempSync(join(root, 'data-'));
  path = join(dataDir, 'console.json');
});

test('the token stays the same from start to start, in a file for its owner only', () => {
  const token = keepToken(dataDir);
  expect(token).toMatch(/^[\w-]{43}$/);
  expect(keepToken(dataDir)).toBe(token);
  expect(JSON.parse(readFileSync(path, 'utf8'))).toEqual({ token });
  chmodSync(path, 0o644);
  expect(keepToken(dataDir)).toBe(token);
  expect(statSync(path).mode & 0o777).toBe(0o600);
});

test.each(['', '{"token":', '{}', 'null', '{"token":"short"}', '{"token":7}'])(
  '%p is replaced by a new one',
  (text) => {
    writeFileSync(path, text);
    const token = keepToken(dataDir);
    expect(token).toMatch(/^[\w-]{43}$/);
    expect(keepToken(dataDir)).toBe(token);
  },
);

test('another data directory has another token', () => {
  expect(keepToken(mkdtempSync(join(root, 'data-')))).not.toBe(keepToken(dataDir));
});
