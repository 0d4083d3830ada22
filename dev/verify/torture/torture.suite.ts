import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { ofRepository, RunningProcess } from '../../support/runningProcess.ts';
import type { Report } from './part.ts';

jest.setTimeout(300_000);

let out: string;
beforeEach(() => {
  out = mkdtempSync(join(tmpdir(), 'flagwire-torture-suite-'));
});
afterEach(() => rmSync(out, { recursive: true, force: true }));

/** Starts the command, with its figures in a folder of the test's own. */
function start(...args: string[]): RunningProcess {
  return new RunningProcess(ofRepository('dev/verify/torture/main.ts', [...args, '--out', out]), { stdout: 'ignore' });
}

test('in short, every part finds nothing on every target, and writes what it did', async () => {
  const torture = start('--inputs', '1000', '--seconds', '3', '--readers', '12');
  const code = await torture.ended;
  expect(`${torture.output}\nexit code ${code}`).toMatch(/exit code 0$/);
  const { results }: Report = JSON.parse(readFileSync(join(out, 'torture.json'), 'utf8'));
  expect(results.map(({ part, target, problems }) => [part, target, problems])).toEqual([
    ['fuzz', 'host', 0],
    ['fuzz', 'gateway', 0],
    ['linearize', 'host', 0],
    ['linearize', 'gateway', 0],
    ['linearize', 'balanced', 0],
  ]);
  for (const { part, counts } of results) {
    if (part === 'fuzz') expect(counts['inputs']).toBeGreaterThanOrEqual(1_000);
    if (part !== 'linearize') continue;
    for (const name of ['kills', 'writes', 'syncs']) expect(counts[name]).toBeGreaterThan(0);
  }
});

test('interrupted, it ends what it has started, and leaves no figures of half a run', async () => {
  const torture = start('linearize', '--target', 'host', '--seconds', '100', '--seed', '7');
  await torture.printed('linearize host, seed 7');
  expect(await torture.stop('SIGINT')).toBe(130);
  expect(existsSync(join(out, 'torture.json'))).toBe(false);
});
