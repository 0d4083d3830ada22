import { stripVTControlCharacters } from 'node:util';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { TestCli } from '../testing/cli.ts';

let cli: TestCli;
beforeAll(async () => {
  cli = await TestCli.start();
  for (const line of [
    ['env', 'create', 'shop'],
    ['create', 'new-checkout', '--name', 'New checkout', '--tag', 'web', '--on'],
    ['rule', 'add', 'new-checkout', 'true', '--name', 'Pro', '--if', 'plan = pro'],
    ['target', 'new-checkout', 'false', 'ann', 'bob'],
    ['rollout', 'new-checkout', 'true=25', 'false=75'],
  ])
    expect(await cli.run(...line)).toMatchObject({ code: 0 });
});
afterAll(() => cli.close());

/** The output without colors, which Jest asks for. */
const textOf = async (...line: string[]) => stripVTControlCharacters((await cli.run(...line)).out);

test('shows a flag in words', async () => {
  const out = await textOf('show', 'new-checkout');
  const lines = out.split('\n');
  expect(lines.slice(0, 8)).toEqual([
    'flag          state  type     tags  name',
    'new-checkout  on     boolean  web   New checkout',
    'serves: false for 2 users, true for Pro, else true 25 %, false 75 %',
    'target: false to ann, bob',
    'rules, in order:',
    'rule  name  if          serves',
    '1     Pro   plan = pro  true',
    'default rule: true 25 %, false 75 %',
  ]);
  expect(out).toMatch(/last change:\n {2}\S+ \d\d:\d\d {2}.*\n {2} {2}.*rollout new-checkout true=25 false=75/);
});

test('shows a segment in words, with the flags that use it', async () => {
  for (const line of [
    ['segment', 'create', 'Beta', '--id', 'beta'],
    ['segment', 'describe', 'Beta', 'First users'],
    ['segment', 'include', 'Beta', 'ann', 'bob'],
    ['segment', 'exclude', 'Beta', 'eve'],
    ['segment', 'rule', 'add', 'Beta', '--name', 'Staff', '--if', 'role = staff'],
    ['create', 'banner'],
    ['rule', 'add', 'banner', 'true', '--if', 'in segment Beta'],
  ])
    expect(await cli.run(...line)).toMatchObject({ code: 0 });
  const lines = (await textOf('segment', 'show', 'Beta')).split('\n');
  expect(lines.slice(0, 9)).toEqual([
    'segment  state   id',
    'Beta     active  beta',
    'First users',
    'includes: ann, bob',
    'excludes: eve',
    'rules, one must match:',
    'rule  name   if',
    '1     Staff  role = staff',
    'used by: banner',
  ]);
  expect(lines.join('\n')).toMatch(/last change:\n.*\n.*segment rule add Beta/);
});

test.each(['show new-checkout', 'segment show Beta', 'env show'])(
  'writes the same text into a pipe as into a terminal: %s',
  async (line) => {
    const piped = await textOf(...line.split(' '));
    const { isTTY, columns } = process.stdout;
    Object.assign(process.stdout, { isTTY: true, columns: 300 });
    try {
      expect(await textOf(...line.split(' '))).toBe(piped);
    } finally {
      Object.assign(process.stdout, { isTTY, columns });
    }
  },
);

test('writes the stored flag with --json', async () => {
  expect((await cli.run('show', 'new-checkout', '--json')).json).toMatchObject({
    key: 'new-checkout',
    isEnabled: true,
  });
});

test('suggests a key that is similar', async () => {
  for (const command of ['show', 'toggle', 'archive']) {
    const { code, err } = await cli.run(command, 'new-chekout');
    expect([code, err]).toEqual([1, 'error: there is no flag "new-chekout". Did you mean "new-checkout"?']);
  }
  expect((await cli.run('rename', 'new-chekout', 'x')).err).toContain('Did you mean "new-checkout"?');
});
