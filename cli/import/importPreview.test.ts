import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import type { Document } from '../../shared/flags/document.ts';
import { aFlag, aSegment } from '../../shared/testing/builders.ts';
import { TestCli } from '../testing/cli.ts';
import { previewImport, previewLines } from './importPreview.ts';

const flag = (fields: Parameters<typeof aFlag>[0]): Document => ({ kind: 'flag', document: aFlag(fields) });

test('lists what is created, and what changes and how', () => {
  const stored = [flag({ key: 'same' }), flag({ key: 'old' }), flag({ key: 'other' })];
  const wanted: Document[] = [
    flag({ key: 'same' }),
    flag({ key: 'old', isEnabled: false }),
    { kind: 'segment', document: aSegment({ id: 'same' }) },
  ];
  const preview = previewImport(stored, wanted);
  expect(preview).toEqual({
    created: ['segment "same"'],
    changed: [{ name: 'flag "old"', differences: ['Switch: on → off'] }],
    unchanged: 1,
  });
  expect(previewLines(preview)).toEqual(['would create segment "same"', 'would change flag "old" Switch: on → off']);
  const many = Array.from({ length: 300 }, (_, n) => flag({ key: `f${n}` }));
  expect(previewLines(previewImport([], many)).slice(-1)).toEqual(['and 100 more']);
});

describe('an import', () => {
  let cli: TestCli;
  beforeEach(async () => {
    cli = await TestCli.start();
    await cli.run('env', 'create', 'shop');
  });
  afterEach(() => cli.close());

  const file = (content: unknown) => {
    const path = join(cli.directory, 'import.json');
    writeFileSync(path, JSON.stringify(content));
    return path;
  };

  test('names values that are not of their flag’s type, and by --strict does nothing', async () => {
    const values = (variationType: string, ...of: string[]) => ({
      ...aFlag({ key: variationType }),
      variationType,
      variations: of.map((value, n) => ({ id: n === 0 ? 'on' : 'off', name: `v${n}`, value })),
    });
    const odd = file([
      values('number', '1', 'ten'),
      values('json', '{"a":1', '{}'),
      values('boolean', 'true', 'yes'),
      values('string', 'any', 'text'),
    ]);
    const dry = await cli.run('import', '--from', 'featbit', odd, '--dry-run', '--json');
    expect(dry.json.warnings).toEqual([
      'flag "number" variations[1]: "ten" is not a number, for example 12.5',
      'flag "json" variations[0]: "{"a":1" is not valid JSON with numbers up to 1.8e308, for example {"size": 12}',
      'flag "boolean" variations[1]: "yes" is not true or false',
    ]);
    expect(dry.err).toContain('warning: flag "json" variations[0]: ');
    const refused = {
      code: 1,
      out: '',
      err: [
        'error: 3 warnings; nothing was imported. Correct the file, or import without --strict:',
        ...dry.json.warnings.map((warning: string) => `  warning: ${warning}`),
      ].join('\n'),
    };
    expect(await cli.run('import', '--from', 'featbit', odd, '--strict')).toMatchObject(refused);
    expect(await cli.run('import', '--from', 'featbit', odd, '--strict', '--dry-run')).toMatchObject(refused);
    expect((await cli.run('list')).out).toBe('there are no flags');
  });

  test('says what it will do, and by --strict does nothing where there is a warning', async () => {
    await cli.run('create', 'f');
    const changed = file([
      { ...(await cli.run('show', 'f', '--json')).json, name: 'older', updatedAt: '2020-01-01T00:00:00.000Z' },
    ]);
    const dry = await cli.run('import', '--from', 'featbit', changed, '--strict', '--dry-run', '--json');
    expect(dry.err).toBe('would change flag "f" Name: f → older');
    expect(dry.json).toMatchObject({ checked: 1, created: [], unchanged: 0 });
    expect(dry.json.changed).toEqual([{ name: 'flag "f"', differences: ['Name: f → older'] }]);
    const [wrong] = JSON.parse(readFileSync(changed, 'utf8'));
    const both = file([{ ...wrong, variations: [{ ...wrong.variations[0], value: 'yes' }, wrong.variations[1]] }]);
    expect((await cli.run('import', '--from', 'featbit', both, '--strict')).err).toMatch(
      'error: 1 warning; nothing was imported. Correct the file, or import without --strict:\n  warning: ',
    );
    expect((await cli.run('show', 'f', '--json')).json.name).toBe('f');
    expect((await cli.run('import', '--from', 'featbit', changed)).err).toContain('0 new, 1 changed, 0 unchanged');
    expect((await cli.run('show', 'f', '--json')).json.name).toBe('older');
  });

  test('fails for a file without flags and segments', async () => {
    expect(await cli.run('import', '--from', 'featbit', file({}))).toMatchObject({
      code: 1,
      err: expect.stringContaining('an object must have "flags" (or "featureFlags") or "segments"'),
    });
  });
});
