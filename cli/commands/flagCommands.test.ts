import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { TestCli } from '../testing/cli.ts';

let cli: TestCli;

beforeEach(async () => {
  cli = await TestCli.start();
  await cli.run('env', 'create', 'shop');
  for (const key of ['a', 'b', 'c']) await cli.run('create', key);
  await cli.run('on', 'b');
});
afterEach(() => cli.close());

const states = async () => {
  const { json } = await cli.run('list', '--archived', '--json');
  return json.map(({ isArchived, isEnabled, tags }: { isArchived: boolean; isEnabled: boolean; tags: string[] }) =>
    [isArchived ? 'archived' : isEnabled ? 'on' : 'off', ...tags].join(' '),
  );
};

test('a flag is created with tags, each once', async () => {
  expect((await cli.run('create', 'd', '--tag', 'web', '--tag', 'beta', '--tag', 'web')).code).toBe(0);
  expect((await cli.run('show', 'd', '--json')).json.tags).toEqual(['web', 'beta']);
});

test.each([
  ['red=Red', 'red', 'Red'],
  ['Dark red = Red', 'Dark red', ' Red'],
  ['größe_1.5=groß', 'größe_1.5', 'groß'],
  ['equation=a=b', 'equation', 'a=b'],
  ['=a=b', 'a=b', 'a=b'],
  ['https://shop.example/?a=b', 'https://shop.example/?a=b', 'https://shop.example/?a=b'],
  ['{"a":"b=c"}', '{"a":"b=c"}', '{"a":"b=c"}'],
  ['plain', 'plain', 'plain'],
])('--variation %s is named %s and has the value %s', async (given, name, value) => {
  await cli.run('create', 'd', '--type', 'string', '--variation', given, '--variation', 'other');
  expect((await cli.run('show', 'd', '--json')).json.variations[0]).toMatchObject({ name, value });
});

test('a named variation of another type has the value of its type', async () => {
  const create = (...variations: string[]) =>
    cli.run('create', 'd', '--type', 'number', ...variations.flatMap((each) => ['--variation', each]));
  expect(await create('ten=10', 'many=x')).toMatchObject({
    code: 1,
    err: expect.stringContaining('"x" is not a number'),
  });
  expect(await create('ten=10', 'many=1e3')).toMatchObject({ code: 0 });
  expect((await cli.run('rollout', 'd', 'many')).code).toBe(0);
});

describe('several flags in one command', () => {
  test.each([
    [
      ['on', 'a', 'b', 'c'],
      ['a is on', 'no change: b is on', 'c is on'],
      ['on', 'on', 'on'],
    ],
    [
      ['off', 'b', 'a', 'b'],
      ['b is off', 'no change: a is off'],
      ['off', 'off', 'off'],
    ],
    [
      ['off', 'a', 'b', '--serve', 'true'],
      ['a is off and serves true', 'b is off and serves true'],
      ['off', 'off', 'off'],
    ],
    [
      ['toggle', 'a', 'b', 'a'],
      ['a is on', 'b is off'],
      ['on', 'off', 'off'],
    ],
    [
      ['archive', 'a', 'b'],
      ['a is archived', 'b is archived'],
      ['archived', 'archived', 'off'],
    ],
    [
      ['tag', 'a', 'b', '--tag', 'web'],
      ['a is tagged "web"', 'b is tagged "web"'],
      ['off web', 'on web', 'off'],
    ],
    [
      ['untag', 'a', 'b', '--tag', 'web'],
      ['no change: a has no tag "web"', 'no change: b has no tag "web"'],
      ['off', 'on', 'off'],
    ],
    [
      ['restore', 'a', 'b'],
      ['no change: a is not archived', 'no change: b is not archived'],
      ['off', 'on', 'off'],
    ],
  ])('%j', async (line, expected, after) => {
    const { code, out } = await cli.run(...line);
    expect(code).toBe(0);
    expect(out.split('\n').map((text) => text.replace(/^✓ /, '').replace(/ in shop$/, ''))).toEqual(expected);
    expect(await states()).toEqual(after);
  });

  test('are one change, which one undo takes back', async () => {
    const { changes } = (await cli.run('on', 'a', 'c', '--json')).json;
    expect(changes).toMatchObject([
      { kind: 'flag', id: 'a' },
      { kind: 'flag', id: 'c' },
    ]);
    const [change] = (await cli.run('history', '--json')).json;
    expect(change.documents.map(({ id }: { id: string }) => id)).toEqual(['a', 'c']);
    expect((await cli.run('undo', changes[0].updatedAt)).code).toBe(0);
    expect(await states()).toEqual(['off', 'on', 'off']);
  });

  test('are all checked before any is written', async () => {
    await cli.run('archive', 'c');
    const { code, err } = await cli.run('on', 'a', 'nothing', 'c');
    expect([code, err.split('\n')]).toEqual([
      1,
      [
        'error: nothing was changed:',
        '  there is no flag "nothing"; `list` shows all flags',
        '  flag "c" is archived and cannot be changed; first: restore c',
      ],
    ]);
    expect(await states()).toEqual(['off', 'on', 'archived']);
    expect((await cli.run('off', 'b', '--serve', 'maybe')).err).toContain('its variations are: true, false');
    expect((await cli.run('tag', 'a')).err).toContain('add at least one --tag <tag>');
  });
});

test('a flag is duplicated with its settings, under a key that is free', async () => {
  await cli.run('create', 'f', '--on');
  await cli.run('rule', 'add', 'f', 'false', '--if', 'plan=pro');
  await cli.run('tag', 'f', 'checkout');
  expect((await cli.run('duplicate', 'f', 'g')).out).toMatch(/^✓ created flag "g" \(on\) from "f" in /);
  const [f, g] = [(await cli.run('show', 'f', '--json')).json, (await cli.run('show', 'g', '--json')).json];
  expect(g.id).not.toBe(f.id);
  expect(g).toEqual({ ...f, id: g.id, key: 'g', name: 'g', updatedAt: g.updatedAt });

  expect((await cli.run('duplicate', 'f', 'g')).err).toContain('flag "g" exists already');
  expect((await cli.run('duplicate', 'x', 'h')).err).toContain('there is no flag "x"');
  await cli.run('delete', 'g');
  expect((await cli.run('duplicate', 'f', 'g', '--name', 'Second')).code).toBe(0);
  expect((await cli.run('show', 'g', '--json')).json.name).toBe('Second');
  await cli.run('archive', 'f');
  expect((await cli.run('duplicate', 'f', 'h')).err).toContain('is archived; first: restore f');
});
