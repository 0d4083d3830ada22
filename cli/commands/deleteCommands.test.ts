import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { asDeleted } from '../../shared/flags/deletion.ts';
import { aFlag } from '../../shared/testing/builders.ts';
import { TestCli } from '../testing/cli.ts';

let cli: TestCli;

beforeEach(async () => {
  cli = await TestCli.start();
  await cli.run('env', 'create', 'shop');
});
afterEach(() => cli.close());

const undoIn = (text: string) => /undo (\S+Z)/.exec(text)?.[1] ?? '';

describe('a deleted flag', () => {
  test('is not shown anywhere, says how to bring it back, and comes back as it was', async () => {
    await cli.run('create', 'f', '--on');
    await cli.run('rule', 'add', 'f', 'false', '--if', 'plan=pro');
    const before = (await cli.run('show', 'f', '--json')).json;
    const { err, ...deleted } = await cli.run('delete', 'f');
    expect(err).toBe('');
    expect(deleted).toMatchObject({
      code: 0,
      out: expect.stringMatching(/^✓ deleted flag "f" in shop; to bring back what was deleted: npm run flags -- undo$/),
    });
    expect((await cli.run('list', '--archived')).out).toBe('there are no flags');
    expect((await cli.run('evaluate', '--user', 'u')).out).toBe('there are no flags');
    const [{ version }] = (await cli.run('history', '--json')).json;
    const message = `flag "f" was deleted; \`undo ${version}\` restores it, unless it was imported as deleted; \`list\` shows all flags`;
    for (const argv of [
      ['show', 'f'],
      ['toggle', 'f'],
      ['restore', 'f'],
      ['rule', 'remove', 'f', '1'],
      ['evaluate', 'f', '--user', 'u'],
      ['delete', 'f'],
    ]) {
      expect(await cli.run(...argv)).toMatchObject({ code: 1, err: `error: ${message}` });
    }
    expect((await cli.run('undo', version)).code).toBe(0);
    const after = (await cli.run('show', 'f', '--json')).json;
    expect(after).toEqual({ ...before, updatedAt: after.updatedAt });
    expect(after.updatedAt > version).toBe(true);
  });

  test('frees its key for a new flag with another id', async () => {
    await cli.run('create', 'f');
    const { id } = (await cli.run('show', 'f', '--json')).json;
    const { out } = await cli.run('delete', 'f', '--verbose');
    expect(out).toMatch(/^✓ deleted flag "f" in shop \(version \S+Z, table \S+\); to bring back what was deleted: \S/);
    expect((await cli.run('create', 'f', '--type', 'number', '--variation', '1')).code).toBe(0);
    const created = (await cli.run('show', 'f', '--json')).json;
    expect(created.id).not.toBe(id);
    expect(created).toMatchObject({ variationType: 'number', isArchived: false });
    expect(await cli.run('undo', undoIn(out))).toMatchObject({
      code: 1,
      err: 'error: another flag, named "f", has the key "f" now. Delete that flag first, then repeat the undo',
    });
    await cli.run('delete', 'f');
    expect((await cli.run('undo', undoIn(out))).code).toBe(0);
    expect((await cli.run('show', 'f', '--json')).json.id).toBe(id);
  });

  test('goes together with others, or not at all where one is not there', async () => {
    for (const key of ['a', 'b', 'c']) await cli.run('create', key);
    expect(await cli.run('delete', 'a', 'x')).toMatchObject({ code: 1, err: expect.stringContaining('no flag "x"') });
    const { json } = await cli.run('delete', 'a', 'b', '--json');
    expect(json.changes).toMatchObject([
      { kind: 'flag', id: 'a' },
      { kind: 'flag', id: 'b' },
    ]);
    expect((await cli.run('list', '--json')).json).toMatchObject([{ key: 'c' }]);
    expect((await cli.run('undo', json.changes[1].updatedAt)).out).toMatch(
      /^✓ undid the change of \S+ \d\d:\d\d in \w+; changed: flag "a", flag "b"$/,
    );
    expect((await cli.run('list', '--json')).json).toHaveLength(3);
  });

  test('is absent from diffs, clones and exports to flagd, and survives an import', async () => {
    await cli.run('create', 'f');
    await cli.run('create', 'g');
    await cli.run('delete', 'f');
    expect((await cli.run('env', 'clone', 'shop', 'copy', '--json')).json.documents).toBe(1);
    expect((await cli.run('env', 'diff', 'shop', 'copy')).out).toBe(
      '"shop" and "copy" have the same flags and segments',
    );
    expect((await cli.run('env', 'delete', 'shop')).err).toContain('has 1 flag or segment');
    const flagd = (await cli.run('export', '--to', 'flagd', '--env', 'shop')).out;
    expect(Object.keys(JSON.parse(flagd).flags)).toEqual(['g']);
    const file = join(cli.directory, 'shop.json');
    expect((await cli.run('export', '--output', file, '--env', 'shop')).out).toBe(
      `wrote 1 flag and 0 segments to ${file}`,
    );
    await cli.run('env', 'create', 'other');
    expect((await cli.run('import', '--from', 'featbit', file, '--env', 'other', '--json')).json).toMatchObject({
      written: 1,
      sentAnew: 0,
    });
    expect((await cli.run('list', '--archived', '--env', 'other', '--json')).json).toMatchObject([{ key: 'g' }]);
    const again = await cli.run('import', '--from', 'featbit', file, '--env', 'copy', '--json');
    expect(again.json).toMatchObject({ written: 0, unchanged: 1 });
    const live = JSON.parse(readFileSync(file, 'utf8')).flags.map((flag: object) => ({ ...flag, isDeleted: false }));
    writeFileSync(file, JSON.stringify(live));
    const plan = await cli.run('import', '--from', 'featbit', file, '--env', 'shop', '--dry-run', '--json');
    expect(plan.json.created).toEqual(['flag "f"']);
  });
});

test('a deleted segment is named in comparisons of flags that refer to it', async () => {
  await cli.run('segment', 'create', 'Beta');
  await cli.run('create', 'f');
  await cli.run('rule', 'add', 'f', 'true', '--if', 'in segment Beta');
  await cli.run('archive', 'f');
  await cli.run('segment', 'delete', 'Beta');
  await cli.run('restore', 'f');
  await cli.run('env', 'create', 'other');
  await cli.run('create', 'f', '--env', 'other');
  const line = 'flag "f" Rule “Rule 1”: in segment Beta → true → none';
  expect((await cli.run('env', 'diff', 'shop', 'other')).out).toBe(line);
  const file = join(cli.directory, 'flags.json');
  await cli.run('export', '--env', 'other', '--output', file);
  const dry = await cli.run('import', '--from', 'featbit', file, '--env', 'shop', '--dry-run');
  expect(dry.err.split('\n')).toContainEqual(expect.stringContaining(`would change ${line}`));
});

test('an import of deleted flags only names no undo, because it would change nothing', async () => {
  const file = join(cli.directory, 'flags.json');
  writeFileSync(file, JSON.stringify([asDeleted(aFlag({ key: 'gone' }))]));
  const place = /^✓ imported 0, 0 unchanged, 0 left out in shop$/;
  expect((await cli.run('import', '--from', 'featbit', file)).out).toMatch(place);
  expect((await cli.run('show', 'gone')).err).toContain(', unless it was imported as deleted; ');
});

describe('a deleted segment', () => {
  test('must not be referred to, is not shown, and comes back', async () => {
    await cli.run('segment', 'create', 'Beta');
    await cli.run('create', 'f');
    await cli.run('rule', 'add', 'f', 'true', '--if', 'in segment Beta');
    expect(await cli.run('segment', 'delete', 'Beta')).toMatchObject({
      code: 1,
      err: 'error: segment "Beta" cannot be deleted: these flags refer to it: f',
    });
    await cli.run('rule', 'remove', 'f', 'Rule 1');
    const { out } = await cli.run('segment', 'delete', 'Beta', '--verbose');
    expect((await cli.run('segment', 'list')).out).toBe('there are no segments');
    for (const argv of [
      ['segment', 'show', 'Beta'],
      ['segment', 'restore', 'Beta'],
      ['rule', 'add', 'f', 'true', '--if', 'in segment Beta'],
    ]) {
      expect(await cli.run(...argv)).toMatchObject({
        code: 1,
        err: expect.stringContaining(`segment "Beta" was deleted; \`undo ${undoIn(out)}\``),
      });
    }
    await cli.run('undo', undoIn(out));
    expect((await cli.run('segment', 'show', 'Beta', '--json')).json).toMatchObject({ isArchived: false });
  });

  test('frees its name for a new segment with another id', async () => {
    const { id } = (await cli.run('segment', 'create', 'Beta', '--json')).json.changes[0];
    await cli.run('segment', 'delete', 'Beta');
    const created = await cli.run('segment', 'create', 'Beta', '--json');
    expect(created.code).toBe(0);
    expect(created.json.changes[0].id).not.toBe(id);
  });

  test('still matches for a restored flag, also in clones and exports, and is not copied', async () => {
    await cli.run('segment', 'create', 'Beta');
    await cli.run('segment', 'include', 'Beta', 'ann');
    await cli.run('create', 'f', '--on');
    await cli.run('rule', 'add', 'f', 'false', '--if', 'in segment Beta');
    await cli.run('archive', 'f');
    await cli.run('segment', 'delete', 'Beta');
    await cli.run('restore', 'f');
    const valueIn = async (env: string) =>
      (await cli.run('evaluate', 'f', '--user', 'ann', '--env', env, '--json')).json;
    const before = await valueIn('shop');

    await cli.run('env', 'clone', 'shop', 'clone');
    expect(await valueIn('clone')).toEqual(before);
    expect((await cli.run('segment', 'list', '--env', 'clone')).out).toBe('there are no segments');
    const shown = (await cli.run('segment', 'show', 'Beta', '--env', 'clone')).err;
    expect((await cli.run('undo', undoIn(shown), '--env', 'clone')).code).toBe(0);
    expect((await cli.run('segment', 'show', 'Beta', '--env', 'clone', '--json')).json.included).toEqual(['ann']);

    const flagd = await cli.run('export', '--to', 'flagd', '--env', 'shop');
    expect(Object.values(JSON.parse(flagd.out).$evaluators)).toHaveLength(1);
    const file = join(cli.directory, 'shop.json');
    await cli.run('export', '--output', file, '--env', 'shop');
    await cli.run('env', 'create', 'other');
    expect((await cli.run('import', file, '--env', 'other')).err).not.toContain('warning');
    expect(await valueIn('other')).toEqual(before);

    await cli.run('env', 'create', 'empty');
    expect(await cli.run('copy', 'f', '--from', 'shop', '--to', 'empty', '--with-segments')).toMatchObject({
      code: 1,
      err: expect.stringMatching(/^error: flag "f" refers to a deleted segment: segment "Beta" of "shop" was deleted;/),
    });
  });
});
