import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { TestCli } from './testing/cli.ts';

let cli: TestCli;

beforeEach(async () => {
  cli = await TestCli.start();
});
afterEach(() => cli.close());

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
    expect((await cli.run('secret', 'create', 'tv', '--type', 'server')).out).toMatch(
      /^✓ created an SDK key in shop\nserver key "tv": \S+ {3}\(shown only once; store it safely\)$/,
    );
    expect((await cli.run('secret', 'list')).out).toMatch(/mobile.*ends \S+ \d\d:\d\d/);
    expect((await cli.run('secret', 'revoke', rotated.json.id)).out).toMatch(/^✓ revoked SDK key "mobile" in shop$/);
    expect((await cli.run('secret', 'list')).out).toMatch(/mobile.*revoked \S+ \d\d:\d\d/);
    expect(await cli.run('secret', 'rotate', created.id, '--grace', 'soon')).toMatchObject({
      code: 2,
      err: expect.stringContaining('not a duration'),
    });
    expect(await cli.run('secret', 'revoke', 'nobody')).toMatchObject({
      code: 1,
      err: expect.stringContaining('no SDK key "nobody"'),
    });
  });

  test('shows a relay key once with secrets of its environments, lists and revokes it', async () => {
    await cli.run('env', 'create', 'shop');
    await cli.run('env', 'create', 'blog');
    const made = await cli.run('relay', 'create', 'agents', 'shop', 'blog', '--json');
    const { id, key, environments } = made.json;
    expect(key).toMatch(/^rp-/);
    const values = environments.flatMap(({ secrets }: { secrets: { value: string }[] }) => secrets.map((s) => s.value));
    expect(values).toHaveLength(4);
    const text = (await cli.run('relay', 'create', 'others', 'blog')).out;
    expect(text).toMatch(
      /^created relay key "others" \([0-9a-f]{16}\): rp-\S{44}\nblog: client key \S{44}\nblog: server key \S{44}$/,
    );
    const listed = `${(await cli.run('relay', 'list')).out}${(await cli.run('relay', 'list', '--json')).out}`;
    const shown = `${listed}${(await cli.run('env', 'show', '--env', 'shop', '--json')).out}`;
    for (const value of [key, ...values]) expect(shown).not.toContain(value);
    expect(shown).toContain('"name": "relay agents"');
    expect((await cli.run('relay', 'revoke', id)).out).toBe('revoked relay key "agents" and its SDK keys');
    expect((await cli.run('relay', 'list')).out).toMatch(/agents.*shop, blog.*revoked \S+ \d\d:\d\d/);
    expect(await cli.run('relay', 'revoke', 'nobody')).toMatchObject({
      code: 1,
      err: expect.stringContaining('no relay "nobody"'),
    });
    expect(await cli.run('relay', 'create', 'nothing')).toMatchObject({ code: 2 });
  });

  test('the only environment needs no name; of several one must be chosen', async () => {
    expect((await cli.run('list')).err).toContain('there is no environment yet');
    await cli.run('env', 'create', 'a');
    expect((await cli.run('list')).out).toBe('there are no flags');
    await cli.run('env', 'create', 'b');
    expect(await cli.run('list')).toMatchObject({ code: 1, err: expect.stringMatching(/Environments: a, b$/) });
    const named = `error: there are several environments in the table of FLAGS_TABLE, ${process.env['FLAGS_TABLE']}; choose`;
    expect((await cli.run('list')).err).toContain(named);
    expect((await cli.run('list', '--env', 'b')).code).toBe(0);
    expect((await cli.run('env', 'create', 'a')).err).toContain('already');
  });
});

describe('an environment that is deleted', () => {
  test('goes only when that is said twice, and takes nothing else along', async () => {
    await cli.importBenchmark();
    await cli.run('env', 'create', 'other');
    const refused = await cli.run('env', 'delete', 'bench');
    expect(refused).toMatchObject({
      code: 1,
      err: expect.stringContaining('has 7 flags and segments, and 2 SDK keys'),
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

describe('flags', () => {
  test('are switched, archived and restored; doing so again says that nothing is to do', async () => {
    await cli.importBenchmark();
    expect((await cli.run('toggle', 'returns-true')).out).toMatch(/^✓ returns-true is off in bench$/);
    expect((await cli.run('off', 'returns-true')).out).toMatch(/^no change: returns-true is off in bench$/);
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
      [['create', 'x', '--type', 'number'], 'needs its variations'],
      [['evaluate', 'size', '--user', 'u', '--attr', 'plan'], '"plan" is not an attribute'],
      [['undo', 'yesterday'], '"yesterday" is not a date and time'],
      [['import'], "missing required argument 'files'"],
      [['variation', 'edit', 'size', 'S'], 'add --value, --name, or both'],
      [['tag', 'size'], 'add at least one --tag'],
    ] as const) {
      expect(await cli.run(...argv)).toMatchObject({ code: 2, err: expect.stringContaining(message) });
    }
    for (const [argv, message] of [
      [['rollout', 'size', 'XL=100'], 'its variations are: S, M, L'],
      [['rollout', 'size', 'S', 'M'], 'is not a share'],
      [['rule', 'edit', 'size', 'r', 'S=100'], 'has no rule "r"'],
      [['target', 'size', 'XL', 'ann'], 'its variations are: S, M, L'],
      [['create', 'size'], 'already'],
      [['create', 'no spaces'], 'is not valid'],
      [['toggle', 'nothing'], 'there is no flag "nothing"'],
    ] as const) {
      expect(await cli.run(...argv)).toMatchObject({ code: 1, err: expect.stringContaining(message) });
    }
  });
});

describe('segments', () => {
  test('take users in and keep them out; flags that refer to one are updated', async () => {
    await cli.importBenchmark();
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
    expect((await cli.run('segment', 'archive', 'empty')).out).toMatch(/^✓ segment "empty" is archived/);
  });
});

describe('the command line itself', () => {
  test('prints its version, and help for each command', async () => {
    expect((await cli.run('--version')).out).toMatch(/^\d+\.\d+\.\d+$/);
    expect(await cli.run('help', 'rule')).toMatchObject({ code: 0, out: expect.stringContaining('move [options]') });
  });

  test('prints help, and exits with 2 for unknown commands and missing arguments', async () => {
    expect(await cli.run('--help')).toMatchObject({
      code: 0,
      out: expect.stringContaining('npm run flags -- toggle new-checkout'),
    });
    expect(await cli.run('togle', 'x')).toMatchObject({
      code: 2,
      err: expect.stringContaining('Did you mean "toggle"?'),
    });
    expect((await cli.run('zzz')).err).toBe(
      "error: unknown command 'zzz'\nUsage: npm run flags -- <command> [options]\nAll commands: npm run flags -- help",
    );
    expect((await cli.run('help', 'zzz')).err).toMatch(/"zzz"\. All commands: npm run flags -- help$/);
    expect(await cli.run('toggle')).toMatchObject({ code: 2 });
    expect(await cli.run('secret', 'create', 'x', '--type', 'admin')).toMatchObject({
      code: 2,
      err: expect.stringContaining('client, server'),
    });
  });

  test('says what to do without a table and npm start; errors of --json are JSON', async () => {
    delete process.env['FLAGS_TABLE'];
    const { code, err } = await cli.run('list', '--data', cli.directory, '--json');
    expect(code).toBe(1);
    expect(JSON.parse(err).error).toMatch(/npm start.*FLAGS_TABLE/);
  });

  test('a table that is not there is named as the cause', async () => {
    process.env['FLAGS_TABLE'] = 'Elsewhere';
    expect((await cli.run('list')).err).toContain('the table does not exist');
  });
});
