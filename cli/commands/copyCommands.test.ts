import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { testSystemEffects } from '../../shared/store/testing/testTables.ts';
import { aFlag, aSegment } from '../../shared/testing/builders.ts';
import { run } from '../program.ts';
import { TestCli } from '../testing/cli.ts';

let cli: TestCli;

beforeEach(async () => {
  cli = await TestCli.start();
  await cli.run('env', 'create', 'staging');
  await cli.run('env', 'create', 'production');
  await cli.run('create', 'f', '--env', 'staging', '--on');
  await cli.run('create', 'f', '--env', 'production');
});
afterEach(() => cli.close());

const copy = (...argv: string[]) => cli.run('copy', ...argv, '--from', 'staging', '--to', 'production');
const inProduction = async (key: string) => (await cli.run('show', key, '--env', 'production', '--json')).json;

describe('copy to another environment', () => {
  test('shows changes first, and is undone as one change', async () => {
    await cli.run('rule', 'add', 'f', 'false', '--if', 'plan=pro', '--env', 'staging');
    await cli.run('create', 'g', '--env', 'staging');
    const before = await inProduction('f');
    const dry = await copy('f', 'g', '--with-state', '--dry-run');
    expect(dry.out.split('\n')).toEqual([
      'flag "f" Switch: off → on',
      'flag "f" Rule “Rule 1”: none → plan = pro → false',
      'new flag "g"',
      expect.stringContaining('flag "g" Switch: off'),
      ...dry.out.split('\n').slice(4, -1),
      'dry run: nothing was written in production',
    ]);
    expect(await inProduction('f')).toEqual(before);
    const { documents } = (await copy('f', 'g', '--with-state', '--dry-run', '--json')).json;
    expect(documents).toMatchObject([
      { name: 'flag "f"', isNew: false },
      { name: 'flag "g"', isNew: true },
    ]);

    const copied = await copy('f', 'g', '--with-state');
    expect(copied).toMatchObject({
      code: 0,
      out: expect.stringMatching(
        /^✓ copied flag "f", flag "g" from staging to production; to take it back: npm run flags -- undo --env production$/,
      ),
      err: expect.stringContaining('flag "f" Rule “Rule 1”: none → plan = pro → false'),
    });
    const after = await inProduction('f');
    expect(after).toMatchObject({ id: before.id, isEnabled: true, rules: [{ name: 'Rule 1' }] });
    expect(after.variations).toEqual(before.variations);
    expect((await inProduction('g')).id).not.toBe((await cli.run('show', 'g', '--env', 'staging', '--json')).json.id);
    expect((await copy('f', 'g', '--with-state')).out).toBe(
      'no change: in production, the flags are as in staging already',
    );

    const [{ version }] = (await cli.run('history', '--env', 'production', '--json')).json;
    expect((await cli.run('undo', version, '--env', 'production')).code).toBe(0);
    expect(await inProduction('f')).toMatchObject({ isEnabled: false, rules: [] });
  });

  test('leaves a flag on or off, and a new flag off, unless asked to copy the state', async () => {
    await cli.run('create', 'g', '--env', 'staging', '--on');
    await cli.run('rule', 'add', 'f', 'false', '--if', 'plan=pro', '--env', 'staging');
    expect((await copy('f', 'g', '--verbose')).out).toMatch(
      / to production \(version \S+Z, table \S+\); to take it back: npm run flags -- undo \S+Z --env production$/,
    );
    expect(await inProduction('f')).toMatchObject({ isEnabled: false, rules: [{ name: 'Rule 1' }] });
    expect(await inProduction('g')).toMatchObject({ isEnabled: false });
    expect((await copy('f', 'g')).out).toMatch(/ already, apart from on and off$/);
    await copy('f', 'g', '--with-state');
    expect(await inProduction('f')).toMatchObject({ isEnabled: true });
    expect(await inProduction('g')).toMatchObject({ isEnabled: true });
    await cli.run('off', 'f', '--env', 'staging');
    expect((await copy('f')).out).toMatch(/^no change: /);
  });

  test('finds segments by name, and creates missing ones only with --with-segments', async () => {
    await cli.run('segment', 'create', 'Beta', '--env', 'staging');
    await cli.run('segment', 'include', 'Beta', 'ann', '--env', 'staging');
    await cli.run('rule', 'add', 'f', 'false', '--if', 'in segment Beta', '--env', 'staging');
    expect(await copy('f', '--dry-run')).toMatchObject({
      code: 1,
      err: 'error: environment "production" does not have these segments, which the flags refer to: "Beta". Create them there, or copy them too with --with-segments',
    });
    expect((await copy('f', '--with-segments')).err).toContain('new segment "Beta"');
    expect((await cli.run('segment', 'show', 'Beta', '--env', 'production', '--json')).json.included).toEqual(['ann']);

    // A deleted segment in the target has the same id, so the copy gets a new one.
    await cli.run('rule', 'remove', 'f', 'Rule 1', '--env', 'production');
    expect((await cli.run('segment', 'delete', 'Beta', '--env', 'production')).code).toBe(0);
    expect((await copy('f', '--with-segments')).code).toBe(0);
    const copied = (await cli.run('segment', 'show', 'Beta', '--env', 'production', '--json')).json;
    expect((await inProduction('f')).rules[0].conditions[0].value).toBe(JSON.stringify([copied.id]));

    await cli.run('segment', 'create', 'Pro', '--env', 'staging');
    const { id } = (await cli.run('segment', 'create', 'Pro', '--env', 'production', '--json')).json.changes[0];
    await cli.run('rule', 'add', 'f', 'true', '--if', 'in segment Pro', '--env', 'staging');
    expect((await copy('f')).code).toBe(0);
    expect((await inProduction('f')).rules[1].conditions[0].value).toBe(JSON.stringify([id]));
  });

  test('refuses a flag or segment that changed since the question, and no other', async () => {
    await cli.run('create', 'other', '--env', 'production');
    await cli.run('env', 'mark', '--production', 'on', '--env', 'production');
    const copyAfter = async (...line: string[]) => {
      const ask = async () => {
        await cli.run(...line, '--env', 'production', '--yes');
        return 'production';
      };
      const err: string[] = [];
      const io = { out: () => {}, err: (text: string) => err.push(text), ask };
      const argv = ['copy', 'f', '--with-state', '--from', 'staging', '--to', 'production'];
      return { code: await run(argv, io, testSystemEffects), err: err.join() };
    };
    for (const line of [
      ['rename', 'f', 'F'],
      ['segment', 'create', 'Beta'],
    ])
      expect(await copyAfter(...line)).toMatchObject({
        code: 1,
        err: expect.stringContaining('was changed meanwhile'),
      });
    expect(await inProduction('f')).toMatchObject({ isEnabled: false });
    expect(await copyAfter('rename', 'other', 'O')).toMatchObject({ code: 0 });
    expect(await inProduction('f')).toMatchObject({ isEnabled: true });
  });

  test('records source and reason in the history, also of many flags', async () => {
    const keys = Array.from({ length: 12 }, (_, n) => `f${n}-${'x'.repeat(90)}`);
    const file = join(cli.directory, 'flags.json');
    writeFileSync(file, JSON.stringify(keys.map((key) => aFlag({ key }))));
    await cli.run('import', '--from', 'featbit', file, '--env', 'staging');
    const reason = 'r'.repeat(200);
    expect((await copy(...keys, '--reason', reason)).code).toBe(0);
    const [change] = (await cli.run('history', '--env', 'production', '--json')).json;
    expect(change.command).toMatch(/^copy f0-x.* … .* --from staging --to production \(r{200}\)$/);
  });

  test('refuses an environment or a flag that does not exist', async () => {
    expect((await copy('x')).err).toContain('there is no flag "x" in "staging"');
    expect((await cli.run('copy', 'f', '--from', 'staging', '--to', 'staging')).err).toContain('the same environment');
    expect((await cli.run('copy', 'f', '--from', 'nowhere', '--to', 'staging')).err).toContain(
      'no environment "nowhere"',
    );
    expect((await cli.run('copy', 'f', '--from', 'staging')).code).toBe(2);
    await cli.run('archive', 'f', '--env', 'production');
    expect((await copy('f')).err).toContain('flag "f" is archived in "production"; restore it first');
  });
});

test('compares in words, also as JSON, and exits with 1 only if asked to', async () => {
  const diff = (...more: string[]) => cli.run('env', 'diff', 'staging', 'production', ...more);
  await cli.run('segment', 'create', 'Beta', '--id', 'beta-id', '--env', 'staging');
  await cli.run('rule', 'add', 'f', 'false', '--if', 'in segment Beta', '--env', 'staging');
  const { code, out } = await diff();
  expect(code).toBe(0);
  expect(out.split('\n')).toEqual([
    'flag "f" Switch: on → off',
    'flag "f" Rule “Rule 1”: in segment Beta → false → none',
    'segment "Beta" is only in "staging"',
  ]);
  expect((await diff('--json')).json).toContainEqual({
    name: 'flag "f"',
    differences: expect.arrayContaining(['Switch: on → off']),
  });
  expect(await diff('--exit-code')).toMatchObject({ code: 1, out: expect.stringContaining('Switch'), err: '' });
  expect(await copy('f', '--with-segments', '--with-state')).toMatchObject({ code: 0 });
  expect(await diff('--exit-code')).toMatchObject({ code: 0, out: expect.stringContaining('have the same flags') });
});

test('a copied description keeps its line ends, and equals its source', async () => {
  const description = 'first line\n\nthird line\r\n\tfourth';
  await cli.run('describe', 'f', description, '--env', 'staging');
  await cli.run('segment', 'create', 'Beta', '--env', 'staging');
  await cli.run('segment', 'describe', 'Beta', description, '--env', 'staging');
  await cli.run('rule', 'add', 'f', 'false', '--if', 'in segment Beta', '--env', 'staging');
  expect((await copy('f', '--with-segments', '--with-state')).code).toBe(0);
  expect((await inProduction('f')).description).toBe(description);
  const segment = await cli.run('segment', 'show', 'Beta', '--env', 'production', '--json');
  expect(segment.json.description).toBe(description);
  expect(await cli.run('env', 'diff', 'staging', 'production', '--exit-code')).toMatchObject({ code: 0 });
});

describe('a comparison of segments with the same name and different ids', () => {
  const diff = (...more: string[]) => cli.run('env', 'diff', 'staging', 'production', ...more);
  beforeEach(async () => {
    await cli.run('off', 'f', '--env', 'staging');
    for (const [env, id] of [
      ['staging', 'one'],
      ['production', 'other'],
    ] as const) {
      await cli.run('segment', 'create', 'Beta', '--id', id, '--env', env);
      await cli.run('segment', 'rule', 'add', 'Beta', '--if', 'plan = pro', '--env', env);
      await cli.run('rule', 'add', 'f', 'true', '--if', 'in segment Beta', '--env', env);
    }
  });

  test('finds no difference in equal content, also of flags that refer to the segments', async () => {
    expect(await diff('--exit-code')).toMatchObject({
      code: 0,
      out: '"staging" and "production" have the same flags and segments',
    });
  });

  test('names a difference by the name of the segment', async () => {
    await cli.run('segment', 'include', 'Beta', 'ann', '--env', 'staging');
    expect((await diff()).out).toBe('segment "Beta" Included users: ann → none');
    const { json } = await diff('--json');
    expect(json).toEqual([{ name: 'segment "one"', differences: ['Included users: ann → none'] }]);
  });

  test('matches two of one name in an environment one by one', async () => {
    const file = join(cli.directory, 'segments.json');
    writeFileSync(
      file,
      JSON.stringify([aSegment({ id: 'twin', name: 'Beta', description: '', included: [], rules: [] })]),
    );
    await cli.run('import', '--from', 'featbit', file, '--env', 'staging');
    expect((await diff()).out).toBe('segment "Beta" is only in "staging"');
    await cli.run('import', '--from', 'featbit', file, '--env', 'production');
    expect(await diff('--exit-code')).toMatchObject({ code: 0 });
  });
});

test('exits with 2 if a comparison with --exit-code fails, and with 1 for a difference', async () => {
  const diff = (...args: string[]) => cli.run('env', 'diff', 'staging', ...args);
  const unknown = { err: expect.stringContaining('no environment "nowhere"') };
  expect(await diff('nowhere')).toMatchObject({ code: 1, ...unknown });
  expect(await diff('nowhere', '--exit-code')).toMatchObject({ code: 2, ...unknown });
  expect(await diff('--exit-code')).toMatchObject({
    code: 2,
    err: expect.stringContaining('missing required argument'),
  });
  process.env['FLAGS_TABLE'] = 'Elsewhere';
  expect(await diff('production', '--exit-code')).toMatchObject({ code: 2 });
  delete process.env['FLAGS_TABLE'];
  expect(await diff('production', '--exit-code', '--data', cli.directory)).toMatchObject({ code: 2 });
});
