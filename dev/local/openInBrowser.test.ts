import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from '@jest/globals';
import { until } from '../../shared/testing/until.ts';
import { openerOf, openInBrowser } from './openInBrowser.ts';

const URL = 'http://127.0.0.1:5100/console/open/x';
const directory = mkdtempSync(join(tmpdir(), 'flagwire-open-'));
afterAll(() => rmSync(directory, { recursive: true }));

test('each system has its program', () => {
  expect([openerOf('linux'), openerOf('darwin'), openerOf('win32')]).toEqual([
    ['xdg-open'],
    ['open'],
    ['cmd', '/c', 'start', ''],
  ]);
});

test('the URL is handed to the program, with the given variables', async () => {
  const file = join(directory, 'opened');
  const script = `require('fs').writeFileSync(process.env.FILE, process.argv.at(-1))`;
  const lines: string[] = [];
  openInBrowser(URL, { FILE: file }, (line) => lines.push(line), [process.execPath, '-e', script]);
  const read = () => {
    try {
      return readFileSync(file, 'utf8');
    } catch {
      return '';
    }
  };
  expect(await until(read)).toBe(URL);
  expect(lines).toEqual([]);
});

test.each([
  ['is missing', ['/nowhere/xdg-open'], /^Cannot open a browser: .*ENOENT/],
  ['fails', [process.execPath, '-e', 'process.exit(3)'], /^Cannot open a browser: .* ended with exit code 3\. /],
] as const)('a program that %s is one line', async (_, opener, expected) => {
  const lines: string[] = [];
  openInBrowser(URL, {}, (line) => lines.push(line), opener as never);
  await until(() => lines.length > 0);
  expect(lines).toEqual([expect.stringMatching(expected)]);
});
