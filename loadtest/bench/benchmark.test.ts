import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import { cleanEnvironment, ofRepository, RunningProcess } from '../../dev/support/runningProcess.ts';
import { BENCHMARKS, benchCommand, formatResult, progressOf, resultsFile } from './benchmark.ts';

test('formats a table with counts that must be 0, reasons of invalid runs, and notes', () => {
  const bounds = [
    { name: 'errors', measured: 2 },
    { name: 'violations', measured: 0 },
  ];
  const text = formatResult({ title: 'T', head: ['a'], rows: [['b']], bounds, invalid: ['late'], notes: ['a note'] });
  expect(text).toMatch(/✗ errors: 2 \(must be 0\)\n✓ violations: 0 \(must be 0\)\n✗ INVALID: late\na note\n$/);
});

test('says how many steps there are, and from the second on how long the others take', () => {
  let now = 0;
  const write = jest.spyOn(process.stderr, 'write').mockReturnValue(true);
  const step = progressOf(3, () => now);
  step('a');
  now = 70_000;
  step('b');
  const lines = write.mock.calls.map(([text]) => text);
  write.mockRestore();
  expect(lines).toEqual(['… 1 of 3: a\n', '… 2 of 3, about 3 min left: b\n']);
});

test('a variant of a benchmark has its own default file', () => {
  const fileOf = (...args: readonly string[]) =>
    resultsFile(benchCommand('front-door', 'results/front-door.json').parse(args, { from: 'user' }), '-2000');
  expect(fileOf()).toBe('results/front-door-2000.json');
  expect(fileOf('--out', '/tmp/mine.json')).toBe('/tmp/mine.json');
});

let cwd: string;
beforeAll(() => {
  cwd = mkdtempSync(join(tmpdir(), 'flagwire-bench-test-'));
});
afterAll(() => rmSync(cwd, { recursive: true }));

async function bench(...args: readonly string[]) {
  const options = { cwd, environment: cleanEnvironment() };
  const child = new RunningProcess(ofRepository('loadtest/bench/main.ts', args), options);
  const code = await child.ended;
  return [code, child.output] as const;
}

test('lists each benchmark in --help, and refuses an unknown or missing one', async () => {
  const [code, output] = await bench('--help');
  expect(code).toBe(0);
  for (const [name, description] of Object.entries(BENCHMARKS))
    expect(output.replace(/\s+/g, ' ')).toContain(` ${name} ${description}`);
  expect(await bench('nothing')).toEqual([2, expect.stringContaining('there is no benchmark "nothing". Give one of')]);
  expect(await bench()).toEqual([2, expect.stringContaining('no benchmark is given')]);
});

test.each(Object.keys(BENCHMARKS))('%s prints help and refuses unknown options, and starts nothing', async (name) => {
  expect(await bench(name, '--help')).toEqual([
    0,
    expect.stringContaining(`Usage: npm run bench -- ${name} [options]`),
  ]);
  expect(await bench(name, '--no-such-option')).toEqual([2, expect.stringContaining('unknown option')]);
  expect(readdirSync(cwd)).toEqual([]);
});
