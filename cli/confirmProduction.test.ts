import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import type { Command } from 'commander';
import { CommandMaker } from './command.ts';
import { createProgram } from './program.ts';
import { TestCli } from './testing/cli.ts';

/** Commands that change no existing environment. */
const HARMLESS = [
  'alarm',
  'list',
  'show',
  'evaluate',
  'help',
  'history',
  'export',
  'completion',
  'complete-names',
  'segment list',
  'segment show',
  'env create',
  'env list',
  'env use',
  'env show',
  'env clone',
  'env diff',
  'env access',
  'secret list',
  'relay list',
  'plan list',
  'plan show',
  'push-status',
  'stale',
  'tail',
  'usage',
];

/** A command line of each command that changes flags or segments. Their history takes a reason. */
const DOCUMENT_CHANGES: Readonly<Record<string, readonly string[]>> = {
  create: ['new'],
  toggle: ['f'],
  on: ['f'],
  off: ['f'],
  archive: ['f'],
  restore: ['f'],
  delete: ['f'],
  duplicate: ['f', 'g'],
  copy: ['f', '--from', 'other', '--to', 'shop'],
  rename: ['f', 'F'],
  describe: ['f', 'text'],
  tag: ['f', '--tag', 'web'],
  untag: ['f', '--tag', 'web'],
  'variation add': ['text', 'c'],
  'variation edit': ['text', 'a', '--value', 'd'],
  'variation remove': ['text', 'b'],
  'rule add': ['f', 'true', '--if', 'plan = pro'],
  'rule edit': ['f', 'Rule 1', '--name', 'Staff'],
  'rule move': ['f', 'Rule 1', '1'],
  'rule remove': ['f', 'Rule 1'],
  rollout: ['f', 'true=10', 'false=90'],
  target: ['f', 'true', 'ann'],
  untarget: ['f', 'ann'],
  'segment create': ['other'],
  'segment rename': ['Beta', 'Gamma'],
  'segment describe': ['Beta', 'text'],
  'segment include': ['Beta', 'ann'],
  'segment exclude': ['Beta', 'ann'],
  'segment remove': ['Beta', 'ann'],
  'segment archive': ['Beta'],
  'segment delete': ['Beta'],
  'segment restore': ['Beta'],
  'segment rule add': ['Beta', '--if', 'plan = pro'],
  'segment rule edit': ['Beta', 'Rule 1', '--name', 'Staff'],
  'segment rule move': ['Beta', 'Rule 1', '1'],
  'segment rule remove': ['Beta', 'Rule 1'],
  'plan create': ['f', '--variation', 'true', '--step', '10%@+1h'],
  undo: ['VERSION'],
  import: ['FILE'],
};

/** A command line of each command that changes an environment in another way. */
const OTHER_CHANGES: Readonly<Record<string, readonly string[]>> = {
  'env keep-history': ['30'],
  'env rename': ['market'],
  'env mark': ['--production', 'off'],
  'env require-reason': ['on'],
  'env delete': ['shop'],
  'secret create': ['mobile', '--type', 'client'],
  'secret rotate': ['Server Key'],
  'secret revoke': ['Server Key'],
  'relay create': ['agents', 'shop'],
  'relay revoke': ['RELAY'],
  'plan resume': ['f'],
  'plan skip': ['f'],
  'plan abort': ['f'],
  tier: ['gateway'],
};

function leavesOf(command: Command, path: readonly string[] = []): (readonly [string, Command])[] {
  if (command.commands.length === 0) return [[path.join(' '), command]];
  return command.commands.flatMap((child) => leavesOf(child, [...path, child.name()]));
}

const quiet = { out: () => {}, err: () => {} };
const leaves = leavesOf(createProgram(quiet, new CommandMaker(quiet, [])));

test('takes --yes and --no-input in each change, and --reason if the history has it', () => {
  const known = [...HARMLESS, ...Object.keys(DOCUMENT_CHANGES), ...Object.keys(OTHER_CHANGES)];
  expect(leaves.map(([path]) => path).toSorted()).toEqual(known.toSorted());
  for (const [path, command] of leaves) {
    const options = command.options.flatMap(({ long }) => long ?? []);
    const has = ['--yes', '--no-input', '--reason'].map((name) => options.includes(name));
    const isChange = !HARMLESS.includes(path);
    expect([path, ...has]).toEqual([path, isChange, isChange, path in DOCUMENT_CHANGES]);
  }
});

test('takes --env in each command that does not name environments in another way', () => {
  const without = leaves.filter(([, { options }]) => !options.some(({ long }) => long === '--env'));
  expect(without.map(([path]) => path).toSorted()).toEqual([
    'alarm',
    'completion',
    'copy',
    'env access',
    'env clone',
    'env create',
    'env delete',
    'env diff',
    'env list',
    'env use',
    'help',
    'relay create',
    'relay list',
    'relay revoke',
    'tier',
  ]);
});

describe('an environment that is marked as production', () => {
  let cli: TestCli;
  let values: Readonly<Record<string, string>>;
  beforeEach(async () => {
    cli = await TestCli.start();
    await cli.run('env', 'create', 'other');
    await cli.run('create', 'f');
    await cli.run('off', 'f');
    await cli.run('tag', 'f', '--tag', 'x');
    await cli.run('env', 'create', 'shop');
    await cli.run('env', 'use', 'shop');
    await cli.run('create', 'f');
    await cli.run('rule', 'add', 'f', 'true', '--if', 'plan = free');
    await cli.run('create', 'text', '--type', 'string', '--variation', 'a', '--variation', 'x', '--variation', 'b');
    await cli.run('segment', 'create', 'Beta');
    await cli.run('segment', 'rule', 'add', 'Beta', '--if', 'plan = free');
    const relay = (await cli.run('relay', 'create', 'agents', 'shop', '--json')).json;
    const [{ version }] = (await cli.run('history', '--json')).json;
    const file = join(cli.directory, 'flags.json');
    writeFileSync(file, JSON.stringify([{ ...(await cli.run('show', 'f', '--json')).json, key: 'imported' }]));
    values = { VERSION: version, FILE: file, RELAY: relay.id };
    await (await cli.openService()).tiers.write({ wanted: 'host', by: 'ann', changedAt: 0, revision: 1 });
    await cli.run('env', 'mark', '--production', 'on');
  });
  afterEach(() => cli.close());

  const content = async () => {
    const parts = [];
    for (const line of ['export', 'history --json', 'env show --json', 'relay list --json']) {
      parts.push((await cli.run(...line.split(' '))).out);
    }
    return parts;
  };

  test('is not changed without a terminal, unless --yes says so', async () => {
    const before = await content();
    for (const [path, args] of Object.entries({ ...DOCUMENT_CHANGES, ...OTHER_CHANGES })) {
      const line = [...path.split(' '), ...args.map((arg) => values[arg] ?? arg)];
      const { code, err } = await cli.run(...line);
      const expected =
        path === 'env delete' ? /repeat the command with --yes$/ : /"shop" is marked as production; .* Add --yes/;
      expect([path, code, err]).toEqual([path, 1, expect.stringMatching(expected)]);
      expect([path, err]).toEqual([path, expect.not.stringMatching(/importing|new (flag|segment)|Switch/)]);
    }
    expect(await content()).toEqual(before);
    expect((await cli.run('on', 'f', '--yes')).out).toMatch(/^✓ f is on/);
  });

  test('is changed on a terminal once its name is typed, and asked for once a command', async () => {
    const question = 'This is a production environment. Type “shop” to confirm: ';
    cli.typed = 'other';
    expect(await cli.run('on', 'f')).toMatchObject({ code: 1, err: 'error: that is not “shop”; nothing was changed' });
    cli.typed = ' shop';
    expect((await cli.run('on', 'f')).out).toMatch(/^✓ f is on/);
    expect(cli.questions).toEqual([question, question]);
  });

  test('shows what a copy changes before the question', async () => {
    cli.typed = 'other';
    const { err } = await cli.run('copy', 'f', '--from', 'other', '--to', 'shop');
    expect(err).toMatch(/\nflag "f" Rule “Rule 1”: .*\nerror: that is not “shop”; nothing was changed$/);
  });

  test('is never asked about with --no-input, nor where nothing is written', async () => {
    cli.typed = 'shop';
    expect((await cli.run('on', 'f', '--no-input')).err).toContain('Add --yes');
    expect((await cli.run('env', 'delete', 'other', '--no-input')).err).toMatch(/repeat the command with --yes$/);
    expect((await cli.run('env', 'delete', 'other', '--no-input', '--yes')).code).toBe(0);
    expect((await cli.run('import', values['FILE'] ?? '', '--dry-run')).code).toBe(0);
    expect((await cli.run('on', 'f', '--no-input', '--yes')).code).toBe(0);
    expect((await cli.run('undo', '--no-input')).err).toContain('name the change to undo');
    expect((await cli.run('env', 'clone', 'shop', 'copy')).code).toBe(0);
    expect((await cli.run('off', 'f', '--env', 'copy')).code).toBe(0);
    expect(cli.questions).toEqual([]);
  });
});

describe('an environment that requires a reason', () => {
  let cli: TestCli;
  beforeEach(async () => {
    cli = await TestCli.start();
    await cli.run('env', 'create', 'shop');
    await cli.run('create', 'f');
    expect((await cli.run('env', 'require-reason', 'on')).out).toMatch(/^✓ changes in "shop" require a reason/);
  });
  afterEach(() => cli.close());

  test('is not changed without one where nobody can be asked', async () => {
    const refused = {
      code: 2,
      err: expect.stringContaining(
        '"shop" requires a reason for each change; nothing was changed. Add --reason <text>',
      ),
    };
    const rollout = ['plan', 'create', 'f', '--variation', 'false', '--step', '10%@+1h'];
    for (const line of [['on', 'f'], ['on', 'f', '--at', '+1h'], ['on', 'f', '--reason', ' '], rollout]) {
      expect(await cli.run(...line)).toMatchObject(refused);
    }
    const [{ version }] = (await cli.run('history', '--json')).json;
    expect(await cli.run('undo', version)).toMatchObject(refused);
    cli.typed = 'launch';
    expect(await cli.run('on', 'f', '--no-input')).toMatchObject(refused);
    expect((await cli.run('on', 'f', '--reason', 'launch')).code).toBe(0);
    expect((await cli.run('secret', 'create', 'mobile', '--type', 'client')).code).toBe(0);
  });

  test('asks for it once on a terminal, and keeps it in the history', async () => {
    cli.typed = ' launch ';
    expect((await cli.run('on', 'f')).code).toBe(0);
    expect(cli.questions).toEqual(['Reason for the change in “shop”: ']);
    const [{ command }] = (await cli.run('history', '--json')).json;
    expect(command).toBe('on f (launch)');
    for (const [typed, why] of [
      ['', 'no reason was given'],
      ['x'.repeat(201), 'the reason has more than 200 characters'],
    ] as const) {
      cli.typed = typed;
      expect(await cli.run('off', 'f')).toMatchObject({ code: 1, err: `error: ${why}; nothing was changed` });
    }
  });

  test('shows the setting, which takes on or off', async () => {
    expect((await cli.run('env', 'show')).out).toContain('requires reasons');
    expect((await cli.run('env', 'require-reason', 'maybe')).code).toBe(2);
    expect((await cli.run('env', 'require-reason', 'off')).out).toContain('need no reason');
    expect((await cli.run('on', 'f')).code).toBe(0);
  });
});
