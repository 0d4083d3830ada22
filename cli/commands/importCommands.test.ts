import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { aFlag, aRollout, share } from '../../shared/testing/builders.ts';
import { SERVICES } from '../import/services.ts';
import { REFERENCE_DATA, TestCli } from '../testing/cli.ts';

let cli: TestCli;

beforeEach(async () => {
  cli = await TestCli.start();
});
afterEach(() => cli.close());

describe('import and export', () => {
  test('an import repeated changes nothing; what was exported imports elsewhere', async () => {
    expect((await cli.importBenchmark()).json).toMatchObject({ written: 7, unchanged: 0 });
    expect((await cli.importBenchmark()).json).toMatchObject({ written: 0, unchanged: 7 });
    const file = join(cli.directory, 'export.json');
    expect((await cli.run('export', '--output', file)).out).toContain('wrote 5 flags and 2 segments');
    await cli.run('env', 'create', 'copy');
    expect((await cli.run('import', '--from', 'featbit', file, '--env', 'copy', '--json')).json).toMatchObject({
      written: 7,
    });
    expect(JSON.parse(readFileSync(file, 'utf8')).flags).toHaveLength(5);
  });

  test('leave out flags with keys of all JavaScript objects, which no command creates', async () => {
    await cli.run('env', 'create', 'shop');
    const flag = { state: 'ENABLED', variants: { on: true, off: false }, defaultVariant: 'on' };
    const file = join(cli.directory, 'names.json');
    writeFileSync(file, JSON.stringify({ flags: { toString: flag, f: flag } }));
    const leftOut = 'flag "toString": the key is a property of all JavaScript objects';
    const strict = await cli.run('import', file, '--strict');
    expect([strict.code, strict.err]).toEqual([1, expect.stringContaining(`left out: ${leftOut}`)]);
    const { code, json, err } = await cli.run('import', file, '--json');
    expect([code, json.written, err]).toEqual([0, 1, expect.stringContaining(`left out: ${leftOut}`)]);
    for (const command of [['create'], ['duplicate', 'f']]) {
      const made = await cli.run(...command, 'valueOf');
      expect([made.code, made.err]).toEqual([
        1,
        expect.stringMatching(/flag "valueOf" (is not|would not be) valid: the key is/),
      ]);
    }
  });

  test('take equal variations from FeatBit with a warning, which no command creates', async () => {
    await cli.run('env', 'create', 'shop');
    await cli.run('env', 'create', 'production');
    const file = join(cli.directory, 'equal.json');
    const variations = ['v1', 'v2'].map((id) => ({ id, name: 'blue', value: 'blue' }));
    const fallthrough = aRollout(share('v1', 0, 0.5), share('v2', 0.5, 1));
    const flag = aFlag({ key: 'f', variationType: 'string', variations, disabledVariationId: 'v2', fallthrough });
    writeFileSync(file, JSON.stringify([flag]));
    const shop = ['--env', 'shop'];
    const imported = await cli.run('import', file, ...shop);
    expect([imported.code, imported.err, imported.out]).toEqual([
      0,
      expect.stringContaining('flag 1 (f): it has two variations "blue" with the same value'),
      expect.stringContaining('imported 1, 0 unchanged, 0 left out'),
    ]);
    const deleted = await cli.run('delete', 'f', ...shop, '--verbose');
    const [, version = ''] = /undo (\S+Z)/.exec(deleted.out) ?? [];
    for (const argv of [
      ['undo', version, ...shop],
      ['archive', 'f', ...shop],
      ['restore', 'f', ...shop],
      ['off', 'f', ...shop],
      ['on', 'f', '--at', '+1h', ...shop],
      ['duplicate', 'f', 'g', ...shop],
      ['copy', 'f', '--from', 'shop', '--to', 'production'],
      ['env', 'clone', 'shop', 'staging'],
    ]) {
      const { code, err } = await cli.run(...argv);
      expect([argv, code, err]).toEqual([argv, 0, expect.not.stringContaining('error')]);
    }
    for (const argv of [
      ['create', 'h', '--type', 'string', '--variation', 'red', '--variation', 'red'],
      ['variation', 'add', 'f', 'blue'],
    ]) {
      expect(await cli.run(...argv, ...shop)).toMatchObject({
        code: 1,
        err: expect.stringMatching(/variation.* "(red|blue)"/),
      });
    }
  });

  test('leave out flags with half of a character, also of other services', async () => {
    await cli.run('env', 'create', 'shop');
    const flag = { state: 'ENABLED', variants: { on: 'sale \ud83c', off: '' }, defaultVariant: 'on' };
    const file = join(cli.directory, 'cut.json');
    const whole = { ...flag, variants: { on: 'sale \ud83c\udf55', off: '' } };
    writeFileSync(file, JSON.stringify({ flags: { cut: flag, whole } }));
    const { code, json, err } = await cli.run('import', file, '--json');
    const leftOut = 'left out: flag "cut": variations[0].value has half of a character';
    expect([code, json.written, err]).toEqual([0, 1, expect.stringContaining(leftOut)]);
  });

  test('npm in a folder of the clone: files are in that folder', async () => {
    await cli.importBenchmark();
    const before = { ...process.env };
    const folder = join(cli.directory, 'team');
    mkdirSync(folder);
    const manifest = join(cli.directory, 'package.json');
    Object.assign(process.env, { INIT_CWD: folder, npm_package_name: 'flagwire', npm_package_json: manifest });
    try {
      expect(await cli.run('export', '--output', 'all.json')).toMatchObject({ code: 0 });
      expect(existsSync(join(folder, 'all.json'))).toBe(true);
      expect((await cli.run('import', 'all.json', '--json')).json).toMatchObject({ unchanged: 7 });
    } finally {
      process.env = before;
    }
  });

  test('an export to flagd names what is left out and what differs', async () => {
    await cli.importBenchmark();
    const file = join(cli.directory, 'flagd.json');
    const { err, json } = await cli.run('export', '--to', 'flagd', '--output', file, '--json');
    const drawn = 'return-10p-true: has a percentage rollout: flagd selects other users';
    expect(json).toMatchObject({ output: file, flags: 5, segments: 2, leftOut: [] });
    expect(json.differences).toContain(drawn);
    expect(err).toContain(`different: ${drawn}`);
    const flag = JSON.parse(readFileSync(file, 'utf8')).flags['returns-true'];
    expect(flag.variants[flag.defaultVariant]).toBe(true);
    expect((await cli.run('export', '--to', 'flagg')).code).toBe(2);
  });

  test('an export to flagd that lacks a flag says so, and by --strict writes nothing', async () => {
    await cli.run('env', 'create', 'bench');
    await cli.run('create', 'plain');
    await cli.run('create', 'mail', '--on');
    await cli.run('rule', 'add', 'mail', 'true', '--if', 'email matches ^a');
    const file = join(cli.directory, 'flagd.json');
    const to = ['export', '--to', 'flagd', '--output', file];
    const line = 'mail: flagd cannot express a regular expression on "email"';
    expect(await cli.run(...to, '--strict')).toMatchObject({
      code: 1,
      out: '',
      err: `error: 1 of 2 flags left out; nothing was written. Change or archive these flags, or export without --strict:\n  ${line}`,
    });
    expect(existsSync(file)).toBe(false);
    const { code, err } = await cli.run(...to);
    expect(code).toBe(0);
    expect(err).toContain(`left out: ${line}\n`);
    expect(err).toMatch(/warning: 1 of 2 flags left out$/);
  });

  test('names what an import from flagd leaves out or changes, and can be repeated', async () => {
    await cli.run('env', 'create', 'bench');
    const file = join(cli.directory, 'flagd.json');
    const variants = { on: true, off: false };
    const targeting = { if: [{ '<': [{ var: 'age' }, 18] }, 'off'] };
    const flags = {
      sound: { state: 'ENABLED', variants, defaultVariant: 'on', targeting },
      muted: { state: 'DISABLED', variants, defaultVariant: 'on' },
    };
    writeFileSync(file, JSON.stringify({ flags }));
    const { json, err } = await cli.run('import', '--from', 'flagd', file, '--json');
    expect(json).toMatchObject({
      written: 2,
      leftOut: [],
      differences: [
        'sound: attributes are text here; it can differ where "age" is text, true or false, a list or an object',
        'muted: is disabled: it is archived here, and SDKs return the default in your code',
        expect.stringMatching(/^attributes are text here: a list is its JSON/),
      ],
    });
    expect(err).toContain('different: muted: is disabled: it is archived here');
    expect(err).toContain('different: sound: ');
    expect((await cli.run('evaluate', 'sound', '--user', 'u', '--attr', 'age=17', '--json')).json.value).toBe(false);
    expect((await cli.run('import', '--from', 'flagd', file, '--json')).json).toMatchObject({
      written: 0,
      unchanged: 2,
    });
  });

  test('refuses a file of another form by its field, and names the service it looks like', async () => {
    await cli.run('env', 'create', 'bench');
    const file = join(cli.directory, 'file.json');
    const refused = async (from: string, content: unknown) => {
      writeFileSync(file, JSON.stringify(content));
      const { code, err } = await cli.run('import', '--from', from, file);
      expect(code).toBe(1);
      return err;
    };
    expect(await refused('flagd', [])).toContain(
      'file.json: "flags" must be an object or an array, but is missing; supported files of flagd: flag definitions',
    );
    expect(await refused('flagd', { features: [] })).toContain(
      'file.json: it has the field "features" of Unleash, not of flagd; use --from unleash',
    );
    expect(await refused('featbit', { flags: { f: { variants: {} } } })).toContain(
      'it has the field "flags.*.variants" of flagd, not of FeatBit; use --from flagd',
    );
    expect(await refused('featbit', { flag: {} })).toContain(
      'file.json: an object must have "flags" (or "featureFlags") or "segments"',
    );
    expect(await refused('unleash', JSON.parse(readFileSync(join(REFERENCE_DATA, 'flags.json'), 'utf8')))).toContain(
      'it has the field "*.variationType" of FeatBit, not of Unleash; use --from featbit',
    );
  });

  test.each([
    ['unleash', { features: ['chat'] }, '"features[0]" must be an object, but is a string'],
    ['unleash', { features: [], segments: { a: 1 } }, '"segments" must be an array, but is an object'],
    ['flagsmith', { feature_states: [null], project: {} }, '"feature_states[0]" must be an object, but is null'],
    [
      'flagsmith',
      { feature_states: [], project: { segments: [7] } },
      '"segments[0]" must be an object, but is a number',
    ],
    ['launchdarkly', { items: [[]] }, '"items[0]" must be an object, but is an array'],
  ])('a file of %s with an invalid item is refused, and nothing of it is dropped: %j', async (from, content, says) => {
    const file = join(cli.directory, 'file.json');
    writeFileSync(file, JSON.stringify(content));
    const { code, err } = await cli.run('import', '--from', from, file);
    expect([code, err]).toEqual([1, expect.stringContaining(`file.json: ${says}; supported files of `)]);
  });

  test('a file without --from is recognised by its content, or the services are named', async () => {
    await cli.run('env', 'create', 'bench');
    const file = join(cli.directory, 'flags.json');
    const importOf = (content: unknown, ...options: string[]) => {
      writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content));
      return cli.run('import', file, ...options);
    };
    const disabled = { variants: { on: true } };
    const sound = { state: 'ENABLED', variants: { on: true, off: false }, defaultVariant: 'on' };
    const dry = await importOf({ flags: { sound, disabled } }, '--dry-run');
    expect([dry.code, dry.out]).toEqual([0, 'dry run: 1 new, 0 changed, 0 unchanged, 1 left out; nothing written']);
    expect(dry.err).toContain('read as --from flagd, by its content');
    expect(dry.err).toContain('would create flag "sound"');
    expect((await importOf({ flags: { sound, disabled } })).out).toMatch(
      /^✓ imported 1, 0 unchanged, 1 left out in bench; to take it back: npm run flags -- undo$/,
    );
    const own = readFileSync(join(REFERENCE_DATA, 'flags.json'), 'utf8');
    expect((await importOf(own, '--json')).json).toMatchObject({ written: 5 });
    expect(await importOf({ anything: 1 })).toMatchObject({
      code: 1,
      err: `error: ${file} is a file of no service that import knows: AWS AppConfig, FeatBit, flagd, Flagsmith, GO Feature Flag, LaunchDarkly, Unleash (docs/import.md). For another service, create the flags with the commands create, rule add and rollout, or write them as flag definitions of flagd and import those. If the file has no flags, name its service with --from`,
    });
  });

  test('writes nothing with --strict if something is left out, and exits with 1', async () => {
    await cli.run('env', 'create', 'shop');
    const file = join(cli.directory, 'file.json');
    const strict = async (content: unknown, ...options: string[]) => {
      writeFileSync(file, JSON.stringify(content));
      const { code, out, err } = await cli.run('import', file, '--strict', ...options);
      expect((await cli.run('list')).out).toBe('there are no flags');
      return { code, out, err };
    };
    const variants = { on: true, off: false };
    const sound = { state: 'ENABLED', variants, defaultVariant: 'on' };
    const flagd = { flags: { sound, muted: { ...sound, state: 'OFF' } } };
    const refused = await strict(flagd);
    expect(refused).toEqual({
      code: 1,
      out: '',
      err: [
        'read as --from flagd, by its content',
        'error: 1 left out; nothing was imported. Correct the file, or import without --strict:',
        '  left out: muted: not supported: the "state" "OFF"; write "ENABLED" or "DISABLED"',
      ].join('\n'),
    });
    expect(await strict(flagd, '--dry-run')).toEqual(refused);
    const json = await strict(flagd, '--dry-run', '--json');
    expect([json.code, json.out, JSON.parse(json.err.split('\n')[1] ?? '').error]).toEqual([
      1,
      '',
      expect.stringContaining('left out: muted: '),
    ]);

    const segments = [
      { id: 1, name: 'recent', constraints: [{ contextName: 'v', operator: 'SEMVER_GT', value: '1.0' }] },
    ];
    const features = [{ name: 'chat', enabled: true, strategies: [{ name: 'default', segments: [1] }] }];
    expect(await strict({ features, segments })).toMatchObject({
      code: 1,
      err: expect.stringMatching(/\nerror: 2 left out; .*\n {2}left out: segment recent: .*\n {2}left out: chat: .*$/),
    });
  });

  test.each<[string, string, string]>([
    [
      'a page of several',
      '{"items":[{"key":"f","variations":[{"_id":"1","value":1}],"environments":{"e":{"on":true,"fallthrough":{"variation":0},"offVariation":0}}}],"totalCount":45,"_links":{"next":{"href":"/2"}}}',
      '44 more flags are on other pages ("totalCount" is 45); request all of them, such as with limit and offset',
    ],
    [
      'a member that is not read',
      '{"flags":{"f":{"state":"ENABLED","variants":{"on":true},"defaultVariant":"on"}},"flagSets":{"b":{"flags":{}}}}',
      '"flagSets" (1 member), which the import does not read',
    ],
    [
      'a key twice',
      '{"flags":{"f":{"state":"ENABLED","variants":{"on":true},"variants":{"on":true},"defaultVariant":"on"}}}',
      'an earlier "flags.f.variants": the key occurs more than once, and only the last is imported',
    ],
  ])('--strict refuses a file with %s; without it, the rest is imported', async (_, content, line) => {
    await cli.run('env', 'create', 'shop');
    const file = join(cli.directory, 'file.json');
    writeFileSync(file, content);
    const strict = await cli.run('import', file, '--strict');
    expect([strict.code, strict.err]).toEqual([1, expect.stringContaining(`left out: ${line}`)]);
    expect((await cli.run('list')).out).toBe('there are no flags');
    const { code, out, err } = await cli.run('import', file);
    expect([code, out, err]).toEqual([
      0,
      expect.stringContaining('imported 1, 0 unchanged, 1 left out'),
      expect.stringContaining(`left out: ${line}`),
    ]);
  });

  test('numbers of a file are stored and exported with the same digits', async () => {
    await cli.run('env', 'create', 'shop');
    const file = join(import.meta.dirname, '..', 'testing', 'data', 'bignum.flagd.json');
    expect((await cli.run('import', file, '--strict')).code).toBe(0);
    const values = (flags: { variations: { value: string }[] }[]) =>
      flags.flatMap(({ variations }) => variations.map(({ value }) => value));
    const exported = (await cli.run('export', '--json')).json;
    expect(values(exported.flags)).toEqual(
      expect.arrayContaining(['9007199254740993', '18014398509481985', '1.0', '2.5']),
    );
    const again = join(cli.directory, 'again.json');
    writeFileSync(again, JSON.stringify(exported));
    expect((await cli.run('import', again, '--json')).json).toMatchObject({ written: 0, unchanged: 3, leftOut: [] });
  });

  test('--strict accepts differences, and what is complete', async () => {
    await cli.run('env', 'create', 'shop');
    const file = join(cli.directory, 'file.json');
    const targeting = { if: [{ '<': [{ var: 'age' }, 18] }, 'off'] };
    const sound = { state: 'ENABLED', variants: { on: true, off: false }, defaultVariant: 'on', targeting };
    writeFileSync(file, JSON.stringify({ flags: { sound } }));
    const { code, err } = await cli.run('import', file, '--strict');
    expect([code, err]).toEqual([0, expect.stringContaining('different: sound: ')]);
  });

  test.each([
    ['GrowthBook', { features: { a: { defaultValue: true, rules: [] } } }],
    ['ConfigCat', { p: {}, f: { a: { t: 0, v: { b: true } } } }],
    ['PostHog', { count: 1, results: [{ key: 'a', active: true, filters: { groups: [] } }] }],
  ])('imports nothing from a file of %s, also with --from', async (_, content) => {
    await cli.run('env', 'create', 'shop');
    const file = join(cli.directory, 'flags.file');
    writeFileSync(file, JSON.stringify(content));
    for (const from of Object.keys(SERVICES)) {
      const { code, err } = await cli.run('import', file, '--from', from, '--strict');
      expect([from, code, err]).toEqual([from, 1, expect.stringMatching(/supported files of|nothing was imported/)]);
    }
  });

  test('GO Feature Flag’s YAML is imported, and says what to do next', async () => {
    await cli.run('env', 'create', 'bench');
    const file = join(cli.directory, 'flags.yaml');
    writeFileSync(
      file,
      'a:\n  variations: { on: true, off: false }\n  defaultRule: { percentage: { on: 25, off: 75 } }\n',
    );
    const { err } = await cli.run('import', file);
    expect(err).toContain('read as --from gofeatureflag, by its content');
    expect(err).toContain(
      'different: a: has a percentage rollout: it selects other users; up to 38 % of users get another',
    );
    expect(err).toContain('next: compare values of some users with the old service: ');
  });

  test('AWS AppConfig’s flags are detected, compared and imported, and --prune archives others', async () => {
    await cli.run('env', 'create', 'bench');
    await cli.run('create', 'old');
    const file = join(cli.directory, 'appconfig.json');
    const rule = '(or (ends_with $email "@a.com") (split pct::25 by::$userId))';
    const variants = [
      { name: 'some', enabled: true, rule, attributeValues: { size: 5 } },
      { name: 'others', enabled: false },
    ];
    const beta = { _variants: variants };
    const flags = { beta: { name: 'Beta', attributes: { size: { constraints: { type: 'number', maximum: 9 } } } } };
    writeFileSync(file, JSON.stringify({ version: '1', flags, values: { beta } }));
    const compared = async () => (await cli.run('import', file, '--prune', '--dry-run', '--exit-code')).code;
    expect(await compared()).toBe(1);
    const dry = await cli.run('import', file, '--prune', '--dry-run');
    expect(dry).toMatchObject({ code: 0, out: expect.stringContaining('nothing written') });
    for (const line of [
      'read as --from appconfig, by its content',
      'would create flag "beta"',
      'would archive flag "old"',
      'different: beta: has constraints of attributes, which are not checked here',
      'different: beta: has a percentage rollout: it selects other users; up to 38 % of users get another',
    ])
      expect(dry.err).toContain(line);
    expect(await cli.run('import', '--from', 'appconfig', file, '--prune', '--strict', '--yes')).toMatchObject({
      code: 0,
    });
    const evaluated = await cli.run('evaluate', 'beta', '--user', 'u', '--attr', 'email=ann@a.com', '--json');
    expect(evaluated.json.value).toEqual({ enabled: true, size: 5 });
    writeFileSync(file, JSON.stringify({ version: '2', flags, values: { beta } }));
    expect((await cli.run('import', file)).err).toBe(
      `error: ${file}: "version" must be "1", but is "2"; supported files of AWS AppConfig: the content of a hosted configuration version of the type AWS.AppConfig.FeatureFlags, in JSON`,
    );
    writeFileSync(
      file,
      `{"version": "1", "values": {"a": {"enabled": true, "enabled": false}, "b": {"enabled": "yes"}}`,
    );
    expect((await cli.run('import', file)).err).toContain('cannot be read as JSON');
    writeFileSync(
      file,
      `{"version": "1", "values": {"a": {"enabled": true, "enabled": false}, "b": {"enabled": "yes"}}}`,
    );
    const { err } = await cli.run('import', file, '--dry-run');
    expect(err).toContain(
      'an earlier "values.a.enabled": the key occurs more than once, and only the last is imported',
    );
    expect(err).toContain('b: not supported: enabled: must be true or false, but is a string');
  });

  test('one of several environments is imported with --source-env', async () => {
    await cli.run('env', 'create', 'bench');
    const file = join(cli.directory, 'flags.json');
    const environment = (on: boolean) => ({ on, fallthrough: { variation: 0 }, offVariation: 1 });
    const flag = { key: 'a', variations: [true, false].map((value, n) => ({ _id: String(n), value })) };
    const environments = { production: environment(true), test: environment(false) };
    writeFileSync(file, JSON.stringify({ items: [{ ...flag, environments }] }));
    expect((await cli.run('import', file)).err).toContain(
      '"environments" has several environments: production, test; choose one with --source-env',
    );
    expect((await cli.run('import', file, '--source-env', 'prod')).err).toContain(
      '"environments" has no environment "prod", but production, test',
    );
    await cli.run('import', file, '--source-env', 'production');
    expect((await cli.run('evaluate', 'a', '--user', 'u', '--json')).json.value).toBe(true);
  });

  test('accept FeatBit’s documents by --from, and import segments of another service', async () => {
    await cli.run('env', 'create', 'bench');
    const run = async (from: string, path: string) => (await cli.run('import', '--from', from, path, '--json')).json;
    expect(await run('featbit', join(REFERENCE_DATA, 'flags.json'))).toMatchObject({ unchanged: 0 });
    const file = join(cli.directory, 'unleash.json');
    const segments = [{ id: 1, name: 'staff', constraints: [{ contextName: 'team', operator: 'IN', values: ['us'] }] }];
    const features = [{ name: 'chat', enabled: true, strategies: [{ name: 'default', segments: [1] }] }];
    writeFileSync(file, JSON.stringify({ features, segments }));
    expect(await run('unleash', file)).toMatchObject({ written: 2, leftOut: [], differences: [] });
    expect((await cli.run('evaluate', 'chat', '--user', 'u', '--attr', 'team=us', '--json')).json.value).toBe(true);
  });

  test('every error is named by file, place and path, and nothing is written', async () => {
    await cli.run('env', 'create', 'bench');
    const [good] = JSON.parse(readFileSync(join(REFERENCE_DATA, 'flags.json'), 'utf8'));
    const file = join(cli.directory, 'bad.json');
    writeFileSync(file, JSON.stringify([good, { ...good, key: 'no spaces please', isEnabled: 'yes' }, good]));
    const { code, err } = await cli.run('import', '--from', 'featbit', file);
    expect(code).toBe(1);
    expect(err).toContain('bad.json: flag 2 (no spaces please): isEnabled: must be true or false, but is a string');
    expect(err).toContain('bad.json: flag 2 (no spaces please): key: must be');
    expect(err).toContain('flag "returns-true" occurs more than once');
    expect((await cli.run('list')).out).toBe('there are no flags');
    writeFileSync(file, '[{"key":');
    expect((await cli.run('import', '--from', 'featbit', file)).err).toContain('cannot be read as JSON');
    for (const script of ['flagwire@0.2.0 flags', 'shop@1.0.0 flags:export', 'shop@1.0.0 flags /srv/shop']) {
      writeFileSync(file, `\n> ${script}\n> flagwire export\n\n[]`);
      const { err } = await cli.run('import', file);
      expect(err).toContain('bad.json: npm has written its lines before the content.');
    }
    writeFileSync(file, `{"flags":[${'['.repeat(200_000)}`);
    for (const from of ['featbit', 'flagd', 'launchdarkly']) {
      const { err } = await cli.run('import', '--from', from, file);
      expect(err).toContain(`${file} nests arrays and objects deeper than 1,000 levels`);
    }
  });

  test('a flag in two files is an error that names both, also in a dry run', async () => {
    await cli.run('env', 'create', 'bench');
    const [good] = JSON.parse(readFileSync(join(REFERENCE_DATA, 'flags.json'), 'utf8'));
    const files = ['a.json', 'b.json'].map((name) => join(cli.directory, name));
    for (const file of files) writeFileSync(file, JSON.stringify([good]));
    const { code, err } = await cli.run('import', '--dry-run', '--from', 'featbit', ...files);
    expect(code).toBe(1);
    expect(err).toMatch(/a\.json and .*b\.json: flag "returns-true" occurs more than once/);
  });

  test('warns of conditions that never match; a dry run writes nothing', async () => {
    await cli.run('env', 'create', 'bench');
    const [good] = JSON.parse(readFileSync(join(REFERENCE_DATA, 'flags.json'), 'utf8'));
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
    const { code, err, out } = await cli.run('import', '--from', 'featbit', file, '--dry-run');
    expect([code, out]).toEqual([0, 'dry run: 1 new, 0 changed, 0 unchanged, 0 left out; nothing written']);
    expect(err).toMatch(/warning: flag "returns-true" rules\[0\]\.conditions\[0\] never matches: is not/);
    expect(err).toMatch(/warning: flag "returns-true" rules\[0\]\.conditions\[1\] has "-\[" in a class: /);
    expect(err).toMatch(
      /warning: flag "returns-true" rules\[0\]\.conditions\[2\] refers to segments that do not exist/,
    );
    expect((await cli.run('list')).out).toBe('there are no flags');
  });
});

describe('a file that is nested deeply', () => {
  const LEVELS = 200_000;
  const around = (value: string, levels: number) => `${'['.repeat(levels)}${value}${']'.repeat(levels)}`;
  const fileOf = (content: string) => {
    const file = join(cli.directory, 'deep.json');
    writeFileSync(file, content);
    return file;
  };

  test.each(Object.keys(SERVICES))('is refused by its name, the limit and the way out: %s', async (service) => {
    for (const content of [around('', LEVELS), `{"flags":${around('', LEVELS)}}`, '{"a":'.repeat(LEVELS)]) {
      const file = fileOf(content);
      expect(await cli.run('import', '--from', service, file, '--dry-run')).toMatchObject({
        code: 1,
        err: `error: ${file} nests arrays and objects deeper than 1,000 levels; flatten the nested values or remove them from the file`,
      });
    }
  });

  test('leaves a deeply nested value out of an export to flagd, by name', async () => {
    await cli.run('env', 'create', 'shop');
    const deep = around('', 50_000);
    expect(await cli.run('create', 'f', '--type', 'json', '--variation', `{"a":${deep}}`)).toMatchObject({ code: 0 });
    const { code, err } = await cli.run('export', '--to', 'flagd');
    expect({ code, err }).toEqual({
      code: 0,
      err: expect.stringMatching(
        /^left out: f: .*nests arrays and objects deeper than 1,000 levels\nwarning: 1 of 1 flag left out$/,
      ),
    });
    expect(await cli.run('list', '--json')).toMatchObject({ code: 0 });
  });
});
