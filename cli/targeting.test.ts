import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { TestCli } from './testing/cli.ts';

let cli: TestCli;

beforeEach(async () => {
  cli = await TestCli.start();
  await cli.run('env', 'create', 'shop');
});
afterEach(() => cli.close());

const valueFor = async (...user: string[]) =>
  (await cli.run('evaluate', 'price', '--json', '--user', ...user)).json.value;

describe('the name of a variation', () => {
  /** The environment has a flag with these variations, as an import leaves it. */
  const importFlag = async (...variations: readonly (readonly [id: string, name: string, value: string])[]) => {
    const all = variations.map(([id, name, value]) => ({ id, name, value }));
    const id = all[0]?.id;
    const fallthrough = { variations: [{ id, rollout: [0, 1], exptRollout: 1 }] };
    const on = { key: 'f', variationType: 'string', isEnabled: true };
    const flag = { ...on, disabledVariationId: id, variations: all, fallthrough };
    const file = join(cli.directory, 'flag.json');
    writeFileSync(file, JSON.stringify([flag]));
    expect((await cli.run('import', '--from', 'featbit', file)).code).toBe(0);
  };

  test('has one share in a rollout and in a rule', async () => {
    await importFlag(['a', 'Yes', 'true'], ['b', 'No', 'false']);
    await cli.run('rule', 'add', 'f', 'No', '--if', 'a=b', '--name', 'r');
    const before = (await cli.run('show', 'f', '--json')).json;
    for (const argv of [
      ['rollout', 'f', 'true=30', 'true=70'],
      ['rollout', 'f', 'a=30', 'Yes=70'],
      ['rule', 'edit', 'f', 'r', 'true=30', 'Yes=70'],
      ['rule', 'add', 'f', 'true=30', 'true=70', '--if', 'a=b'],
      ['rule', 'edit', 'f', 'r', 'true=30', 'true=70'],
      ['rollout', 'f', 'true', '--experiment', 'a=1', '--experiment', 'Yes=2'],
      ['rollout', 'f', 'true=30', 'true=70', '--at', '+1h'],
    ]) {
      expect(await cli.run(...argv)).toMatchObject({
        code: 1,
        err: 'error: variation "Yes" has two shares; give each variation one',
      });
    }
    expect((await cli.run('show', 'f', '--json')).json).toEqual(before);
  });

  test('is an error in every command if several have it', async () => {
    await importFlag(['a', 'same', 'x'], ['b', 'same', 'y'], ['c', '', 'z']);
    const message = 'error: several variations of flag "f" are named "same"; use an id: a, b';
    for (const argv of [
      ['rollout', 'f', 'same'],
      ['rollout', 'f', 'same=50', 'z=50'],
      ['rule', 'add', 'f', 'same', '--if', 'a=b'],
      ['target', 'f', 'same', 'ann'],
      ['off', 'f', '--serve', 'same'],
      ['variation', 'edit', 'f', 'same', '--value', 'w'],
      ['variation', 'remove', 'f', 'same'],
      ['plan', 'create', 'f', '--variation', 'same', '--step', '10%@+1h'],
    ]) {
      expect([argv, (await cli.run(...argv)).err]).toEqual([argv, message]);
    }
    expect((await cli.run('rollout', 'f', 'b=50', 'z=50')).code).toBe(0);
    expect((await cli.run('show', 'f')).out).toContain('same (b) 50 %, z 50 %');
  });

  test('is shown as the value if it is empty', async () => {
    await importFlag(['a', '', 'red'], ['b', '', 'blue']);
    await cli.run('target', 'f', 'blue', 'ann');
    const { out } = await cli.run('show', 'f');
    expect(out).toContain('target: blue to ann');
    expect(out).toContain('serves: blue for 1 user, else red');
    expect((await cli.run('list')).out).toContain('red');
  });
});

describe('rules of a flag', () => {
  beforeEach(() => cli.run('create', 'price', '--on', '--type', 'string', '--variation', 'low', '--variation', 'high'));

  test('are added with conditions as people write them, edited, moved and removed', async () => {
    const added = await cli.run('rule', 'add', 'price', 'high', '--if', 'plan=pro', '--if', 'age>18', '--name', 'Pro');
    expect(added.out).toMatch(/^✓ added rule "Pro" to price: serves high if plan=pro and age>18 in shop$/);
    expect(await valueFor('u', '--attr', 'plan=pro', '--attr', 'age=19')).toBe('high');
    expect(await valueFor('u', '--attr', 'plan=pro', '--attr', 'age=18')).toBe('low');

    await cli.run('rule', 'add', 'price', 'low', '--if', 'country in CN,US', '--position', '1');
    const chinese = ['u', '--attr', 'plan=pro', '--attr', 'age=19', '--attr', 'country=CN'];
    expect(await valueFor(...chinese)).toBe('low');
    await cli.run('rule', 'move', 'price', 'Pro', '1');
    expect(await valueFor(...chinese)).toBe('high');
    const list = (await cli.run('show', 'price')).out;
    expect(list).toMatch(/1.*Pro.*plan = pro, and age > 18 +high\n2.*Rule 2.*country in CN,US.*low/);

    await cli.run('rule', 'edit', 'price', '1', '--if', 'age > 20', 'low=50', 'high=50', '--by', 'country');
    const [edited] = (await cli.run('show', 'price', '--json')).json.rules;
    expect(edited).toMatchObject({
      name: 'Pro',
      dispatchKey: 'country',
      conditions: [{ property: 'age', value: '20' }],
    });
    expect(edited.variations.map(({ rollout }: { rollout: number[] }) => rollout)).toEqual([
      [0, 0.5],
      [0.5, 1],
    ]);
    await cli.run('rule', 'edit', 'price', 'Pro', '--name', 'Grown up', '--experiment', 'low=10');
    const [renamed] = (await cli.run('show', 'price', '--json')).json.rules;
    expect(renamed).toMatchObject({ name: 'Grown up', includedInExpt: true, conditions: edited.conditions });
    expect((await cli.run('show', 'price', '--json')).json.exptIncludeAllTargets).toBe(false);
    await cli.run('rule', 'remove', 'price', 'Grown up');
    expect((await cli.run('show', 'price', '--json')).json.rules).toMatchObject([{ name: 'Rule 2' }]);
  });

  test('ask about segments by their names', async () => {
    const { id } = (await cli.run('segment', 'create', 'Beta users', '--json')).json.changes[0];
    await cli.run('segment', 'include', 'Beta users', 'bob');
    await cli.run('rule', 'add', 'price', 'high', '--if', 'in segment Beta users');
    expect([await valueFor('bob'), await valueFor('ann')]).toEqual(['high', 'low']);
    const [{ conditions }] = (await cli.run('show', 'price', '--json')).json.rules;
    expect(conditions[0].value).toBe(JSON.stringify([id]));
    expect((await cli.run('show', 'price')).out).toContain('in segment Beta users');
  });

  test('are refused without a write if they cannot be meant', async () => {
    const before = (await cli.run('show', 'price', '--json')).out;
    for (const [argv, message] of [
      [['rule', 'add', 'price', 'high'], 'a rule needs a condition'],
      [['rule', 'add', 'price', 'high', '--if', 'plan'], '"plan" is not a condition'],
      [['rule', 'add', 'price', 'high', '--if', 'age > old'], 'would never match'],
    ] as const) {
      expect(await cli.run(...argv)).toMatchObject({ code: 2, err: expect.stringContaining(message) });
    }
    for (const [argv, message] of [
      [['rule', 'add', 'price', 'high', '--if', 'in segment nobody'], 'there is no segment "nobody"'],
      [['rule', 'add', 'price', 'mid', '--if', 'a=b'], 'flag "price" has no variation "mid"'],
      [['rule', 'add', 'price', 'high', '--if', 'a=b', '--position', '3'], 'from 1 to 1'],
      [['rule', 'edit', 'price', 'r'], 'has no rule "r"'],
      [['rule', 'move', 'price', '1', '1'], 'has no rule "1"'],
      [['rule', 'remove', 'price', '1'], 'has no rule "1"'],
      [['rule', 'remove', 'nothing', '1'], 'there is no flag "nothing"'],
    ] as const) {
      expect(await cli.run(...argv)).toMatchObject({ code: 1, err: expect.stringContaining(message) });
    }
    expect((await cli.run('show', 'price', '--json')).out).toBe(before);
  });

  test('are refused like all other changes while the flag is archived', async () => {
    await cli.run('archive', 'price');
    for (const argv of [
      ['toggle', 'price'],
      ['on', 'price'],
      ['off', 'price'],
      ['rollout', 'price', 'high'],
      ['target', 'price', 'high', 'ann'],
      ['untarget', 'price', 'ann'],
      ['rule', 'add', 'price', 'high', '--if', 'a=b'],
      ['variation', 'add', 'price', 'x'],
      ['rename', 'price', 'x'],
    ]) {
      expect(await cli.run(...argv)).toMatchObject({ code: 1, err: expect.stringContaining('"price" is archived') });
    }
    expect((await cli.run('create', 'price')).err).toContain('exists already, and is archived');
    expect((await cli.run('restore', 'price')).code).toBe(0);
    expect((await cli.run('toggle', 'price')).out).toMatch(/^✓ price is off/);
  });
});

describe('evaluate', () => {
  test('shows all flags with what decided, and warns only of what took part', async () => {
    await cli.run('create', 'a', '--on');
    await cli.run('create', 'b');
    await cli.run('create', 'gone');
    await cli.run('archive', 'gone');
    const [flag] = (await cli.run('list', '--json')).json;
    const rule = { ...flag.fallthrough, id: 'r', name: 'odd', conditions: [{ property: 'x', op: 'Like', value: 'y' }] };
    const file = join(cli.directory, 'flags.json');
    writeFileSync(file, JSON.stringify([{ ...flag, key: 'odd', isEnabled: false, rules: [rule] }]));
    await cli.run('import', '--from', 'featbit', file);
    const all = await cli.run('evaluate', '--user', 'u');
    expect(all.out).toMatch(/^a\ttrue\tthe flag has no rules\nb\tfalse\tthe flag is off/);
    expect(all.out).not.toContain('gone');
    expect(all.err).toBe('');
    await cli.run('on', 'odd');
    const { err, json } = await cli.run('evaluate', '--user', 'u', '--json');
    expect(err).toBe('warning: flag "odd" rules[0].conditions[0] never matches: unknown operator "Like"');
    expect(json).toMatchObject([
      { key: 'a', keyId: 'u', value: true, reason: 'default', cause: 'fallthrough', rules: [] },
      { key: 'b', value: false, cause: 'disabled' },
      { key: 'odd', value: true, rules: [{ name: 'odd', holds: false, conditions: [{ holds: false }] }] },
    ]);
  });
});

describe('a flag', () => {
  test('begins off, and its values are of its type', async () => {
    expect((await cli.run('create', 'f')).out).toMatch(/^✓ created flag "f" \(off\) in \w+$/);
    expect((await cli.run('show', 'f', '--json')).json.isEnabled).toBe(false);
    for (const argv of [
      ['create', 'n', '--type', 'number', '--variation', 'abc'],
      ['create', 'j', '--type', 'json', '--variation', '{"a":1'],
      ['variation', 'add', 'f', 'maybe'],
      ['variation', 'edit', 'f', 'true', '--value', 'yes'],
    ]) {
      expect(await cli.run(...argv)).toMatchObject({ code: 1, err: expect.stringMatching(/" is not /) });
    }
  });

  test('has variations added, changed, removed, and one for while it is off', async () => {
    await cli.run('create', 'price', '--type', 'string', '--variation', 'low', '--variation', 'high');
    await cli.run('variation', 'add', 'price', '7', '--name', 'seven');
    await cli.run('off', 'price', '--serve', 'seven');
    expect(await valueFor('u')).toBe('7');
    await cli.run('variation', 'edit', 'price', 'seven', '--value', '8');
    expect(await valueFor('u')).toBe('8');
    expect((await cli.run('variation', 'edit', 'price', 'seven')).err).toContain('add --value');
    expect((await cli.run('variation', 'remove', 'price', 'seven')).err).toContain(
      'it is served while the flag is off',
    );
    await cli.run('variation', 'remove', 'price', 'high');
    expect((await cli.run('show', 'price', '--json')).json.variations).toMatchObject([{ name: 'low' }, { value: '8' }]);
  });

  test('is renamed, described and tagged', async () => {
    await cli.run('create', 'f');
    await cli.run('rename', 'f', 'The flag');
    await cli.run('describe', 'f', 'what it is for');
    await cli.run('tag', 'f', '--tag', 'a', '--tag', 'b', '--tag', 'a');
    expect((await cli.run('tag', 'f', '--tag', ' a ', '--tag', 'b ')).out).toContain('no change');
    for (const argv of [
      ['tag', 'f'],
      ['create', 'g'],
    ]) {
      expect((await cli.run(...argv, '--tag', ' ')).err).toBe('error: a tag must not be blank');
    }
    expect((await cli.run('untag', 'f', '--tag', ' b')).out).toContain('f has no tag');
    expect((await cli.run('show', 'f', '--json')).json).toMatchObject({
      name: 'The flag',
      description: 'what it is for',
      tags: ['a'],
    });
  });
});

test('no command creates a flag that URLs cannot name, and an import takes it with a warning', async () => {
  const refused = { code: 1, err: expect.stringContaining('URLs drop "." and ".."') };
  expect(await cli.run('create', '..')).toMatchObject(refused);
  await cli.run('create', 'f');
  expect(await cli.run('duplicate', 'f', '.')).toMatchObject(refused);
  const flag = (await cli.run('show', 'f', '--json')).json;
  const file = join(cli.directory, 'dots.json');
  writeFileSync(file, JSON.stringify([{ ...flag, id: 'other', key: '.' }]));
  expect(await cli.run('import', '--from', 'featbit', file)).toMatchObject({ ...refused, code: 0 });
  expect((await cli.run('on', '.')).code).toBe(0);
});

describe('user keys', () => {
  const [untrimmed, blank, control] = [' ann', ' ', 'a\u0007b'];

  test('are trimmed or refused by every command', async () => {
    await cli.run('create', 'f');
    await cli.run('segment', 'create', 's');
    for (const argv of [
      ['target', 'f', 'true'],
      ['segment', 'include', 's'],
      ['segment', 'exclude', 's'],
    ]) {
      expect((await cli.run(...argv, 'bob', blank)).err).toBe('error: a user key must not be blank');
      expect((await cli.run(...argv, 'bob', control)).err).toContain('must not have control characters');
      expect((await cli.run(...argv, untrimmed, 'carl\n')).out).toMatch(/ann, carl/);
    }
    expect((await cli.run('show', 'f', '--json')).json.targetUsers).toMatchObject([{ keyIds: ['ann', 'carl'] }]);
    expect((await cli.run('segment', 'show', 's', '--json')).json).toMatchObject({ excluded: ['ann', 'carl'] });
    await cli.run('untarget', 'f', 'ann ', 'carl');
    await cli.run('segment', 'remove', 's', 'ann ', 'carl');
    expect((await cli.run('show', 'f', '--json')).json.targetUsers).toMatchObject([{ keyIds: [] }]);
    expect((await cli.run('segment', 'show', 's', '--json')).json).toMatchObject({ excluded: [] });
  });

  test('are trimmed by an import, which lists them, and stay in what is stored', async () => {
    const variations = [{ id: 'a', value: 'x' }];
    const fallthrough = { variations: [{ id: 'a', rollout: [0, 1] }] };
    const targetUsers = [{ variationId: 'a', keyIds: [untrimmed, '', 'bob', 'bob'] }];
    const flag = { key: 'f', isEnabled: true, variations, disabledVariationId: 'a', fallthrough, targetUsers };
    const segment = { id: 's', name: 's', included: [untrimmed, blank], excluded: ['c '] };
    const file = join(cli.directory, 'both.json');
    writeFileSync(file, JSON.stringify({ flags: [flag], segments: [segment] }));
    const { code, err } = await cli.run('import', '--from', 'featbit', file);
    expect([code, err.split('\n')]).toEqual([
      0,
      expect.arrayContaining([
        'different: segment "s": space around user keys is removed, and empty ones are left out: " ann", " ", "c "',
        'different: flag "f": space around user keys is removed, and empty ones are left out: " ann", ""',
      ]),
    ]);
    expect((await cli.run('show', 'f', '--json')).json.targetUsers).toMatchObject([{ keyIds: ['ann', 'bob'] }]);
    expect((await cli.run('segment', 'show', 's', '--json')).json).toMatchObject({
      included: ['ann'],
      excluded: ['c'],
    });
    expect((await cli.run('import', '--from', 'featbit', file)).out).toContain('imported 0, 2 unchanged');
  });
});

describe('a segment', () => {
  test('has members from a file in UTF-16, and refuses a file of other content', async () => {
    await cli.run('segment', 'create', 'staff');
    const include = (path: string) => cli.run('segment', 'include', 'staff', '--file', path);
    expect(await include(join(import.meta.dirname, 'testing', 'data', 'users16.txt'))).toMatchObject({
      code: 0,
      err: '',
    });
    const members = async () => (await cli.run('segment', 'show', 'staff', '--json')).json.included;
    expect(await members()).toEqual(['ann', 'bob']);
    const file = join(cli.directory, 'members.txt');
    const refused: readonly [content: string | Buffer, says: string][] = [
      [
        'id,email\n"bob",bob@x.io\n',
        'line 2 has a quote or a control character, and 2 of 2 lines look like CSV. Write',
      ],
      ['ann\tbob\n', 'line 1 has a quote or a control character, and 1 of 1 line looks like CSV. Write one user key'],
      ['["ann"]', 'line 1 has a quote or a control character. Write one user key on each line'],
      [Buffer.from('ann', 'utf16le'), 'line 1 has bytes that are not UTF-8. Save the file as UTF-8'],
      [Buffer.from('ann\nj\u00f6rg', 'latin1'), 'line 2 has bytes that are not UTF-8. Save the file as UTF-8'],
    ];
    for (const [content, says] of refused) {
      writeFileSync(file, content);
      expect(await include(file)).toMatchObject({ code: 1, err: expect.stringContaining(says) });
    }
    expect(await members()).toEqual(['ann', 'bob']);
    writeFileSync(file, 'cn=carl,ou=shop\ndora\n');
    const { code, err } = await include(file);
    expect([code, err]).toEqual([0, `warning: ${file}: 1 of 2 lines looks like CSV. A whole line is a user key`]);
    expect(await members()).toEqual(['ann', 'bob', 'cn=carl,ou=shop', 'dora']);
  });

  test('has rules, and members from a file', async () => {
    await cli.run('segment', 'create', 'staff');
    const file = join(cli.directory, 'members.txt');
    writeFileSync(file, '\ufeffann\r\n\r\n bob \nann\n');
    expect((await cli.run('segment', 'include', 'staff', 'carl', '--file', file)).out).toContain(
      'segment "staff" includes carl, ann, bob',
    );
    await cli.run('segment', 'rule', 'add', 'staff', '--if', 'email ends-with @acme.com');
    await cli.run('segment', 'rule', 'add', 'staff', '--if', 'office in Rome', '--name', 'Rome', '--position', '1');
    expect((await cli.run('segment', 'show', 'staff')).out).toMatch(/1.*Rome.*office in Rome[\s\S]*2.*Rule 1/);
    await cli.run('segment', 'rule', 'edit', 'staff', 'Rome', '--if', 'office=Paris', '--name', 'Paris');
    await cli.run('segment', 'rule', 'move', 'staff', 'Paris', '2');
    await cli.run('segment', 'rule', 'remove', 'staff', '1');
    expect((await cli.run('segment', 'show', 'staff', '--json')).json).toMatchObject({
      included: ['carl', 'ann', 'bob'],
      rules: [{ name: 'Paris', conditions: [{ property: 'office', op: 'Equal', value: 'Paris' }] }],
    });
    for (const [argv, message] of [
      [['segment', 'include', 'staff'], 'add user keys'],
      [['segment', 'rule', 'add', 'staff'], 'a rule needs a condition'],
    ] as const) {
      expect(await cli.run(...argv)).toMatchObject({ code: 2, err: expect.stringContaining(message) });
    }
    for (const [argv, message] of [
      [['segment', 'include', 'staff', '--file', join(cli.directory, 'none')], 'there is no file'],
      [['segment', 'rule', 'add', 'staff', '--if', 'in segment staff'], 'cannot be defined by other segments'],
    ] as const) {
      expect(await cli.run(...argv)).toMatchObject({ code: 1, err: expect.stringContaining(message) });
    }
  });

  test('has a name of its own, and no changes while it is archived', async () => {
    await cli.run('segment', 'create', 'staff');
    await cli.run('segment', 'create', 'guests');
    expect((await cli.run('segment', 'create', 'staff')).err).toContain('a segment named "staff" already');
    expect((await cli.run('segment', 'rename', 'guests', 'staff')).err).toContain('a segment named "staff" already');
    await cli.run('segment', 'rename', 'guests', 'visitors');
    await cli.run('segment', 'describe', 'visitors', 'who looks in');
    await cli.run('segment', 'archive', 'visitors');
    expect((await cli.run('segment', 'include', 'visitors', 'u')).err).toContain('"visitors" is archived');
    expect((await cli.run('segment', 'show', 'visitors', '--json')).json).toMatchObject({
      name: 'visitors',
      description: 'who looks in',
      isArchived: true,
    });
  });
});
