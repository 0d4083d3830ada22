import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { rustProgram } from './rust.ts';

let directory: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'flagwire-rust-'));
});
afterEach(() => rmSync(directory, { recursive: true, force: true }));

const silent = () => undefined;

/** A command in place of cargo: a shell script. */
function pretendCargo(script: string): string {
  const path = join(directory, 'cargo');
  writeFileSync(path, `#!/bin/sh\n${script}\n`, { mode: 0o755 });
  return path;
}

test('the program is the one that cargo says it has built', async () => {
  const libraries = '{"reason":"compiler-artifact","executable":null}';
  const cargo = pretendCargo(`echo '${libraries}'; echo '{"executable":"/built/program"}'; echo '{"success":true}'`);
  expect(await rustProgram(directory, silent, cargo)).toBe('/built/program');
});

test('without cargo it says what to install', async () => {
  const built = rustProgram(directory, silent, join(directory, 'nowhere'));
  await expect(built).rejects.toThrow(/There is no .*nowhere on the path: install Rust 1\.95 or newer/);
});

test('the error of a failed build contains the message of cargo', async () => {
  const built = rustProgram(directory, silent, pretendCargo('echo "error: no matching package" >&2; exit 101'));
  await expect(built).rejects.toThrow(/check that it reaches its registry.*error: no matching package/);
});
