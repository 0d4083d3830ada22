import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from '@jest/globals';
import { byKind } from '../shared/flags/document.ts';
import { aUser } from '../shared/testing/builders.ts';
import { compileEnvironment } from '../shared/testing/evaluate.ts';
import { readForeignFile } from './importFile.ts';

const directory = mkdtempSync(join(tmpdir(), 'flagwire-import-'));
afterAll(() => rmSync(directory, { recursive: true }));

const stranger = (name: string) => join(import.meta.dirname, 'testing', 'data', name);
const sample = (...path: string[]) => JSON.parse(readFileSync(join(import.meta.dirname, ...path), 'utf8'));

/** A file with a content. */
function fileOf(content: unknown): string {
  const path = join(directory, 'file.json');
  writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content));
  return path;
}

/** What a user gets from the flags of a file. */
function valuesIn(path: string, attributes: Record<string, string> = {}) {
  const { from, documents, errors, leftOut } = readForeignFile(path, undefined);
  const { flags, segments } = byKind(documents);
  const compiled = compileEnvironment(flags, { segments }).flags;
  const values = compiled.map((flag) => [flag.document.key, flag.evaluate(aUser('ann', attributes)).value]);
  return { from, values: Object.fromEntries(values), problems: [...errors, ...leftOut] };
}

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
    ['flipt.json', 'it has the field "flags.*.enabled" of Flipt, whose files cannot be imported. Create these flags'],
    ['goff-wrapped.json', 'it has the field "flags.*.defaultRule" of GO Feature Flag, whose files cannot be imported.'],
    ['growthbook-map.json', 'it has the field "*.defaultValue" of GrowthBook, whose files cannot be imported. Create'],
    ['ld-summary.json', '"_summary" instead of targets and rules; request the API with ?env=<key>&summary=0'],
  ])('%s is refused with the way out', (name, says) => {
    expect(() => readForeignFile(stranger(name), undefined)).toThrow(says);
  });

  test('openfeature-inmemory.json has flags without a state, which are named', () => {
    const { problems } = valuesIn(stranger('openfeature-inmemory.json'));
    expect(problems).toEqual(['f: not supported: the "state" missing; write "ENABLED" or "DISABLED"']);
  });
});

describe('a file of FeatBit', () => {
  const latest = sample('testing/data/featbit-latest-all.json');
  const [flag] = latest.data.featureFlags;

  test.each<[string, unknown]>([
    ['one flag', flag],
    ['a response with one flag', { success: true, errors: [], data: flag }],
    ['an array', [flag]],
    ['the data of a message', latest.data],
  ])('may be %s', (_, content) => {
    expect(valuesIn(fileOf(content))).toEqual({ from: 'featbit', values: { f: 'true' }, problems: [] });
  });

  test('with flags and featureFlags is read whole', () => {
    const { values, problems } = valuesIn(
      fileOf({ flags: [flag], featureFlags: [{ ...flag, key: 'g' }], segments: [] }),
    );
    expect([values, problems]).toEqual([{ f: 'true', g: 'true' }, []]);
  });

  test('with a change only says so', () => {
    const patch = { ...latest, data: { ...latest.data, eventType: 'patch' } };
    expect(valuesIn(fileOf(patch)).problems).toEqual([expect.stringMatching(/^flags that did not change are not in /)]);
  });
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
    const reading = readForeignFile(fileOf(file), undefined);
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
