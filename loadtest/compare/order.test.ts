import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { Command } from 'commander';
import { addCompare } from './command.ts';
import { continueCommand, requireSameOrder } from './order.ts';

let directory: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'flagwire-order-'));
});
afterEach(() => rmSync(directory, { recursive: true }));

const host = { target: ['host'], fullRuns: 10, minutes: 120 };

test('the command that continues a comparison has all its options', () => {
  expect(continueCommand(host, 'dist/a b')).toBe(
    "npm run loadtest -- compare --target host --full-runs 10 --minutes 120 --out 'dist/a b' --resume",
  );
  const all = { target: ['host', 'fargate'], rates: [10, 20], runs: 2, quick: true, minutes: 30 };
  expect(continueCommand(all, 'out')).toBe(
    'npm run loadtest -- compare --target host,fargate --quick --rates 10,20 --runs 2 --minutes 30 --out out --resume',
  );
});

test('a design keeps its number of runs of full length, and others may be added', () => {
  const order = (options: typeof host) => () => requireSameOrder(directory, options, 'a machine');
  order(host)();
  order({ ...host, target: ['fargate'], fullRuns: 1 })();
  expect(order(host)).not.toThrow();
  expect(order({ ...host, fullRuns: 1 })).toThrow('"fullRuns":{"host":1');
  expect(order({ ...host, target: ['host', 'fargate'] })).toThrow('Choose another --out');
});

test('an order without numbers of runs can be continued, but not on another machine', () => {
  const order = { form: 'full', rates: [1_000, 1_100, 1_200], machine: 'a machine' };
  writeFileSync(join(directory, 'order.json'), JSON.stringify(order));
  expect(() => requireSameOrder(directory, host, 'another machine')).toThrow('another machine');
  expect(() => requireSameOrder(directory, host, 'a machine')).not.toThrow();
});

test('refuses several runs of full length in a quick comparison', () => {
  const program = new Command().exitOverride().configureOutput({ writeErr: () => {} });
  addCompare(program, async () => {});
  for (const command of program.commands) command.exitOverride().configureOutput({ writeErr: () => {} });
  const args = ['compare', '--quick', '--full-runs', '3'];
  expect(() => program.parse(args, { from: 'user' })).toThrow("'--quick' cannot be used with option '--full-runs <n>'");
});
