import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { shopDocuments } from '../dev/local/shop.ts';
import { CommandMaker } from './command.ts';
import EXAMPLES from './examples.json' with { type: 'json' };
import { leavesOf, pathOf } from './help.ts';
import { createProgram } from './program.ts';
import { TestCli } from './testing/cli.ts';

let cli: TestCli;
beforeAll(async () => {
  cli = await TestCli.start();
});
afterAll(() => cli.close());

const quiet = { out: () => {}, err: () => {} };
const program = createProgram(quiet, new CommandMaker(quiet, []));
const paths = leavesOf(program).map(pathOf);

/** The words of an example, as a shell reads single quotes. */
const wordsOf = (line: string) =>
  [...line.matchAll(/'([^']*)'|(\S+)/g)].map(([, quoted, plain = '']) => quoted ?? plain);

test('a repeatable option has no empty default in the help', async () => {
  const { out } = await cli.run('help', 'rule', 'add');
  expect(out).toContain('Can be repeated\n');
  expect(out).not.toContain('[])');
});

test('the first screen has at most 45 lines of at most 80 characters', async () => {
  const { out } = await cli.run('--help');
  const lines = out.split('\n');
  expect(lines.length).toBeLessThanOrEqual(45);
  expect(lines.filter((line) => line.length > 80)).toEqual([]);
  expect(await cli.run()).toMatchObject({ code: 2, out: '', err: out });
  for (const path of paths) expect(out).toContain(path.split(' ')[0]);
});

test('no line of any help is longer than a terminal of 80 columns', async () => {
  const groups = ['flags', 'targeting', 'releases', 'insight', 'environments'];
  for (const line of [...paths, ...groups]) {
    const { code, out } = await cli.run('help', ...line.split(' '));
    expect([line, code, out.split('\n').filter((each) => each.length > 80)]).toEqual([line, 0, []]);
  }
});

test('help lists the commands of a group', async () => {
  expect((await cli.run('help', 'targeting')).out).toMatch(/^Targeting:\n {2}rule {2,}rules of .*\(add,\s+edit/s);
  expect(await cli.run('help', 'targetting')).toMatchObject({
    code: 2,
    err: 'error: there is no command or group "targetting". Did you mean "targeting"?',
  });
});

test.each([
  ['diff', '"env diff"'],
  ['get', '"show"'],
  ['add', '"variation add" or "rule add" or "segment rule add"'],
  ['togle', '"toggle"'],
])('suggests for the unknown command %s, also to help', async (word, named) => {
  for (const words of [
    [word, 'x'],
    ['help', word],
  ]) {
    expect(await cli.run(...words)).toMatchObject({
      code: 2,
      err: expect.stringContaining(`. Did you mean ${named}?`),
    });
  }
});

test('suggests no command that begins with other letters, and those of a group in it', async () => {
  expect((await cli.run('help', 'bff')).err).not.toContain('mean');
  expect((await cli.run('bff')).err).not.toContain('mean');
  expect((await cli.run('env', 'dif')).err).toContain('. Did you mean "diff"?');
  expect((await cli.run('help', 'env', 'dif')).err).toContain('. Did you mean "diff"?');
  expect((await cli.run('list', '--serch', 'x')).err).toContain('Did you mean --search?');
});

test('examples have the form that the reader types', async () => {
  const shown = async () => (await cli.run('rule', 'add', '--help')).out;
  expect(await shown()).toMatch(/\nExamples:\n {2}npm run flags -- rule add new-checkout true /);
  globalThis.HAS_FLAGS_COMMAND = true;
  try {
    expect(await shown()).toMatch(/\nExamples:\n {2}flags rule add new-checkout true /);
    expect((await cli.run('--help')).out).toMatch(/^Usage: flags <.*\n {2}flags toggle new-checkout\n/s);
  } finally {
    globalThis.HAS_FLAGS_COMMAND = undefined;
  }
});

test('a wrong command line is followed by the usage of the command', async () => {
  expect(await cli.run('rule', 'add', 'a')).toMatchObject({
    code: 2,
    err: [
      "error: missing required argument 'shares'",
      'Usage: npm run flags -- rule add <flag> <shares...> [options]',
      'Options and examples: npm run flags -- help rule add',
    ].join('\n'),
  });
});

test('each command has an example', () => {
  const missing = paths.filter((path) => !EXAMPLES.some((each) => each === path || each.startsWith(`${path} `)));
  expect(missing).toEqual([]);
});

/** They need a running service, a repository, or somebody who stops them. */
const NOT_RUN = ['tail', 'alarm', 'push-status', 'usage', 'stale', 'tier', 'relay revoke'];

test('each example works in the shop of npm start', async () => {
  const store = await cli.openService();
  const { development, production } = shopDocuments();
  for (const [name, documents] of Object.entries({ development, production })) {
    const { environment } = await store.environments.create(name);
    await store.documents.import(environment.id, documents);
  }
  writeFileSync(
    join(cli.directory, 'flags.yaml'),
    'beta:\n  variations: { on: true, off: false }\n  defaultRule: { variation: on }\n',
  );
  process.env['FLAGWIRE_ENV'] = 'development';
  cli.typed = 'y';
  try {
    for (const example of EXAMPLES) {
      if (NOT_RUN.some((path) => `${example} `.startsWith(`${path} `))) continue;
      const { code, err } = await cli.run(...wordsOf(example));
      // Environments that differ are what the example of `env diff` shows.
      expect([example, code, err.match(/error: .*/)?.[0]]).toEqual([
        example,
        example.startsWith('env diff') ? 1 : 0,
        undefined,
      ]);
    }
  } finally {
    delete process.env['FLAGWIRE_ENV'];
  }
});
