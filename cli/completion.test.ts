import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { describeWith } from '../dev/support/jest/describeWith.ts';
import { program } from '../dev/support/requirement.ts';
import { until } from '../shared/testing/until.ts';
import { TestCli } from './testing/cli.ts';

let cli: TestCli;
let environmentId: string;

beforeAll(async () => {
  cli = await TestCli.start();
  environmentId = (await cli.run('env', 'create', 'shop', '--json')).json.id;
  await cli.run('create', 'new-checkout');
  await cli.run('create', 'size', '--type', 'string', '--variation', 'large=L', '--variation', 'small=S');
  await cli.run('create', 'new-banner');
  await cli.run('on', 'new-banner', '--at', '+1h');
  await cli.run('segment', 'create', 'Beta', '--id', 'beta-id');
  await cli.run('segment', 'create', '$(touch injected) users', '--id', 'odd-id');
  await cli.run('segment', 'create', '--id', 'dash-id', '--', '--all');
});
afterAll(() => cli.close());

/** Bash's completions for the last word typed after `flags`. */
async function complete(...words: string[]): Promise<string[]> {
  const script = (await cli.run('completion', 'bash')).out;
  const typed = words.map((word) => `'${word}'`).join(' ');
  const asked = `COMP_WORDS=(flags ${typed}); COMP_CWORD=${words.length}; _flagwire_flags; echo "\${COMPREPLY[@]}"`;
  const { stdout, stderr } = await promisify(execFile)('bash', ['-c', `${script}\n${asked}`], { env: process.env });
  expect(stderr).toBe('');
  return stdout.split(/\s+/).filter((word) => word !== '');
}

const describeWithBash = await describeWith(program('bash'));
describeWithBash('bash completion', () => {
  test.each([
    ['commands', ['segm'], ['segment']],
    ['commands of commands', ['segment', 'rule', 'm'], ['move']],
    ['options', ['rule', 'add', 'my-flag', 'true', '--i'], ['--if']],
    ['choices of options', ['list', '--state', ''], ['on', 'off', 'archived']],
    ['choices of arguments', ['completion', 'z'], ['zsh']],
    ['keys of flags', ['on', 'new-'], ['new-checkout', 'new-banner']],
    ['keys of several flags', ['off', 'new-banner', 'new-c'], ['new-checkout']],
    ['keys behind options with values', ['toggle', '--env', 'shop', 'new-b'], ['new-banner']],
    ['no key where a variation is expected', ['target', 'new-banner', 'new-'], []],
    ['variations of the flag', ['target', 'size', 'l'], ['large']],
    ['variations of the flag behind options', ['variation', 'edit', '--env', 'shop', 'size', ''], ['large', 'small']],
    ['variations where shares are expected', ['rule', 'add', 'size', 's'], ['small']],
    ['the variation of an option', ['off', 'size', '--serve', 'sm'], ['small']],
    ['names of segments', ['segment', 'include', 'Be'], ['Beta']],
    ['ids of segments', ['segment', 'show', 'o'], ['odd-id']],
    ['no name that is an option', ['segment', 'show', ''], ['Beta', 'dash-id', 'odd-id']],
    ['flags with plans', ['plan', 'abort', 'new-'], ['new-banner']],
    ['names of environments', ['env', 'use', 'sh'], ['shop']],
    ['the value of --env', ['on', '--env', 's'], ['shop']],
  ])('offers %s', async (_, words, expected) => {
    // Names are not offered if finding them takes too long. Then a user presses Tab again.
    const offered = await until(
      () => complete(...words),
      (names) => names.length > 0 || expected.length === 0,
    );
    expect(offered.toSorted()).toEqual(expected.toSorted());
  });

  test('offers ids of environments', async () => {
    const begun = ['env', 'diff', 'shop', environmentId.slice(0, 8)];
    const offered = await until(
      () => complete(...begun),
      (names) => names.length > 0,
    );
    expect(offered).toEqual([environmentId]);
  });

  test('offers and prints nothing without such an environment', async () => {
    expect(await complete('on', '--env', 'nowhere', 'new-')).toEqual([]);
    expect(await cli.run('complete-names', 'flags', '--env', 'nowhere')).toEqual({ code: 0, out: '', err: '' });
  });

  test('offers flags in other folders too', async () => {
    const script = (await cli.run('completion', 'bash')).out;
    const { stdout } = await promisify(execFile)('bash', ['-c', `${script}\nflags --help`], { cwd: cli.directory });
    expect(stdout).toContain('Usage: flags <command> [options]');
  });
});

test('offers at most 1,000 names, after a filter by the begun word', async () => {
  await cli.run('env', 'create', 'large');
  const flag = (await cli.run('show', 'new-banner', '--env', 'shop', '--json')).json;
  const keys = Array.from({ length: 1_001 }, (_, n) => `flag-${n}`);
  const file = join(cli.directory, 'flags.json');
  writeFileSync(file, JSON.stringify(keys.map((key) => ({ ...flag, key }))));
  expect(await cli.run('import', file, '--env', 'large')).toMatchObject({ code: 0 });
  const namesOf = async (begin: string) =>
    (await cli.run('complete-names', 'flags', begin, '--env', 'large')).out.split('\n');
  expect(await namesOf('')).toHaveLength(1_000);
  expect((await namesOf('flag-1000')).toSorted()).toEqual(['flag-1000']);
});

const describeWithZsh = await describeWith(program('zsh'));

/** Types a line and a Tab in a zsh of its own, and waits until its terminal shows the completed line. */
async function tabInZsh(typed: string, completed: string): Promise<string> {
  const script = join(cli.directory, 'completion.zsh');
  writeFileSync(script, (await cli.run('completion', 'zsh')).out);
  const startup = [`cd ${cli.directory}`, `source ${script}`, 'PS1=ready:'].join('\n');
  writeFileSync(join(cli.directory, '.zshrc'), startup);
  const terminal = `zmodload zsh/zpty
zpty shell zsh -i
zpty -r shell shown '*ready:*'
zpty -w -n shell ${`$'${typed}\\t'`}
zpty -r shell shown '*${completed}*'
print -r -- "$shown"`;
  const env = { ...process.env, ZDOTDIR: cli.directory, TERM: 'dumb' };
  const { stdout } = await promisify(execFile)('zsh', ['-fc', terminal], { env, timeout: 20_000 });
  return stdout;
}

describeWithZsh('zsh completion', () => {
  test.each([
    ['commands', 'flags segment ru', 'flags segment rule'],
    ['choices of options', 'flags list --state of', 'flags list --state off'],
    ['keys of flags', 'flags on --env shop new-c', 'flags on --env shop new-checkout'],
    ['the value of --env', 'flags on --env sho', 'flags on --env shop'],
  ])('offers %s', async (_, typed, completed) => {
    expect(await tabInZsh(typed, completed)).toContain(completed);
  });
});

test('prints a script for zsh without an alias, and refuses other shells', async () => {
  const { out } = await cli.run('completion', 'zsh');
  expect(out).toContain('bashcompinit');
  // zsh replaces an alias before it completes, and would complete npm.
  expect(out).not.toContain('alias');
  expect((await cli.run('completion', 'fish')).code).toBe(2);
  expect((await cli.run('--help')).out).not.toContain('complete-names');
});
