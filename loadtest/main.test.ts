import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';

let directory: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'flagwire-loadtest-'));
});
afterEach(() => rmSync(directory, { recursive: true }));

const AWAY = ['--target', 'ws://127.0.0.1:9'];

test.each([
  ['a target that is down', [...AWAY, '--client-key', 'x'], 4, 'Is the target running?'],
  ['a target without a key', AWAY, 2, '--client-key'],
])('%s ends the load test before it installs or starts anything', (_, args, code, message) => {
  const { status, stderr } = spawnSync(
    process.execPath,
    [join(import.meta.dirname, 'main.ts'), 'reference', '--rates', '10', '--quick', '--out', 'now', ...args],
    { cwd: directory, encoding: 'utf8' },
  );
  expect(stderr).toContain(message);
  expect(stderr).not.toMatch(/installing|starting the target/);
  expect(status).toBe(code);
});
