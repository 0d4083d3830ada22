import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { keptDirectory } from './cacheDirectory.ts';

let cache: string;
let source: string;
let made: string[];
beforeEach(() => {
  cache = mkdtempSync(join(tmpdir(), 'flagwire-kept-'));
  source = join(cache, 'requirements.txt');
  writeFileSync(source, 'one');
  made = [];
});
afterEach(() => rmSync(cache, { recursive: true }));

const make = async (directory: string) => {
  made.push(directory);
  mkdirSync(directory);
  await sleep(50);
};

test('a directory is made once for all who want it at the same time, and again for another source', async () => {
  const all = await Promise.all([1, 2, 3].map(() => keptDirectory('tool', source, make, cache)));
  expect(new Set(all).size).toBe(1);
  expect(made).toEqual([all[0]]);
  expect(existsSync(join(all[0] as string, 'finished'))).toBe(true);
  await keptDirectory('tool', source, make, cache);
  expect(made).toHaveLength(1);
  writeFileSync(source, 'another');
  expect(await keptDirectory('tool', source, make, cache)).not.toBe(all[0]);
  expect(readdirSync(cache).filter((name) => name.endsWith('.lock'))).toEqual([]);
});

test('a directory of several sources is made again when one of them changes', async () => {
  const more = join(cache, 'more.txt');
  writeFileSync(more, 'two');
  const directory = await keptDirectory('tool', [source, more], make, cache);
  expect(await keptDirectory('tool', [source, more], make, cache)).toBe(directory);
  writeFileSync(more, 'three');
  expect(await keptDirectory('tool', [source, more], make, cache)).not.toBe(directory);
});

test('the next process repeats work that failed or that an ended process left', async () => {
  await expect(keptDirectory('tool', source, () => Promise.reject(new Error('no network')), cache)).rejects.toThrow(
    'no network',
  );
  const directory = await keptDirectory('tool', source, make, cache);
  rmSync(directory, { recursive: true });
  writeFileSync(join(cache, `${basename(directory)}.lock`), String(spawnSync(process.execPath, ['--version']).pid));
  expect(await keptDirectory('tool', source, make, cache)).toBe(directory);
  expect(made).toHaveLength(2);
});
