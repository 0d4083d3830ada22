import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { goProgram, goProgramWith } from './go.ts';

let directory: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'flagwire-go-'));
  for (const name of ['main.go', 'go.mod', 'go.sum']) writeFileSync(join(directory, name), name);
});
afterEach(() => rmSync(directory, { recursive: true, force: true }));

const silent = () => undefined;

/** A command in place of Go: a shell script. */
function pretendGo(script: string): string {
  const path = join(directory, 'go');
  writeFileSync(path, `#!/bin/sh\n${script}\n`, { mode: 0o755 });
  return path;
}

test('the program is built once, and again when its source or its modules are others', async () => {
  const calls = join(directory, 'calls');
  const options = { go: pretendGo(`echo "$@" >> ${calls}`), cache: directory };
  const program = await goProgram(directory, silent, options);
  expect(await goProgram(directory, silent, options)).toBe(program);
  const built = ['version', 'mod download', `build -buildvcs=false -o ${program} .`, 'version'];
  expect(readFileSync(calls, 'utf8').trim().split('\n')).toEqual(built);
  for (const name of ['main.go', 'go.mod', 'go.sum']) {
    const before = await goProgram(directory, silent, options);
    writeFileSync(join(directory, name), 'changed');
    expect(await goProgram(directory, silent, options)).not.toBe(before);
  }
});

test('a program with the SDK of a clone is built once, and again when the clone is another', async () => {
  const calls = join(directory, 'calls');
  const options = { go: pretendGo(`echo "$@" >> ${calls}; cat go.mod >> ${calls}`), cache: directory };
  writeFileSync(join(directory, 'evaluation_functions.go'), '');
  const program = await goProgramWith(directory, directory, options);
  expect(await goProgramWith(directory, directory, options)).toBe(program);
  expect(readFileSync(calls, 'utf8').match(/^(mod tidy|build|replace).*/gm)).toEqual([
    ...['mod tidy', `replace github.com/featbit/featbit-go-sdk => ${directory}`],
    ...['build -buildvcs=false -o program .', `replace github.com/featbit/featbit-go-sdk => ${directory}`],
  ]);
  writeFileSync(join(directory, 'evaluation_functions.go'), 'changed');
  expect(await goProgramWith(directory, directory, options)).not.toBe(program);
});

test('without Go it says what to install', async () => {
  const built = goProgram(directory, silent, { go: join(directory, 'nowhere'), cache: directory });
  await expect(built).rejects.toThrow(/there is no .*nowhere on the path: install Go 1\.26 or newer/);
});

test('the reason why Go cannot build is in the message', async () => {
  const go = pretendGo('echo "missing go.sum entry" >&2; exit 1');
  const built = goProgram(directory, silent, { go, cache: directory });
  await expect(built).rejects.toThrow(/check that it reaches its module proxy.*missing go\.sum entry/);
});
