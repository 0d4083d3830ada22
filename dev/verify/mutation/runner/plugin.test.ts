import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from '@jest/globals';

const directory = mkdtempSync(join(tmpdir(), 'flagwire-mutation-'));
afterAll(() => rmSync(directory, { recursive: true }));

/** A source as Stryker would write it, with a mutant each of loading, of a hook, and of what tests call. */
const SOURCE = `
const stryker = globalThis.__stryker__;
function isMutated(id) {
  const { static: ofLoading, perTest } = (stryker.mutantCoverage ??= { static: {}, perTest: {} });
  const counts = stryker.currentTestId ? (perTest[stryker.currentTestId] ??= {}) : ofLoading;
  counts[id] = (counts[id] ?? 0) + 1;
  if (stryker.activeMutant !== id) return false;
  if (++stryker.hitCount > stryker.hitLimit) throw new Error('endless');
  return true;
}
export const base = isMutated('loading') ? 1 : 0;
export const start = () => (isMutated('hook') ? undefined : { started: true });
export const add = (a: number, b: number) => (isMutated('add') ? a - b : a + b);
export const half = (n: number) => (isMutated('half') ? n / 2 + 0 : n / 2);
let broken = false;
export const isWhole = () => !(broken ||= isMutated('lasting'));
export const later = () => {
  if (isMutated('rejection')) void Promise.reject(new Error('unhandled'));
  return true;
};
`;

const TESTS = `
import { beforeAll, describe, expect, test } from '@jest/globals';
import { add, base, half, isWhole, later, start } from './source.ts';
test('base', () => expect(base).toBe(0));
test.each([1, 2])('adds %d', (n) => expect(add(n, n)).toBe(2 * n));
test('halves', () => expect(half(2)).toBe(1));
test('is whole', () => expect(isWhole()).toBe(true));
test('later', () => expect(later()).toBe(true));
describe('started', () => {
  let state;
  beforeAll(() => { state = start(); });
  test('has started', () => expect(state.started).toBe(true));
});
`;

/** Has a new process load test files by name and run the lines, which show what is to be known of it. */
function runnerOf(files: Readonly<Record<string, string>>, lines: string): unknown[] {
  for (const [name, text] of Object.entries({ 'source.ts': SOURCE, ...files })) {
    writeFileSync(join(directory, name), text);
  }
  const script = `
    import { LoadOnceRunner } from ${JSON.stringify(join(import.meta.dirname, 'plugin.ts'))};
    const runner = new LoadOnceRunner({ loadOnce: ${JSON.stringify(Object.keys(files))} });
    const shown = [];
    const show = (value) => shown.push(value);
    let hitLimit = 100;
    const idOf = (name) => 'source.test.ts ' + name;
    const mutant = (id, ...names) => runner.mutantRun({
      activeMutant: { id }, sandboxFileName: process.cwd() + '/source.ts', disableBail: false,
      hitLimit, ...(names.length > 0 ? { mutantActivation: 'runtime', testFilter: names.map(idOf) } : { mutantActivation: 'static' }),
    });
    ${lines}
    console.log(JSON.stringify(shown));
    process.exit();
  `;
  const output = execFileSync(process.execPath, ['--input-type=module', '-e', script], {
    cwd: directory,
    env: { PATH: process.env['PATH'], FC_SEED: '1' },
    encoding: 'utf8',
  });
  return JSON.parse(output.replaceAll('source.test.ts ', ''));
}

const run = (lines: string) => runnerOf({ 'source.test.ts': TESTS }, lines);

test('the run without a mutant tells of each test, and which mutants it comes to, in hooks too', () => {
  const [tests, coverage] = run(`
    const { tests, mutantCoverage } = await runner.dryRun();
    show(tests.map(({ id, status, startPosition }) => [id, status, startPosition.line]));
    show(mutantCoverage);
  `);
  expect(tests).toEqual([
    ['base', 0, 3],
    ['adds 1', 0, 4],
    ['adds 2', 0, 4],
    ['halves', 0, 5],
    ['is whole', 0, 6],
    ['later', 0, 7],
    ['started has started', 0, 11],
  ]);
  expect(coverage).toEqual({
    static: { loading: 1 },
    perTest: {
      'adds 1': { add: 2 },
      'adds 2': { add: 2 },
      halves: { half: 2 },
      'is whole': { lasting: 2 },
      later: { rejection: 2 },
      'started has started': { hook: 2 },
    },
  });
});

test('a mutant is killed by the first test that fails, or has survived', () => {
  expect(
    run(`
      show(await mutant('half', 'halves'));
      show(await mutant('add', 'base', 'adds 1', 'adds 2'));
      show(await mutant('hook', 'started has started'));
      show(await mutant('rejection', 'later', 'halves'));
      show(await mutant('half', 'later', 'halves'));
    `),
  ).toEqual([
    { status: 'survived', nrOfTests: 1 },
    expect.objectContaining({ status: 'killed', killedBy: ['adds 1'], nrOfTests: 2 }),
    expect.objectContaining({ status: 'killed', killedBy: ['started has started'], nrOfTests: 1 }),
    expect.objectContaining({ status: 'killed', killedBy: ['later'], nrOfTests: 2 }),
    { status: 'survived', nrOfTests: 2 },
  ]);
});

test('a mutant of what runs while files are loaded is there from the beginning', () => {
  expect(run(`show(await mutant('loading'));`)).toEqual([
    expect.objectContaining({ status: 'killed', killedBy: ['base'] }),
  ]);
});

test('a mutant that is come to without end is a timeout, and the last in its process', () => {
  const [endless, next] = run(`
    hitLimit = 0;
    show(await mutant('half', 'halves'));
    await mutant('add', 'adds 1').catch(({ message }) => show(message));
  `);
  expect(endless).toEqual({ status: 'timeout' });
  expect(next).toBe('A test of the last mutant may still be running');
});

test('a test that fails without the mutant too, once that has broken something, does not count', () => {
  expect(run(`await mutant('lasting', 'is whole').catch(({ message }) => show(message));`)).toEqual([
    'Fails after the mutant too: is whole',
  ]);
});

test('tests that pass only once or that expect nothing are told of', () => {
  const tests = `
    import { expect, test } from '@jest/globals';
    let n = 0;
    test('first', () => { n++; expect(n).toBeLessThan(3); });
    test('once', () => expect(n).toBe(1));
    test('nothing', () => undefined);
  `;
  const show = 'show((await runner.dryRun()).tests.filter(({ status }) => status === 1).map(({ id }) => id));';
  expect(runnerOf({ 'source.test.ts': tests }, show)).toEqual([['once', 'nothing']]);
});

test('the tests beside the mutated source go first', () => {
  const other = `
    import { expect, test } from '@jest/globals';
    import { add } from './source.ts';
    test('adds elsewhere', () => expect(add(1, 1)).toBe(2));
  `;
  expect(
    runnerOf(
      { 'another.test.ts': other, 'source.test.ts': TESTS },
      `const { tests } = await runner.dryRun();
       const { killedBy } = await runner.mutantRun({
         activeMutant: { id: 'add' }, sandboxFileName: process.cwd() + '/source.ts',
         mutantActivation: 'runtime', testFilter: tests.map(({ id }) => id), disableBail: false,
       });
       show(killedBy);`,
    ),
  ).toEqual([['adds 1']]);
});
