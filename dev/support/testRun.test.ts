import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { RunningProcess } from './runningProcess.ts';

const script = `
const { noteSkipped, runFolder } = await import(${JSON.stringify(join(import.meta.dirname, 'testRun.ts'))});
const { spawnSync } = await import('node:child_process');
const [, , part] = process.argv;
console.log('folder ' + runFolder());
noteSkipped('test file', 'there is no zsh');
noteSkipped('test file', 'there is no go');
noteSkipped('check', 'there is no go');
if (!part) spawnSync(process.execPath, [...process.execArgv, '--', 'part', 'part'], { stdio: 'inherit' });
`;

test('the process that begins a run prints at its exit what all processes skipped', async () => {
  const { TEST_RUN_FOLDER, ...environment } = process.env;
  const child = new RunningProcess([process.execPath, '--input-type=module', '--eval', script], { environment });
  expect(await child.ended).toBe(0);
  const lines = child.output.trim().split('\n');
  expect(lines.filter((line) => line.startsWith('skipped'))).toEqual([
    'skipped: 2 test files: there is no zsh',
    'skipped: 2 test files: there is no go',
    'skipped: 2 checks: there is no go',
  ]);
  const folders = lines.filter((line) => line.startsWith('folder')).map((line) => line.split(' ')[1] ?? '');
  expect(folders).toEqual([folders[0], folders[0]]);
  expect(existsSync(folders[0] ?? '')).toBe(false);
});
