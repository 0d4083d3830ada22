import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { repositoryRoot } from '../../infra/repository.ts';
import { installManifest } from './installed.ts';

let directory: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'flagwire-installed-'));
});
afterEach(() => rmSync(directory, { recursive: true, force: true }));

function write(dependencies: Record<string, string>, version = '1.0.0'): void {
  const manifest = { name: 'of-a-test', version, dependencies };
  writeFileSync(join(directory, 'package.json'), JSON.stringify(manifest));
  const lock = { name: 'of-a-test', version, lockfileVersion: 3, requires: true, packages: { '': { ...manifest } } };
  writeFileSync(join(directory, 'package-lock.json'), JSON.stringify(lock));
}

async function install(): Promise<number> {
  const lines: string[] = [];
  await installManifest(relative(repositoryRoot, directory), (line) => lines.push(line));
  return lines.length;
}

test('packages are installed once, and again when the lock file changes', async () => {
  write({});
  expect(await Promise.all([install(), install()])).toContain(0);
  expect(await install()).toBe(0);
  write({}, '2.0.0');
  expect(await install()).toBeGreaterThan(0);
});

test('the error of a failed installation contains the message of npm', async () => {
  write({ missing: '1.0.0' });
  await expect(install()).rejects.toThrow(/could not install the packages of .*missing/s);
  await expect(install()).rejects.toThrow(/could not install/);
});
