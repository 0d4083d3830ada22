import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { TestCli } from './testing/cli.ts';

/**
 * Characters that control terminals (ESC, BEL, both forms of CSI, DEL), change colors, change or hide text direction, and ends
 * of cells and lines.
 */
const EVIL =
  '\u001b]0;title\u0007\u001b[2J\u009b2J\u007f\u202et\txt\u001b[31m\u2066\u200b\u2028\u{e0041}\r\ninjected line';
/** Those that the name of an environment can have. */
const UNSEEN = EVIL.replaceAll(/\p{Cc}/gu, '');
const SHOWN =
  '\\u{1b}]0;title\\u{7}\\u{1b}[2J\\u{9b}2J\\u{7f}\\u{202e}t\\u{9}xt\\u{1b}[31m\\u{2066}\\u{200b}\\u{2028}\\u{e0041}\\u{d}\\u{a}injected line';
const ACTING = /[^\P{C}\n\t]|[\p{Zl}\p{Zp}]/u;

let cli: TestCli;
beforeAll(async () => {
  cli = await TestCli.start();
  const variations = ['--variation', EVIL, '--variation', 'y'];
  for (const line of [
    ['env', 'create', `shop${UNSEEN}`],
    ['create', 'f', '--name', `a${EVIL}`, '--type', 'string', '--on', ...variations],
    ['segment', 'create', `s${EVIL}`, '--id', 's'],
    ['tag', 'f', '--tag', `t${EVIL}`],
    ['rule', 'add', 'f', 'y', '--name', `r${EVIL}`, '--if', 'country = de', '--if', 'age > 18'],
    ['secret', 'create', `mobile${EVIL}`, '--type', 'client'],
  ]) {
    expect(await cli.run(...line)).toMatchObject({ code: 0 });
  }
});
afterAll(() => cli.close());

const file = (name: string, content: string) => {
  const path = join(cli.directory, name);
  writeFileSync(path, content);
  return path;
};

const commands: Readonly<Record<string, () => string[]>> = {
  list: () => ['list'],
  show: () => ['show', 'f'],
  history: () => ['history'],
  'history of one': () => ['history', 'f'],
  'segment list': () => ['segment', 'list'],
  'env list': () => ['env', 'list'],
  'env show': () => ['env', 'show'],
  'env diff': () => ['env', 'diff', `shop${UNSEEN}`, `shop${UNSEEN}`],
  'secret list': () => ['secret', 'list'],
  'evaluate one': () => ['evaluate', 'f', '--user', `u${EVIL}`],
  'evaluate all': () => ['evaluate', '--user', 'u', '--attr', `country=${EVIL}`],
  export: () => ['export'],
  'export for flagd': () => ['export', '--to', 'flagd'],
  'an error of the store': () => ['show', EVIL],
  'an environment that is not there': () => ['list', '--env', EVIL],
  // The words of the command line itself, which commander prints.
  'a command that is not there': () => [EVIL.replace('\n', '')],
  'an import of a wrong document': () => [
    'import',
    '--from',
    'featbit',
    file('wrong.json', JSON.stringify([{ key: EVIL }])),
  ],
  'an import of what is no JSON': () => ['import', '--from', 'featbit', file('no.json', EVIL)],
  'an import with notes': () => [
    'import',
    '--from',
    'flagd',
    file('flagd.json', JSON.stringify({ flags: { [EVIL]: { state: 'ENABLED', variants: { [EVIL]: {} } } } })),
    '--dry-run',
  ],
  'a change of a name': () => ['rename', 'f', `b${EVIL}`],
};

test.each(Object.keys(commands))('nothing that a terminal acts on is written: %s', async (name) => {
  const { out, err } = await cli.run(...(commands[name]?.() ?? []));
  expect(`${out}\n${err}`).not.toMatch(ACTING);
  expect(`${out}\n${err}`).not.toMatch(/^injected/m);
  expect(`${out}${err}`).toContain('title');
});

test('names are shown with what was escaped', async () => {
  expect((await cli.run('segment', 'list')).out).toContain(`s${SHOWN}`);
  expect((await cli.run('show', EVIL)).err).toContain(SHOWN);
});

test.each(['list', 'show f', 'history', 'env list', 'export'])('JSON holds what it held: %s', async (line) => {
  const { out, json } = await cli.run(...line.split(' '), '--json');
  expect(out).not.toMatch(ACTING);
  expect(JSON.stringify(json)).toContain(JSON.stringify(line === 'env list' ? UNSEEN : EVIL).slice(1, -1));
});

test('an error is JSON with the same content', async () => {
  const { err } = await cli.run('show', EVIL, '--json');
  expect(err).not.toMatch(ACTING);
  expect(JSON.parse(err).error).toContain(EVIL);
});

test('an export without --json can be read back as it was', async () => {
  const { flags } = JSON.parse((await cli.run('export')).out);
  expect(flags[0].tags).toEqual([`t${EVIL}`]);
});
