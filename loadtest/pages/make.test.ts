import { EventEmitter } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { until } from '../../shared/testing/until.ts';
import { make, type Run, runIn } from './make.ts';
import { Made } from './progress.ts';

let root: string;
const write = (path: string, text: string) => writeFileSync(join(root, path), text);
const read = (path: string) => readFileSync(join(root, path), 'utf8');
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'flagwire-made-'));
  mkdirSync(join(root, 'docs'));
  mkdirSync(join(root, 'dist/one'), { recursive: true });
  write('docs/page.md', 'old');
});
afterEach(() => rmSync(root, { recursive: true }));

/** A measurement of two commands; the second of them ends with a code. */
function made(code: number | undefined, alsoGood: readonly number[] = []) {
  const ran: string[] = [];
  const run: Run = async (script, args) => {
    ran.push([script, ...args].join(' '));
    if (ran.length === 1) return 0;
    write('docs/page.md', 'new');
    write('docs/other.md', 'half');
    write('dist/figures.json', '{}');
    return code;
  };
  const commands = [['loadtest', 'push', '--out', 'dist/one'], ['report']] as const;
  return make(root, { commands, kept: { 'dist/figures.json': 'docs/a/figures.json' }, alsoGood }, run).then((why) => ({
    why,
    ran,
  }));
}

test('what succeeds is kept', async () => {
  expect(await made(0)).toEqual({ why: undefined, ran: ['loadtest push --out dist/one', 'report'] });
  expect([read('docs/page.md'), read('docs/a/figures.json')]).toEqual(['new', '{}']);
});

test.each([
  [3, 'npm run report ended with 3'],
  [undefined, 'npm run report was interrupted'],
])('what ends with %s leaves docs as they were', async (code, why) => {
  expect((await made(code)).why).toBe(why);
  expect([read('docs/page.md'), existsSync(join(root, 'docs/other.md')), existsSync(join(root, 'docs/a'))]).toEqual([
    'old',
    false,
    false,
  ]);
});

test('where a file that is to be kept is missing, docs are as they were', async () => {
  const run: Run = async () => {
    write('docs/page.md', 'new');
    write('dist/here.json', '{}');
    return 0;
  };
  const kept = { 'dist/here.json': 'docs/here.json', 'dist/gone.json': 'docs/gone.json' };
  const why = await make(root, { commands: [['report']], kept }, run);
  expect(why).toContain('dist/gone.json');
  expect([read('docs/page.md'), existsSync(join(root, 'docs/here.json'))]).toEqual(['old', false]);
});

test('a signal ends all that a command has started, and it was interrupted whatever code it ends with', async () => {
  const signals = new EventEmitter();
  const onTerm = "process.on('SIGTERM', () => { fs.writeFileSync('ended', ''); process.exit(1); })";
  write('one.js', `const fs = require('fs'); ${onTerm}; setInterval(() => {}, 1_000); fs.writeFileSync('begun', '');`);
  write('package.json', JSON.stringify({ scripts: { one: 'node one.js', other: 'exit 1' } }));
  const ended = runIn(root, signals)('one', ['--out', 'x']);
  await until(() => existsSync(join(root, 'begun')));
  signals.emit('SIGTERM', 'SIGTERM');
  expect([await ended, existsSync(join(root, 'ended'))]).toEqual([undefined, true]);
  expect(signals.listenerCount('SIGTERM')).toBe(0);
  expect(await runIn(root, signals)('other', [])).toBe(1);
});

test('a threshold that is not met leaves figures all the same', async () => {
  expect((await made(1, [1])).why).toBeUndefined();
  expect(read('docs/page.md')).toBe('new');
});

test('a campaign that was begun goes on', async () => {
  write('dist/one/campaign.json', '{}');
  expect((await made(0)).ran[0]).toBe('loadtest push --out dist/one --resume');
});

test('a campaign with a run that is not used makes that run again, once', async () => {
  const ran: string[] = [];
  const codes = [3, 0, 3, 3];
  const run: Run = async (script, args) => {
    ran.push([script, ...args].join(' '));
    write('dist/one/campaign.json', '{}');
    return codes.shift();
  };
  const commands = [['loadtest', 'push', '--out', 'dist/one']] as const;
  const again = 'loadtest push --out dist/one --resume';
  expect(await make(root, { commands }, run)).toBeUndefined();
  expect(ran).toEqual(['loadtest push --out dist/one', again]);
  expect(await make(root, { commands }, run)).toBe('npm run loadtest -- push --out dist/one ended with 3');
  expect(ran.slice(2)).toEqual([again, again]);
});

test('what was made outlives an interruption, until it begins anew', () => {
  const folder = join(root, 'dist/results');
  new Made(folder).add('one');
  new Made(folder).add('two');
  expect(new Made(folder).names).toEqual(['one', 'two']);
  new Made(folder).clear();
  expect([new Made(folder).names, existsSync(folder), existsSync(`${folder}-before/made.json`)]).toEqual([
    [],
    false,
    true,
  ]);
});
