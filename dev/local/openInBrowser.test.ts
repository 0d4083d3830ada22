import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from '@jest/globals';
import { until } from '../../shared/testing/until.ts';
import { forwardingPage, openerOf, openInBrowser } from './openInBrowser.ts';

const ADDRESS = 'http://127.0.0.1:5100/console/';
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
  openInBrowser(ADDRESS, { FILE: file }, (line) => lines.push(line), [process.execPath, '-e', script]);
  const read = () => {
    try {
      return readFileSync(file, 'utf8');
    } catch {
      return '';
    }
  };
  expect(await until(read)).toBe(ADDRESS);
  expect(lines).toEqual([]);
});

test('a page of mode 0600 forwards to a URL with a token, which its own address does not contain', () => {
  const url = `${ADDRESS}#token=secret`;
  const page = new URL(forwardingPage(directory, url));
  expect(page.href).not.toContain('secret');
  expect(readFileSync(page, 'utf8')).toContain(`content="0;url=${url}"`);
  expect(statSync(page).mode & 0o777).toBe(0o600);
});

test.each([
  ['is missing', ['/nowhere/xdg-open'], /^Cannot open a browser: .*ENOENT/],
  ['fails', [process.execPath, '-e', 'process.exit(3)'], /^Cannot open a browser: .* ended with exit code 3\. /],
] as const)('a program that %s is one line', async (_, opener, expected) => {
  const lines: string[] = [];
  openInBrowser(ADDRESS, {}, (line) => lines.push(line), opener as never);
  await until(() => lines.length > 0);
  expect(lines).toEqual([expect.stringMatching(expected)]);
});
