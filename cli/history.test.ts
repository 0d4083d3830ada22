import { readFileSync, writeFileSync } from 'node:fs';
import { hostname, userInfo } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { IN_SEGMENT } from '../shared/flags/rule.ts';
import { aCondition, aFlag, aRule } from '../shared/testing/builders.ts';
import { TestCli } from './testing/cli.ts';

let cli: TestCli;

beforeEach(async () => {
  cli = await TestCli.start();
  await cli.run('env', 'create', 'shop');
});
afterEach(() => cli.close());

test('tells who changed what, from where and how; a change can be undone', async () => {
  expect((await cli.run('history')).out).toBe('there are no changes');
  await cli.run('create', 'f');
  await cli.run('on', 'f');
  await cli.run('rule', 'add', 'f', 'true', '--if', "name = it's");
  await cli.run('create', 'g');
  const { json } = await cli.run('history', 'f', '--json');
  const by = `${userInfo().username}@${hostname()}`;
  expect(json).toMatchObject([
    { by, command: `rule add f true --if 'name = it'\\''s'`, documents: [{ before: { isEnabled: true } }] },
    { by, command: 'on f', documents: [{ kind: 'flag', id: 'f', differences: ['Switch: off → on'] }] },
    { by, command: 'create f', documents: [{ before: null, differences: ['created'] }] },
  ]);
  expect((await cli.run('history', '--limit', '1')).out).toMatch(
    /^\S+ \d\d:\d\d {2}\S+@\S+\n {2}create g\n {2}created flag "g"$/,
  );
  expect((await cli.run('history', '--limit', '1', '--verbose')).out).toMatch(/^2\S+Z {2}\S+@\S+\n {2}create g\n/);
  expect((await cli.run('history', 'nothing')).out).toBe('there are no changes of "nothing"');

  const [rule, on] = json.map(({ version }: { version: string }) => version);
  expect(await cli.run('undo', on)).toMatchObject({ code: 1, err: expect.stringContaining(`flag "f" (${rule})`) });
  expect((await cli.run('undo', rule)).out).toMatch(/^✓ undid the change of \S+ \d\d:\d\d in shop; /);
  expect((await cli.run('show', 'f', '--json')).json.rules).toEqual([]);
  const [undo] = (await cli.run('history', 'f', '--json')).json;
  expect(undo).toMatchObject({ command: `undo ${rule}`, documents: [{ before: { rules: [{ name: 'Rule 1' }] } }] });
  expect((await cli.run('undo', 'yesterday')).err).toContain('is not a date and time');
});

test('undoes a segment change and its flags by the version that the change prints', async () => {
  await cli.run('segment', 'create', 'Pro', '--id', 'pro');
  await cli.run('create', 'followed');
  await cli.run('rule', 'add', 'followed', 'true', '--if', 'in segment pro');
  const { out } = await cli.run('segment', 'include', 'pro', 'ann', '--verbose');
  expect(out).toContain('updated with it: flag "followed"');
  const [, version = ''] = /\(version ([^,]+),/.exec(out) ?? [];
  expect((await cli.run('undo', version)).out).toMatch(/; changed: segment "Pro", flag "followed"$/);
  expect((await cli.run('segment', 'show', 'pro', '--json')).json.included).toEqual([]);
});

test('the result of a change of many documents names the first ones', async () => {
  const keys = Array.from({ length: 25 }, (_, n) => `f${String(n).padStart(2, '0')}`);
  await cli.run('segment', 'create', 'pro', '--id', 'pro');
  const rules = [aRule([aCondition(IN_SEGMENT, '', '["pro"]')])];
  const file = join(cli.directory, 'flags.json');
  writeFileSync(file, JSON.stringify(keys.map((key) => aFlag({ key, rules }))));
  const { out } = await cli.run('import', '--from', 'featbit', file, '--verbose');
  const first = keys.slice(0, 20).map((key) => `flag "${key}"`);
  expect((await cli.run('segment', 'include', 'pro', 'ann')).out).toMatch(
    new RegExp(`; updated with it: ${first.join(', ')} and 5 more$`),
  );
  expect(await cli.run('undo', /undo (\S+Z)/.exec(out)?.[1] ?? '')).toMatchObject({
    code: 0,
    out: expect.stringMatching(new RegExp(`; changed: ${first.join(', ')} and 5 more$`)),
  });
});

test('the history is in words, as in the console, and long values are cut', async () => {
  const { id } = (await cli.run('segment', 'create', 'Beta', '--json')).json.changes[0];
  await cli.run('create', 'price', '--type', 'string', '--variation', 'low', '--variation', 'high');
  await cli.run('on', 'price');
  await cli.run('rule', 'add', 'price', 'high', '--if', 'in segment Beta');
  await cli.run('variation', 'add', 'price', 'mid');
  await cli.run('variation', 'remove', 'price', 'mid');
  await cli.run('segment', 'include', 'Beta', ...Array.from({ length: 100 }, (_, n) => `user-${n}`));
  const { out } = await cli.run('history');
  expect(out).toContain('  flag "price" Switch: off → on');
  expect(out).toContain('  flag "price" Rule “Rule 1”: none → in segment Beta → high');
  expect(out).toContain('  flag "price" Variation “mid”: mid → none');
  expect(out).toMatch(/ {2}segment "Beta" Included users: none → user-0, user-1, .{150,200}…$/m);
  expect(out).toContain('  created segment "Beta"');
  expect(out).not.toContain('{"');
  expect(out).not.toContain(`segment "${id}"`);
});

test('says created and deleted, also of a flag with the key of a deleted one', async () => {
  await cli.run('create', 'f');
  await cli.run('delete', 'f');
  await cli.run('create', 'f', '--type', 'number', '--variation', '1');
  const [created] = (await cli.run('history', '--json')).json;
  expect(created.documents).toMatchObject([{ before: { isDeleted: true }, differences: ['created'] }]);
  await cli.run('undo', created.version);
  const lines = (await cli.run('history')).out.split('\n').filter((line: string) => line.endsWith('flag "f"'));
  expect(lines).toEqual(['deleted', 'created', 'deleted', 'created'].map((done) => `  ${done} flag "f"`));
});

test('the history names a deleted segment by its name', async () => {
  await cli.run('segment', 'create', 'Beta', '--id', 'beta-id');
  await cli.run('create', 'f');
  await cli.run('rule', 'add', 'f', 'true', '--if', 'in segment Beta');
  await cli.run('rule', 'remove', 'f', 'Rule 1');
  await cli.run('segment', 'delete', 'Beta');
  expect((await cli.run('history', 'Beta', '--json')).json).toHaveLength(2);
  const { out } = await cli.run('history');
  expect(out).toContain('  created segment "Beta"');
  expect(out).toContain('in segment Beta → true');
  expect(out).not.toContain('"beta-id"');
});

test('a reason is in the history behind the command line, also of a long one', async () => {
  await cli.run('create', 'f', '--reason', 'launch, part 1');
  await cli.run('on', '--reason=launch', 'f');
  const users = Array.from({ length: 200 }, (_, n) => `user-${n}`);
  await cli.run('target', 'f', 'true', ...users, '--reason', 'pilot');
  const commands = (await cli.run('history', '--json')).json.map(({ command }: { command: string }) => command);
  expect(commands).toEqual([
    expect.stringMatching(/^target f true user-0 user-1 .* \(pilot\)$/),
    'on f (launch)',
    'create f (launch, part 1)',
  ]);
  expect(await cli.run('off', 'f', '--reason', 'x'.repeat(201))).toMatchObject({
    code: 2,
    err: expect.stringContaining('at most 200 characters'),
  });
});

test('an export shows what the environment held at a time', async () => {
  await cli.run('create', 'f');
  const [{ version }] = (await cli.run('history', '--json')).json;
  await cli.run('rename', 'f', 'renamed');
  await cli.run('create', 'g');
  const file = join(cli.directory, 'then.json');
  expect((await cli.run('export', '--at', version, '--output', file)).out).toContain('wrote 1 flag and 0 segments');
  expect(JSON.parse(readFileSync(file, 'utf8')).flags).toMatchObject([{ key: 'f', name: 'f' }]);
  expect((await cli.run('export', '--at', 'then')).err).toContain('is not a date and time');
});

test('an environment says how long it keeps changes', async () => {
  expect((await cli.run('env', 'show')).out).toContain('keeps history 365 days');
  expect((await cli.run('env', 'keep-history', '30')).out).toMatch(
    /^✓ the history keeps new changes for 30 days in shop$/,
  );
  expect((await cli.run('env', 'show', '--json')).json.historyDays).toBe(30);
  for (const days of ['0', '1.5', 'ever', '4000']) {
    expect((await cli.run('env', 'keep-history', days)).err).toContain('a whole number of days, from 1 to 3650');
  }
});

test('an environment is renamed, and marked as production', async () => {
  expect((await cli.run('env', 'mark', '--production', 'on')).out).toMatch(/^✓ marked "shop" as production$/);
  expect((await cli.run('env', 'rename', 'market', '--yes')).out).toContain('renamed environment "shop" to "market"');
  expect((await cli.run('env', 'list', '--json')).json).toMatchObject([{ name: 'market', isProduction: true }]);
  expect((await cli.run('env', 'show')).out).toContain('days  production\n');
  expect((await cli.run('env', 'mark', '--production', 'off', '--yes')).out).toMatch(
    /^✓ "market" is not marked as production any more$/,
  );
  expect((await cli.run('env', 'list')).out).not.toContain('production');
  expect((await cli.run('env', 'mark')).code).toBe(2);
});
