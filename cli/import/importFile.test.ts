import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { byKind } from '../../shared/flags/document.ts';
import { aFlag, aSegment, aUser } from '../../shared/testing/builders.ts';
import { compileEnvironment } from '../../shared/testing/evaluate.ts';
import { exportToFlagd } from './flagd/export.ts';
import { readImportFile } from './importFile.ts';

const directory = mkdtempSync(join(tmpdir(), 'flagwire-import-'));
afterAll(() => rmSync(directory, { recursive: true }));

const stranger = (name: string) => join(import.meta.dirname, '..', 'testing', 'data', name);
const sample = (...path: string[]) => JSON.parse(readFileSync(join(import.meta.dirname, ...path), 'utf8'));

/** A file with a content. */
function fileOf(content: unknown, name = 'file.json'): string {
  const path = join(directory, name);
  writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content));
  return path;
}

/** What a user gets from the flags of a file. */
function valuesIn(path: string, attributes: Record<string, string> = {}) {
  const { from, documents, errors, leftOut } = readImportFile(path, undefined);
  const { flags, segments } = byKind(documents);
  const compiled = compileEnvironment(flags, { segments }).flags;
  const values = compiled.map((flag) => [flag.document.key, flag.evaluate(aUser('ann', attributes)).value]);
  return { from, values: Object.fromEntries(values), problems: [...errors, ...leftOut] };
}

test('reads YAML of GO Feature Flag with its types, and only the first document', () => {
  const path = join(directory, 'flags.goff.yaml');
  const flag = (member: string) =>
    `{ ${member}, variations: { True: true, False: false }, defaultRule: { variation: True } }`;
  const first = `a: ${flag('disable: yes')}\nb: ${flag('disable: no')}\nc: ${flag('disable: 1')}\n`;
  const rule = 'targeting: [{ name: everyone, percentage: { True: 100 } }]';
  writeFileSync(path, `${first}d: ${flag(rule)}\n---\na: ${flag('disable: no')}\ne: ${flag('disable: no')}\n`);
  const { documents, leftOut, differences } = readImportFile(path, undefined);
  const { flags } = byKind(documents);
  expect(flags.map(({ key, isArchived }) => [key, isArchived])).toEqual([
    ['a', true],
    ['b', false],
  ]);
  expect(leftOut).toEqual([
    'the documents after the first, which GO Feature Flag does not read',
    'c: not supported: disable must be true or false, but is a number; GO Feature Flag refuses a file with it',
    'd: not supported: a rule without a query',
  ]);
  expect(differences.some((line) => line.startsWith('a: '))).toBe(true);
});

test('names the file and the way out for a condition with too many parts', () => {
  const query = Array.from({ length: 20_000 }, () => 'a eq "x"').join(' or ');
  const flag = {
    variations: { a: true, b: false },
    defaultRule: { variation: 'a' },
    targeting: [{ query, variation: 'b' }],
  };
  const path = fileOf({ f: flag });
  expect(() => readImportFile(path, undefined)).toThrow(
    `${path} has a condition with too many parts; replace "or" of many values by one list, or write several rules`,
  );
});

describe('a file of a stranger', () => {
  test.each<[name: string, from: string, values: Record<string, string>]>([
    ['featbit-latest-all.json', 'featbit', { f: 'true' }],
    ['ld-flagvalues.json', 'launchdarkly', { a: 'x', b: 'blue', c: 'true' }],
    ['ld-variation-and-rollout.json', 'launchdarkly', { a: 'zero' }],
    ['unleash-v4.json', 'unleash', { f: 'true' }],
  ])('%s is imported whole', (name, from, values) => {
    expect(valuesIn(stranger(name), { plan: 'pro' })).toEqual({ from, values, problems: [] });
  });

  test.each<[name: string, says: string]>([
    [
      'flipt.json',
      'is a file of no service that import knows: AWS AppConfig, FeatBit, flagd, Flagsmith, GO Feature Flag, LaunchDarkly',
    ],
    ['growthbook-map.json', 'For another service, create the flags with the commands create, rule add and rollout, or'],
    ['ld-summary.json', '"_summary" instead of targets and rules; request the API with ?env=<key>&summary=0'],
  ])('%s is refused with the way out', (name, says) => {
    expect(() => readImportFile(stranger(name), undefined)).toThrow(says);
  });

  test('openfeature-inmemory.json has flags without a state, which are named', () => {
    const { problems } = valuesIn(stranger('openfeature-inmemory.json'));
    expect(problems).toEqual(['f: not supported: a flag without "state"; write "ENABLED" or "DISABLED"']);
  });
});

describe('a file of FeatBit', () => {
  test.each([undefined, null])(
    'leaves out a flag with a rule whose conditions are %j, and refuses such a segment',
    (conditions) => {
      const rules = [{ id: 'r', name: 'r', conditions, variations: [{ id: 'true', rollout: [0, 1] }] }];
      const why = 'rules[0].conditions is null or missing, which FeatBit refuses';
      const flags = readImportFile(fileOf([{ ...aFlag({ key: 'f' }), rules }, aFlag({ key: 'g' })]), 'featbit');
      expect(flags).toMatchObject({ errors: [], documents: [{ document: { key: 'g' } }] });
      expect(flags.leftOut.join()).toContain(`flag f: ${why}`);
      const segments = readImportFile(fileOf([{ ...aSegment({ id: 's' }), rules }]), 'featbit');
      expect(segments.errors.join()).toContain(why);
    },
  );

  const latest = sample('../testing/data/featbit-latest-all.json');
  const [flag] = latest.data.featureFlags;

  test.each<[string, unknown]>([
    ['one flag', flag],
    ['a response with one flag', { success: true, errors: [], data: flag }],
    ['an array', [flag]],
    ['the data of a message', latest.data],
  ])('may be %s', (_, content) => {
    expect(valuesIn(fileOf(content))).toEqual({ from: 'featbit', values: { f: 'true' }, problems: [] });
  });

  test('is read whole if it has both flags and featureFlags', () => {
    const { values, problems } = valuesIn(
      fileOf({ flags: [flag], featureFlags: [{ ...flag, key: 'g' }], segments: [] }),
    );
    expect([values, problems]).toEqual([{ f: 'true', g: 'true' }, []]);
  });

  test('says if it has only a change', () => {
    const patch = { ...latest, data: { ...latest.data, eventType: 'patch' } };
    expect(valuesIn(fileOf(patch)).problems).toEqual([expect.stringMatching(/^flags that did not change are not in /)]);
  });
});

describe('a ConfigMap with a file of GO Feature Flag', () => {
  const yaml =
    'f:\n  disable: yes\n  version: 1\n  variations: {on: true, off: false}\n  defaultRule: {variation: on}\n';
  const resource = { apiVersion: 'v1', kind: 'ConfigMap', data: { 'flags.yaml': yaml, other: 'a: [' } };

  test.each([
    ['JSON', 'map.json', resource],
    ['YAML', 'map.yaml', resource],
    ['a list', 'list.json', { apiVersion: 'v1', kind: 'List', items: [resource] }],
  ])('is read as the file itself, in %s', (_, name, content) => {
    const alone = readImportFile(fileOf(yaml, 'flags.yaml'), undefined);
    const read = readImportFile(fileOf(content, name), undefined);
    expect(alone.documents).toMatchObject([{ document: { key: 'f', isArchived: true } }]);
    expect([read.from, read.documents]).toEqual([alone.from, alone.documents]);
  });
});

describe('documents of one file', () => {
  const flagd = (key: string, on: unknown) => ({
    flags: { [key]: { state: 'ENABLED', variants: { on }, defaultVariant: 'on' } },
  });
  const leftOutOf = (...documents: unknown[]) => readImportFile(fileOf({ documents }), undefined).leftOut;

  test('have the last flag of a key, and name the others', () => {
    const file = fileOf({ documents: [flagd('f', 'a'), flagd('f', 'b'), flagd('g', 'c')] });
    expect(valuesIn(file)).toMatchObject({ values: { f: 'b', g: 'c' } });
    expect(readImportFile(file, undefined).leftOut).toEqual([
      'an earlier "flags.f": another document has it too, and only the last is imported',
    ]);
  });

  test('are named if they have no flags, except other resources of Kubernetes', () => {
    const resource = { apiVersion: 'v1', kind: 'Service', spec: { ports: [] } };
    const unknown = { ...resource, kind: 'FeatureFlag', spec: { flagSpec: { flagz: {} } } };
    expect(leftOutOf(flagd('f', 'a'), resource, { flagz: {} }, unknown)).toEqual([
      'document 3, which is a file of no service that import knows',
      'document 4, which is a file of no service that import knows',
    ]);
  });

  test('may be flags of GO Feature Flag by their keys', () => {
    const flag = { variations: { on: 'a' }, defaultRule: { variation: 'on' } };
    expect(valuesIn(fileOf({ documents: [{ f: flag }, { g: flag }] })).values).toEqual({ f: 'a', g: 'a' });
  });

  test('keep the flags of every document of FeatBit', () => {
    const [flag] = sample('../testing/data/featbit-latest-all.json').data.featureFlags;
    const documents = [{ flags: [flag] }, { flags: [{ ...flag, key: 'g' }] }];
    expect(valuesIn(fileOf({ documents })).values).toEqual({ f: 'true', g: 'true' });
    expect(leftOutOf(...documents, { flagz: [] })).toEqual([
      'document 3, which is a file of no service that import knows',
    ]);
  });
});

test('a file without environments is refused with --source-env', () => {
  for (const content of [{ features: [] }, { flagValues: { f: true } }])
    expect(() => readImportFile(fileOf(content), undefined, 'prod')).toThrow(
      'the file has no environment "prod", but none',
    );
  expect(() => readImportFile(fileOf({ flags: {} }), 'flagd', 'prod')).toThrow(
    'omit --source-env: files of flagd have one environment',
  );
});

test('a resource of Kubernetes is read as its flag definitions', () => {
  const flagSpec = { flags: { f: { state: 'ENABLED', variants: { on: true, off: false }, defaultVariant: 'on' } } };
  for (const spec of [{ flagSpec }, { featureFlagSpec: flagSpec }]) {
    const resource = { apiVersion: 'core.openfeature.dev/v1beta1', kind: 'FeatureFlag', metadata: { name: 'f' }, spec };
    expect(valuesIn(fileOf(resource))).toEqual({ from: 'flagd', values: { f: 'true' }, problems: [] });
  }
});

test.each([
  // This public sample has a flag outside of "flags".
  ['flagd', 'flagd/testing/data/example_flags.flagd.json', '', ['"demo" (4 members), which the import does not read']],
  ['flagsmith', 'flagsmith/testing/data/environment.json', '', []],
  ['launchdarkly', 'launchdarkly/testing/data/target-match.json', 'sdkData', []],
  ['unleash', 'unleash/testing/data/08-variants.json', 'state', []],
])('every member of a file of %s that is not read is named', (from, path, member, unread) => {
  const content = member === '' ? sample(path) : sample(path)[member];
  const unreadIn = (file: unknown) => {
    const reading = readImportFile(fileOf(file), undefined);
    return [reading.from, reading.leftOut.filter((line) => /does not read|other pages/.test(line))];
  };
  expect(unreadIn(content)).toEqual([from, unread]);
  expect(unreadIn({ ...content, archivedFlags: ['a'], next: '/2' })).toEqual([
    from,
    [
      ...unread,
      '"archivedFlags" (1 member), which the import does not read',
      expect.stringMatching(/^more flags are on other pages/),
    ],
  ]);
});

describe('a number in a file', () => {
  /** The values of the variations of a file's only flag. */
  const variationsIn = (text: string) => {
    const { documents, leftOut, differences } = readImportFile(fileOf(text), undefined);
    const [flag] = byKind(documents).flags;
    return { values: flag?.variations.map(({ value }) => value), type: flag?.variationType, leftOut, differences };
  };

  test('keeps its text as a value: bignum.flagd.json', () => {
    const { documents, leftOut, differences } = readImportFile(stranger('bignum.flagd.json'), undefined);
    const values = byKind(documents).flags.map(({ variations }) => variations.map(({ value }) => value));
    expect(values).toEqual([
      ['9007199254740993', '18014398509481985'],
      ['1.0', '2.5'],
      ['{"2":"y","10":"x","tenant":9007199254740993,"rate":1.0}', '{}'],
    ]);
    expect(leftOut).toEqual([]);
    expect(differences).toEqual([
      'flags.conf.variants.a: JSON whose keys are whole numbers lists these first, in ascending order',
    ]);
  });

  test('changes no order that has a meaning as the key of a flag or variant', () => {
    const flag = '{"state":"ENABLED","variants":{"b":"x","10":"y","2":"z"},"defaultVariant":"b"}';
    expect(variationsIn(`{"flags":{"f":${flag}}}`)).toMatchObject({ leftOut: [], differences: [] });
    const { documents, differences } = readImportFile(fileOf(`{"flags":{"b":${flag},"7":${flag}}}`), undefined);
    expect([documents.length, differences]).toEqual([2, []]);
  });

  const number = fc.oneof(
    fc.bigInt({ min: -(2n ** 63n), max: 2n ** 64n - 1n }).map(String),
    fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => JSON.stringify(value)),
    fc.constantFrom('1.0', '-0', '0.10', '1e2', '1E+2', '123456789.1234567890123', '9007199254740993.0'),
  );
  /** JSON text without spaces, whose objects have keys in the order that JavaScript keeps. */
  const { json } = fc.letrec<{ json: string }>((tie) => ({
    json: fc.oneof(
      { maxDepth: 3 },
      number,
      fc.constantFrom('true', 'null', '"x"', '"1.0"'),
      fc.array(tie('json')).map((items) => `[${items.join()}]`),
      fc
        .uniqueArray(fc.tuple(fc.string({ minLength: 1 }), tie('json')), { selector: ([key]) => key })
        .map((all) => all.filter(([key]) => !/^\d+$/.test(key)))
        .map((all) => `{${all.map(([key, value]) => `${JSON.stringify(key)}:${value}`).join()}}`),
    ),
  }));
  const files: readonly (readonly [string, (value: string) => string])[] = [
    ['flagd', (value) => `{"flags":{"f":{"state":"ENABLED","variants":{"a":${value}},"defaultVariant":"a"}}}`],
    [
      'LaunchDarkly',
      (value) =>
        `{"flags":{"f":{"on":true,"variations":[${value}],"fallthrough":{"variation":0.0},"offVariation":0}},"segments":{}}`,
    ],
    ['LaunchDarkly’s flagValues', (value) => `{"flagValues":{"f":${value}}}`],
  ];

  test.each(files)('keeps its text, like any other JSON value: %s', (_, file) => {
    const check = () =>
      fc.assert(
        fc.property(json, (value) => {
          const { values, leftOut, differences } = variationsIn(file(value));
          const expected = value.startsWith('"') ? JSON.parse(value) : value;
          if (values?.[0] !== expected || leftOut.length + differences.length > 0)
            throw new Error(JSON.stringify({ values, leftOut, differences }));
        }),
      );
    expect(check).not.toThrow();
  });

  test('keeps its text in an import from flagd and an export to it', () => {
    const [[, file] = ['', String]] = files;
    const values = fc.oneof(number, json).filter((value) => /^[-\d{]/.test(value));
    const check = () =>
      fc.assert(
        fc.property(values, (value) => {
          const { documents } = readImportFile(fileOf(file(value)), undefined);
          const exported = exportToFlagd(documents);
          const text = JSON.stringify(exported.file.flags['f']?.variants);
          if (text !== `{"a":${value}}`) throw new Error(`${text} ${exported.leftOut}`);
        }),
      );
    expect(check).not.toThrow();
  });

  test('keeps its text as a value of Flagsmith', () => {
    const stateOf = (value: string) =>
      `{"feature_states":[{"enabled":true,"feature":{"name":"f"},"feature_state_value":${value},"multivariate_feature_state_values":[]}],"project":{"segments":[]}}`;
    for (const value of ['9007199254740993', '1.50']) {
      expect(variationsIn(stateOf(value))).toMatchObject({ values: [value], type: 'number', leftOut: [] });
    }
  });

  const ASKING: readonly (readonly [string, (value: string) => string])[] = [
    [
      'flagd ===',
      (value) =>
        `{"flags":{"f":{"state":"ENABLED","variants":{"a":1,"b":2},"defaultVariant":"b","targeting":{"if":[{"===":[{"var":"id"},${value}]},"a"]}}}}`,
    ],
    [
      'flagd in',
      (value) =>
        `{"flags":{"f":{"state":"ENABLED","variants":{"a":1,"b":2},"defaultVariant":"b","targeting":{"if":[{"in":[{"var":"id"},[${value},"x"]]},"a"]}}}}`,
    ],
    [
      'LaunchDarkly in',
      (value) =>
        `{"flags":{"f":{"on":true,"variations":[1,2],"rules":[{"clauses":[{"attribute":"id","op":"in","values":[${value}]}],"variation":0}],"fallthrough":{"variation":1},"offVariation":1}}}`,
    ],
    [
      'Flagsmith EQUAL',
      (value) =>
        `{"feature_states":[{"enabled":false,"feature":{"name":"f"},"feature_state_value":null}],"project":{"segments":[{"id":1,"name":"s","rules":[{"type":"ALL","conditions":[{"property_":"id","operator":"EQUAL","value":"${value}"}]}],"feature_states":[{"enabled":true,"feature":{"name":"f"},"feature_state_value":null}]}]}}`,
    ],
  ];

  test.each(ASKING)('matches in a condition as a request has it, and no neighbour does: %s', (_, file) => {
    const check = () =>
      fc.assert(
        fc.property(fc.bigInt({ min: -(2n ** 63n), max: 2n ** 64n - 2n }), (id) => {
          const { documents, leftOut, differences } = readImportFile(fileOf(file(String(id))), undefined);
          const { flags, segments } = byKind(documents);
          const [flag] = compileEnvironment(flags, { segments }).flags;
          const [same, next] = [id, id + 1n].map((of) => flag?.evaluate(aUser('ann', { id: String(of) })).value);
          if (leftOut.length > 0 || same === undefined || same === next) throw new Error(JSON.stringify([same, next]));
          if (!differences.length) throw new Error('no differences');
        }),
      );
    expect(check).not.toThrow();
  });

  test.each(ASKING)('appears in a condition as JavaScript writes it, if it is short: %s', (_, file) => {
    for (const value of ['18', '18.0', '1.8e1']) {
      const { documents } = readImportFile(fileOf(file(value)), undefined);
      const { flags, segments } = byKind(documents);
      const [flag] = compileEnvironment(flags, { segments }).flags;
      const [same, other] = ['18', '17'].map((id) => flag?.evaluate(aUser('ann', { id })).value);
      expect([value, same]).not.toEqual([value, other]);
    }
  });
});

describe('a key that occurs twice', () => {
  const one = '{"state":"ENABLED","variants":{"on":true},"defaultVariant":"on"}';
  test.each<[string, string]>([
    [`{"flags":{"f":${one},"f":${one}}}`, '"flags.f"'],
    [`{"flags":{},"flags":{"f":${one}}}`, '"flags"'],
    [`{"flags":{"f":{"state":"DISABLED",${one.slice(1)}}}`, '"flags.f.state"'],
    ['{"flagValues":{"f":1,"f":2}}', '"flagValues.f"'],
  ])('is left out except the last: %s', (text, path) => {
    const { leftOut, documents } = readImportFile(fileOf(text), undefined);
    expect(leftOut).toEqual([`an earlier ${path}: the key occurs more than once, and only the last is imported`]);
    expect(documents).toHaveLength(1);
  });

  test('is named in a file of FeatBit', () => {
    const { leftOut } = readImportFile(fileOf('{"flags":[],"segments":[],"flags":[]}'), 'featbit');
    expect(leftOut).toEqual(['an earlier "flags": the key occurs more than once, and only the last is imported']);
  });
});

describe('a file with a byte-order mark', () => {
  const text = JSON.stringify(sample('../testing/data/featbit-latest-all.json'));
  const utf16 = Buffer.from(`\ufeff${text}`, 'utf16le');
  test.each<[string, Buffer]>([
    ['UTF-8', Buffer.from(`\ufeff${text}`)],
    ['UTF-16LE', utf16],
    ['UTF-16BE', Buffer.from(utf16).swap16()],
  ])('is read: %s', (_, bytes) => {
    const path = join(directory, 'marked.json');
    writeFileSync(path, bytes);
    expect(valuesIn(path)).toEqual({ from: 'featbit', values: { f: 'true' }, problems: [] });
  });

  test('is refused with the line if its bytes are no text', () => {
    const path = join(directory, 'latin1.json');
    writeFileSync(path, Buffer.from('{"flags":\n"\u00f6"}', 'latin1'));
    expect(() => readImportFile(path, undefined)).toThrow('cannot be read: line 2 has bytes that are not UTF-8. Save');
  });
});
