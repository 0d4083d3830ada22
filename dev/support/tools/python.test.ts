import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { ministack } from '../../verify/e2e/emulator.ts';
import { pythonEnvironment } from './python.ts';

let directory: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'flagwire-python-'));
});
afterEach(() => rmSync(directory, { recursive: true, force: true }));

/** A command in place of Python: a shell script. */
function pretendPython(script: string): string {
  const path = join(directory, 'python3');
  writeFileSync(path, `#!/bin/sh\n${script}\n`, { mode: 0o755 });
  return path;
}

const silent = () => undefined;

describe('the Python environment', () => {
  test('says what to do when there is no Python', async () => {
    const made = pythonEnvironment(ministack, silent, { python: join(directory, 'nowhere'), cache: directory });
    await expect(made).rejects.toThrow(/there is no .*nowhere on the path: install Python 3\.10 or newer/);
  });

  test('says what to do when Python is too old', async () => {
    const made = pythonEnvironment(ministack, silent, { python: pretendPython('exit 1'), cache: directory });
    await expect(made).rejects.toThrow(/older than 3\.10: install Python 3\.10/);
  });

  test('says what to do when its venv module is missing, and tells what Python said', async () => {
    const python = pretendPython('[ "$2" = venv ] && { echo "no ensurepip here" >&2; exit 1; }; exit 0');
    const made = pythonEnvironment(ministack, silent, { python, cache: directory });
    await expect(made).rejects.toThrow(/install its venv module.*python3-venv.*no ensurepip here/);
  });

  test('is made once, and again after a try that did not come to its end', async () => {
    const calls = join(directory, 'calls');
    const install = `echo "$@" >> ${calls}; [ -f ${join(directory, 'offline')} ] && { echo no index >&2; exit 1; }; exit 0`;
    const python = pretendPython(
      `[ "$2" = venv ] && { mkdir -p "$3/bin"; printf '%s\\n' '#!/bin/sh' '${install}' > "$3/bin/python"; chmod 755 "$3/bin/python"; }; exit 0`,
    );
    const cache = join(directory, 'cache');
    writeFileSync(join(directory, 'offline'), '');
    await expect(pythonEnvironment(ministack, silent, { python, cache })).rejects.toThrow(
      /pip could not install .*no index/,
    );
    rmSync(join(directory, 'offline'));
    const commands = await pythonEnvironment(ministack, silent, { python, cache });
    expect(await pythonEnvironment(ministack, silent, { python, cache })).toBe(commands);
    expect(readFileSync(calls, 'utf8').trim().split('\n')).toHaveLength(2);
  });
});

test('every requirement is pinned to one version', () => {
  const lines = readFileSync(ministack.requirements, 'utf8').split('\n');
  const requirements = lines.filter((line) => line !== '' && !line.startsWith('#'));
  expect(requirements).toContain('ministack==1.5.33');
  expect(requirements).toHaveLength(17);
  for (const line of requirements) expect(line).toMatch(/^[A-Za-z0-9_.-]+==[0-9][0-9a-z.]*$/);
});
