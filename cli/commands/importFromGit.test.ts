import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { TestCli } from '../testing/cli.ts';

let cli: TestCli;

beforeEach(async () => {
  cli = await TestCli.start();
  await cli.run('env', 'create', 'shop');
});
afterEach(() => cli.close());

const BETA = 'beta:\n  variations: { on: true, off: false }\n  defaultRule: { variation: on }\n';
const SIZE = 'size:\n  variations: { big: L, small: S }\n  defaultRule: { variation: big }\n';

/** Writes a file of GO Feature Flag. */
function yaml(...flags: string[]): string {
  const file = join(cli.directory, 'flags.yaml');
  writeFileSync(file, flags.join(''));
  return file;
}

const states = async () =>
  Object.fromEntries(
    (await cli.run('list', '--archived', '--json')).json.map(
      ({ key, isArchived, isEnabled }: { key: string; isArchived: boolean; isEnabled: boolean }) => [
        key,
        isArchived ? 'archived' : isEnabled ? 'on' : 'off',
      ],
    ),
  );

describe('import --prune', () => {
  test('archives what the file lacks, names it, and is undone as one change', async () => {
    await cli.run('create', 'old');
    await cli.run('segment', 'create', 'Staff', '--id', 'staff');
    const dry = await cli.run('import', yaml(BETA), '--prune', '--dry-run');
    expect(dry.out).toBe('dry run: 1 new, 0 changed, 0 unchanged, 2 archived, 0 left out; nothing written');
    expect(dry.err).toContain('would archive flag "old"');
    expect(await states()).toEqual({ old: 'off' });
    const { code, err, json } = await cli.run('import', yaml(BETA), '--prune', '--json');
    expect([code, err]).toEqual([0, expect.stringMatching(/archives flag "old"\narchives segment "Staff"\n/)]);
    expect(json).toMatchObject({ written: 1, archived: 2, sentAnew: 0 });
    expect(await states()).toEqual({ beta: 'on', old: 'archived' });
    expect((await cli.run('import', yaml(BETA), '--prune', '--json')).json).toMatchObject({ written: 0, archived: 0 });
    const [{ version }] = (await cli.run('history', '--json')).json;
    await cli.run('undo', version);
    expect(await states()).toEqual({ beta: 'archived', old: 'off' });
  });

  test('keeps segments that flags of the file use', async () => {
    for (const line of ['create f', 'create g', 'segment create Staff', 'segment create Gone'])
      await cli.run(...line.split(' '));
    for (const segment of ['Staff', 'Gone'])
      await cli.run('rule', 'add', segment === 'Staff' ? 'f' : 'g', 'true', '--if', `in segment ${segment}`);
    const file = join(cli.directory, 'flags.json');
    writeFileSync(file, JSON.stringify([(await cli.run('show', 'f', '--json')).json]));
    expect((await cli.run('import', file, '--prune', '--json')).json).toMatchObject({ archived: 2 });
    const segments = (await cli.run('segment', 'list', '--json')).json;
    const archived = segments.filter((each: { isArchived: boolean }) => each.isArchived);
    expect(archived).toMatchObject([{ name: 'Gone' }]);
    expect((await cli.run('import', file, '--prune', '--dry-run', '--exit-code')).code).toBe(0);
  });

  test('archives nothing for a file that is empty, or of which something is left out', async () => {
    await cli.run('create', 'old');
    const empty = join(cli.directory, 'empty.json');
    writeFileSync(empty, '[]');
    expect(await cli.run('import', '--from', 'featbit', empty, '--prune')).toMatchObject({
      code: 1,
      err: expect.stringContaining('the file has no flags; nothing was archived'),
    });
    const refused = 'old:\n  variations: { on: true, off: false }\n';
    expect(await cli.run('import', yaml(BETA, refused), '--prune')).toMatchObject({
      code: 1,
      err: expect.stringMatching(/1 left out; nothing was imported.*\n {2}left out: old: /),
    });
    expect(await states()).toEqual({ old: 'off' });
  });

  test('asks in production', async () => {
    await cli.run('create', 'old');
    await cli.run('env', 'mark', '--production', 'on');
    expect(await cli.run('import', yaml(BETA), '--prune')).toMatchObject({ code: 1 });
    expect(await states()).toEqual({ old: 'off' });
    cli.typed = 'shop';
    const { code, err } = await cli.run('import', yaml(BETA), '--prune');
    expect([code, err]).toEqual([0, expect.stringContaining('archives flag "old"')]);
    expect(cli.questions).toEqual(['This is a production environment. Type “shop” to confirm: ']);
  });
});

describe('import --dry-run --exit-code', () => {
  const compare = (file: string, ...options: string[]) =>
    cli.run('import', file, '--dry-run', '--exit-code', ...options);

  test.each(['export', 'GO Feature Flag'])('compares the environment with a file of %s', async (form) => {
    await cli.run('import', yaml(BETA, SIZE));
    let file = yaml(BETA, SIZE);
    if (form === 'export') {
      file = join(cli.directory, 'export.json');
      await cli.run('export', '--output', file);
    }
    expect(await compare(file)).toMatchObject({
      code: 0,
      out: `"shop" and "${file}" have the same flags and segments`,
    });
    await cli.run('off', 'beta');
    expect(await compare(file)).toMatchObject({ code: 1, out: 'flag "beta" Switch: off → on' });
    await cli.run('on', 'beta');
    await cli.run('create', 'extra');
    const extra = { code: 1, out: 'flag "extra" is only in "shop"' };
    expect(await compare(file)).toMatchObject(extra);
    expect(await compare(file, '--prune')).toMatchObject(extra);
    await cli.run('archive', 'extra');
    expect(await compare(file)).toMatchObject(extra);
    expect(await compare(file, '--prune')).toMatchObject({ code: 0 });
    await cli.run('delete', 'size');
    expect(await compare(file, '--prune')).toMatchObject({ code: 1, out: `flag "size" is only in "${file}"` });
    expect((await compare(file, '--prune', '--json')).json).toEqual([
      { name: 'flag "size"', differences: [`is only in "${file}"`] },
    ]);
  });

  test('exits with 2 if it cannot compare', async () => {
    expect(await compare('missing.json')).toMatchObject({ code: 2, err: expect.stringContaining('missing.json') });
    const refused = 'old:\n  variations: { on: true, off: false }\n';
    expect(await compare(yaml(BETA, refused))).toMatchObject({
      code: 2,
      err: expect.stringContaining('1 left out; nothing was imported'),
    });
    expect(await cli.run('import', yaml(BETA), '--exit-code')).toMatchObject({
      code: 2,
      err: 'error: --exit-code needs --dry-run',
    });
  });
});

describe('import --commit', () => {
  const merge = (file: string, commit: string, ...options: string[]) =>
    cli.run('import', file, '--prune', '--commit', commit, ...options);

  beforeEach(async () => {
    expect(await merge(yaml(BETA, SIZE), '4c1f0b9')).toMatchObject({ code: 0 });
  });

  test('keeps the commit in the history', async () => {
    await cli.run('off', 'beta');
    const [off, imported] = (await cli.run('history', '--json')).json;
    expect([off.commit, imported.commit]).toEqual([undefined, '4c1f0b9']);
    expect(await merge(yaml(BETA), '')).toMatchObject({ code: 2, err: 'error: --commit needs a text' });
    expect(await merge(yaml(BETA), 'x'.repeat(201))).toMatchObject({ code: 2 });
  });

  test('replaces newer flags with --strict, as the commits say which file is newer', async () => {
    const off = BETA.replace('variation: on', 'variation: off');
    expect(await merge(yaml(off, SIZE), '5d2a1c0', '--strict')).toMatchObject({ code: 0 });
    const file = join(cli.directory, 'export.json');
    await cli.run('export', '--output', file);
    await merge(yaml(BETA, SIZE), '6e3b2d1');
    expect(await merge(file, '7f4c3e2', '--strict')).toMatchObject({
      code: 0,
      out: expect.stringMatching(/^✓ imported 1, 1 unchanged/),
    });
  });

  test('stops a pipeline before it overwrites a later change, and names the change', async () => {
    await cli.run('off', 'beta', '--reason', 'incident 17');
    const named = expect.stringMatching(
      /would overwrite: .* · off beta \(incident 17\) · flag "beta" Switch: on → off/,
    );
    const stopped = await merge(yaml(BETA), '5d2a1c0');
    expect([stopped.code, stopped.err]).toEqual([1, named]);
    expect(stopped.err).toContain(
      'error: 1 change since the last import with a commit would be overwritten; nothing was imported. ' +
        'Put into the file what has to stay, or add --yes to overwrite',
    );
    expect(await states()).toEqual({ beta: 'off', size: 'on' });
    expect(await merge(yaml(BETA), '5d2a1c0', '--dry-run')).toMatchObject({ code: 0, err: named });
    const overwritten = await merge(yaml(BETA), '5d2a1c0', '--yes');
    expect([overwritten.code, overwritten.err]).toEqual([0, named]);
    expect(await states()).toEqual({ beta: 'on', size: 'archived' });
    // The import knows of the change now.
    expect((await merge(yaml(SIZE), '6e3b2d1')).err).not.toContain('would overwrite');
  });

  test('stops before it archives a flag that was changed, or overwrites an undo', async () => {
    await cli.run('describe', 'size', 'Size of the page');
    expect(await merge(yaml(BETA), '5d2a1c0')).toMatchObject({ code: 1 });
    await merge(yaml(BETA, SIZE), '5d2a1c0', '--yes');
    const off = BETA.replace('variation: on', 'variation: off');
    await merge(yaml(off, SIZE), '6e3b2d1');
    const [{ version }] = (await cli.run('history', '--json')).json;
    expect(await cli.run('undo', version)).toMatchObject({ code: 0 });
    expect(await merge(yaml(off, SIZE), '7f4c3e2')).toMatchObject({
      code: 1,
      err: expect.stringMatching(/· undo \S+ \d\d:\d\d · flag "beta" /),
    });
  });

  test('passes over changes of other flags, and changes that were taken back', async () => {
    for (const line of ['off beta', 'on beta', 'describe size text']) await cli.run(...line.split(' '));
    const off = BETA.replace('variation: on', 'variation: off');
    expect(await cli.run('import', yaml(off), '--commit', '5d2a1c0')).toMatchObject({
      code: 0,
      err: expect.not.stringContaining('would overwrite'),
    });
  });

  test('asks on a terminal', async () => {
    await cli.run('off', 'beta');
    cli.typed = 'n';
    expect(await merge(yaml(BETA), '5d2a1c0')).toMatchObject({
      code: 1,
      err: expect.stringMatching('nothing was imported'),
    });
    cli.typed = 'y';
    expect(await merge(yaml(BETA), '5d2a1c0')).toMatchObject({ code: 0 });
    expect(cli.questions.at(-1)).toBe('Overwrite 1 change made since the last import with a commit? (y/N) ');
  });

  test('confirms the change of production where nobody can be asked', async () => {
    await cli.run('env', 'mark', '--production', 'on');
    expect(await merge(yaml(BETA), '5d2a1c0', '--no-input')).toMatchObject({ code: 0 });
    await cli.run('off', 'beta', '--yes');
    expect(await merge(yaml(BETA), '6e3b2d1')).toMatchObject({ code: 1 });
    expect(await cli.run('import', yaml(BETA))).toMatchObject({
      code: 1,
      err: expect.stringContaining('is marked as production'),
    });
    cli.typed = 'y';
    expect(await merge(yaml(BETA), '6e3b2d1')).toMatchObject({
      code: 1,
      err: expect.stringContaining('that is not “shop”'),
    });
  });
});
