import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { TestCli } from './testing/cli.ts';

const data = join(import.meta.dirname, '..', '..', 'shared', 'reference-data');
let cli: TestCli;

beforeEach(async () => {
  cli = await TestCli.start();
});
afterEach(() => cli.close());

const importBenchmark = async () => {
  await cli.run('env', 'create', 'bench');
  return cli.run('import', '--flags', join(data, 'flags.json'), '--segments', join(data, 'segments.json'), '--json');
};

describe('environments and secrets', () => {
  test('a new environment shows its two secrets once, and never again', async () => {
    const { json, code } = await cli.run('env', 'create', 'shop', '--json');
    expect(code).toBe(0);
    expect(json.secrets.map(({ type, value }: { type: string; value: string }) => [type, value.length])).toEqual([
      ['server', 44],
      ['client', 44],
    ]);
    const shown = `${(await cli.run('env', 'show', '--json')).out}${(await cli.run('secret', 'list')).out}`;
    for (const { value } of json.secrets) expect(shown).not.toContain(value);
  });

  test('a secret is created, rotated with a grace, and revoked', async () => {
    await cli.run('env', 'create', 'shop');
    const created = (await cli.run('secret', 'create', 'mobile', '--type', 'client', '--json')).json;
    const rotated = await cli.run('secret', 'rotate', created.id, '--grace', '2h', '--json');
    expect(rotated.json).toMatchObject({ name: 'mobile', type: 'client' });
    expect(rotated.json.value).not.toBe(created.value);
    expect((await cli.run('secret', 'list')).out).toMatch(/mobile.*ends 2/);
    expect((await cli.run('secret', 'revoke', rotated.json.id)).out).toMatch(
      /^revoked "mobile" \(environment "shop", table \S+\)$/,
    );
    expect((await cli.run('secret', 'list')).out).toMatch(/mobile.*revoked 2/);
    expect(await cli.run('secret', 'rotate', created.id, '--grace', 'soon')).toMatchObject({
      code: 1,
      err: expect.stringContaining('not a duration'),
    });
    expect(await cli.run('secret', 'revoke', 'nobody')).toMatchObject({
      code: 1,
      err: expect.stringContaining('no secret "nobody"'),
    });
  });

  test('the only environment needs no name; of several one must be chosen', async () => {
    expect((await cli.run('list')).err).toContain('there is no environment yet');
    await cli.run('env', 'create', 'a');
    expect((await cli.run('list')).out).toBe('there are no flags');
    await cli.run('env', 'create', 'b');
    expect(await cli.run('list')).toMatchObject({ code: 1, err: expect.stringMatching(/--env: .*a.*b|--env: .*b.*a/) });
    expect((await cli.run('list', '--env', 'b')).code).toBe(0);
    expect((await cli.run('env', 'create', 'a')).err).toContain('already');
  });
});

describe('an environment that is deleted', () => {
  test('goes only when that is said twice, and takes nothing else along', async () => {
    await importBenchmark();
    await cli.run('env', 'create', 'other');
    const refused = await cli.run('env', 'delete', 'bench');
    expect(refused).toMatchObject({
      code: 1,
      err: expect.stringContaining('holds 7 flags and segments and 2 secrets'),
    });
    expect((await cli.run('list', '--env', 'bench', '--json')).json).toHaveLength(5);
    const { json } = await cli.run('env', 'delete', 'bench', '--yes', '--json');
    expect(json).toMatchObject({ name: 'bench', documents: 7 });
    expect((await cli.run('env', 'list', '--json')).json).toMatchObject([{ name: 'other' }]);
    expect(await cli.run('env', 'delete', 'bench', '--yes')).toMatchObject({
      code: 1,
      err: expect.stringContaining('no environment "bench"'),
    });
  });
});

describe('import and export', () => {
  test('an import repeated changes nothing; what was exported imports elsewhere', async () => {
    expect((await importBenchmark()).json).toMatchObject({ written: 7, unchanged: 0 });
    expect((await importBenchmark()).json).toMatchObject({ written: 0, unchanged: 7 });
    const file = join(cli.directory, 'export.json');
    expect((await cli.run('export', '--output', file)).out).toContain('wrote 5 flags and 2 segments');
    await cli.run('env', 'create', 'copy');
    expect((await cli.run('import', '--flags', file, '--env', 'copy', '--json')).json).toMatchObject({ written: 7 });
    expect(JSON.parse(readFileSync(file, 'utf8')).flags).toHaveLength(5);
  });

  test('an export to flagd names what is left out and what differs', async () => {
    await importBenchmark();
    const file = join(cli.directory, 'flagd.json');
    const { err, json } = await cli.run('export', '--to', 'flagd', '--output', file, '--json');
    const drawn = 'return-10p-true: has percentages: flagd draws other users for them';
    expect(json).toMatchObject({ output: file, flags: 5, segments: 2, leftOut: [] });
    expect(json.differences).toContain(drawn);
    expect(err).toContain(`different: ${drawn}`);
    const flag = JSON.parse(readFileSync(file, 'utf8')).flags['returns-true'];
    expect(flag.variants[flag.defaultVariant]).toBe(true);
    expect((await cli.run('export', '--to', 'flagg')).code).toBe(2);
  });

  test('an import from flagd names what is left out and what differs, and can be repeated', async () => {
    await cli.run('env', 'create', 'bench');
    const file = join(cli.directory, 'flagd.json');
    const variants = { on: true, off: false };
    const targeting = { if: [{ '<': [{ var: 'age' }, 18] }, 'off'] };
    const flags = {
      sound: { state: 'ENABLED', variants, defaultVariant: 'on', targeting },
      disabled: { state: 'DISABLED', variants, defaultVariant: 'on' },
    };
    writeFileSync(file, JSON.stringify({ flags }));
    const { json, err } = await cli.run('import', '--from', 'flagd', file, '--json');
    expect(json).toMatchObject({
      written: 1,
      leftOut: ['disabled: there is nothing here for a disabled flag, of which clients take the default of their code'],
      differences: ['sound: compares numbers: it does not hold for what is missing, or no number'],
    });
    expect(err).toContain('left out: disabled: ');
    expect(err).toContain('different: sound: ');
    expect((await cli.run('evaluate', 'sound', '--user', 'u', '--attr', 'age=17', '--json')).json.value).toBe('false');
    expect((await cli.run('import', '--from', 'flagd', file, '--json')).json).toMatchObject({
      written: 0,
      unchanged: 1,
    });
    expect((await cli.run('import', file)).err).toContain('go together');
    expect((await cli.run('import', '--from', 'flagd')).err).toContain('go together');
    writeFileSync(file, '[]');
    expect((await cli.run('import', '--from', 'flagd', file)).err).toContain('holds no flags');
  });

  test('every error is named by file, place and path, and nothing is written', async () => {
    await cli.run('env', 'create', 'bench');
    const [good] = JSON.parse(readFileSync(join(data, 'flags.json'), 'utf8'));
    const file = join(cli.directory, 'bad.json');
    writeFileSync(file, JSON.stringify([good, { ...good, key: 'no spaces please', isEnabled: 'yes' }, good]));
    const { code, err } = await cli.run('import', '--flags', file);
    expect(code).toBe(1);
    expect(err).toContain('bad.json: flag 2 (no spaces please): isEnabled: must be true or false, but is a string');
    expect(err).toContain('bad.json: flag 2 (no spaces please): key: must be');
    expect(err).toContain('flag "returns-true" occurs more than once');
    expect((await cli.run('list')).out).toBe('there are no flags');
    writeFileSync(file, '[{"key":');
    expect((await cli.run('import', '--flags', file)).err).toContain('cannot be read as JSON');
    expect((await cli.run('import')).err).toContain('nothing to import');
  });

  test('what would not do what its author meant is a warning; a dry run writes nothing', async () => {
    await cli.run('env', 'create', 'bench');
    const [good] = JSON.parse(readFileSync(join(data, 'flags.json'), 'utf8'));
    const rule = {
      ...good.fallthrough,
      id: 'r',
      name: 'r',
      conditions: [
        { property: 'keyId', op: 'MatchRegex', value: '(' },
        { property: 'keyId', op: 'MatchRegex', value: '[a-z-[aeiou]]' },
        { property: 'User is in segment', op: null, value: '["nowhere"]' },
      ],
    };
    const file = join(cli.directory, 'odd.json');
    writeFileSync(file, JSON.stringify([{ ...good, rules: [rule] }]));
    const { code, err, out } = await cli.run('import', '--flags', file, '--dry-run');
    expect([code, out]).toEqual([0, '1 documents are valid; nothing was written']);
    expect(err).toMatch(/warning: flag "returns-true" rules\[0\]\.conditions\[0\] never matches: is not/);
    expect(err).toMatch(/warning: flag "returns-true" rules\[0\]\.conditions\[1\] has "-\[" in a class: /);
    expect(err).toMatch(/warning: flag "returns-true" rules\[0\]\.conditions\[2\] names segments that do not exist/);
    expect((await cli.run('list')).out).toBe('there are no flags');
  });
});

describe('flags', () => {
  test('are switched, archived and restored; doing so again says that nothing is to do', async () => {
    await importBenchmark();
    expect((await cli.run('toggle', 'returns-true')).out).toMatch(/^returns-true is off \(version 2/);
    expect((await cli.run('off', 'returns-true')).out).toMatch(
      /^no change: returns-true is off already \(environment "bench", table \S+\)$/,
    );
    expect((await cli.run('evaluate', 'returns-true', '--user', 'u1')).out).toBe(
      'false (flag disabled)\n  the flag is off',
    );
    expect((await cli.run('on', 'returns-true', '--json')).json.changes).toMatchObject([
      { kind: 'flag', id: 'returns-true' },
    ]);
    await cli.run('archive', 'returns-true');
    expect((await cli.run('list')).out).not.toContain('returns-true');
    expect((await cli.run('list', '--archived')).out).toContain('archived');
    await cli.run('restore', 'returns-true');
    expect((await cli.run('show', 'returns-true', '--json')).json).toMatchObject({
      isArchived: false,
      isEnabled: true,
    });
  });

  test('are created, rolled out and targeted', async () => {
    await cli.run('env', 'create', 'shop');
    await cli.run(
      'create',
      'size',
      '--on',
      '--type',
      'string',
      '--variation',
      'S',
      '--variation',
      'M',
      '--variation',
      'L',
    );
    await cli.run('rollout', 'size', 'S=33.33', 'M=33.33', 'L=33.34', '--by', 'country');
    const { fallthrough } = (await cli.run('show', 'size', '--json')).json;
    expect(fallthrough.dispatchKey).toBe('country');
    expect(fallthrough.variations.map(({ rollout }: { rollout: number[] }) => rollout)).toEqual([
      [0, 0.3333],
      [0.3333, 0.6666],
      [0.6666, 1],
    ]);
    await cli.run('target', 'size', 'L', 'ann', 'bob');
    await cli.run('target', 'size', 'S', 'bob');
    expect((await cli.run('evaluate', 'size', '--user', 'ann')).out).toBe('L (targeted)\n  ann is a target of L');
    expect((await cli.run('evaluate', 'size', '--user', 'bob')).out).toBe('S (targeted)\n  bob is a target of S');
    await cli.run('untarget', 'size', 'ann');
    expect((await cli.run('evaluate', 'size', '--user', 'ann', '--attr', 'country=x')).out).toMatch(
      /^[SML] \(default\)\n {2}the flag has no rules\n {2}country "x" is at .* % of the users, between /,
    );
    for (const [argv, message] of [
      [['rollout', 'size', 'S=50'], 'must sum to 100'],
      [['rollout', 'size', 'XL=100'], 'its variations are: S, M, L'],
      [['rollout', 'size', 'S', 'M'], 'is not a share'],
      [['rollout', 'size', 'S=100', '--rule', 'r'], 'has no rule "r"'],
      [['target', 'size', 'XL', 'ann'], 'its variations are: S, M, L'],
      [['create', 'size'], 'already'],
      [['create', 'no spaces'], 'is not valid'],
      [['create', 'x', '--type', 'number'], 'needs its variations'],
      [['toggle', 'nothing'], 'there is no flag "nothing"'],
    ] as const) {
      expect(await cli.run(...argv)).toMatchObject({ code: 1, err: expect.stringContaining(message) });
    }
  });
});

describe('segments', () => {
  test('take users in and keep them out; flags that refer to one are updated', async () => {
    await importBenchmark();
    expect((await cli.run('segment', 'include', 'segment-02', 'bob')).out).toContain(
      'updated with it: flag "custom-rule-with-segment"',
    );
    expect((await cli.run('evaluate', 'custom-rule-with-segment', '--user', 'bob')).out).toMatch(/^false \(Rule 2\)\n/);
    await cli.run('segment', 'exclude', 'segment-02', 'bob');
    expect((await cli.run('segment', 'show', 'segment-02', '--json')).json).toMatchObject({
      included: [],
      excluded: ['bob'],
    });
    expect(await cli.run('segment', 'archive', 'segment-02')).toMatchObject({
      code: 1,
      err: expect.stringContaining('custom-rule-with-segment'),
    });
    await cli.run('segment', 'create', 'empty');
    expect((await cli.run('segment', 'archive', 'empty')).out).toMatch(/^empty is archived/);
  });
});

describe('the command line itself', () => {
  test('version, and help for each command', async () => {
    expect((await cli.run('--version')).out).toMatch(/^\d+\.\d+\.\d+$/);
    expect(await cli.run('help', 'rule')).toMatchObject({ code: 0, out: expect.stringContaining('move [options]') });
  });

  test('is completed in a shell', async () => {
    const complete = async (...words: string[]) => {
      const script = (await cli.run('completion', 'bash')).out;
      const typed = words.map((word) => `'${word}'`).join(' ');
      const asked = `COMP_WORDS=(flags ${typed}); COMP_CWORD=${words.length}; _flagwire_flags; echo "\${COMPREPLY[@]}"`;
      return execFileSync('bash', ['-c', `${script}\n${asked}`], { encoding: 'utf8' }).trim();
    };
    expect(await complete('segm')).toBe('segment');
    expect(await complete('segment', 'rule', 'm')).toBe('move');
    expect(await complete('rule', 'add', 'my-flag', 'true', '--i')).toBe('--if');
    expect((await cli.run('completion', 'zsh')).out).toContain('bashcompinit');
    expect((await cli.run('completion', 'fish')).code).toBe(2);
  });

  test('help, unknown commands and missing arguments', async () => {
    expect(await cli.run('--help')).toMatchObject({
      code: 0,
      out: expect.stringContaining('npm run flags -- toggle returns-true'),
    });
    expect(await cli.run('togle', 'x')).toMatchObject({
      code: 2,
      err: expect.stringContaining('Did you mean toggle?'),
    });
    expect(await cli.run('toggle')).toMatchObject({ code: 2 });
    expect(await cli.run('secret', 'create', 'x', '--type', 'admin')).toMatchObject({
      code: 2,
      err: expect.stringContaining('client, server'),
    });
  });

  test('without a table and without npm start it says what to do; with --json errors are JSON', async () => {
    delete process.env['FLAGS_TABLE'];
    const { code, err } = await cli.run('list', '--data', cli.directory, '--json');
    expect(code).toBe(1);
    expect(JSON.parse(err).error).toMatch(/npm start.*FLAGS_TABLE/);
  });

  test('a table that is not there is named as the cause', async () => {
    process.env['FLAGS_TABLE'] = 'Elsewhere';
    expect((await cli.run('list')).err).toContain('there is no such table');
  });
});
