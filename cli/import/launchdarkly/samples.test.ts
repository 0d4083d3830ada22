import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { aUser } from '../../../shared/testing/builders.ts';
import { compileEnvironment } from '../../../shared/testing/evaluate.ts';
import { importFromLaunchDarkly } from './import.ts';

interface Case {
  readonly name: string;
  readonly flagKey: string;
  readonly value: unknown;
  readonly context: { readonly kind?: string; readonly key?: string; readonly custom?: object };
}

/** The number of imported flags and segments of each file, and the reasons for the others. */
const SAMPLES: readonly [
  name: string,
  imported: readonly [flags: number, segments: number],
  reasons: readonly string[],
][] = [
  ['rule-match.json', [3, 0], ['the operator unsupportedOperator']],
  [
    'segment-match.json',
    [3, 2],
    [
      'contexts of the kind kind1',
      'a percentage rule in a segment',
      'the segment segment-with-context-kinds, which is not imported',
      'the segment segment99, which is not imported',
      'the segment segment3, which is not imported',
    ],
  ],
  ['target-match.json', [3, 0], ['contexts of the kind other']],
];

const directory = join(import.meta.dirname, 'testing', 'data');

/** A user with one value for each attribute; undefined for other contexts. */
function userOf({ kind = 'user', key, custom, ...fields }: Case['context']) {
  const attributes = Object.entries({ ...fields, ...custom }).filter(([, value]) => value !== null);
  if (kind !== 'user' || key === undefined) return undefined;
  return aUser(key, Object.fromEntries(attributes.map(([name, value]) => [name, String(value)])));
}

describe('LaunchDarkly’s tests of its SDKs', () => {
  test.each(SAMPLES)('%s: imported flags give what they ask for; the others are named', (name, imported, reasons) => {
    const { sdkData, evaluations } = JSON.parse(readFileSync(join(directory, name), 'utf8'));
    const translation = importFromLaunchDarkly(sdkData);
    const { flags, segments, leftOut } = translation;
    const compiled = new Map(compileEnvironment(flags, { segments }).flags.map((flag) => [flag.document.key, flag]));
    const others = evaluations.flatMap((asked: Case) => {
      const [flag, user] = [compiled.get(asked.flagKey), userOf(asked.context)];
      const ours = user && flag?.evaluate(user).value;
      return ours === undefined || ours === String(asked.value) ? [] : [{ ...asked, ours }];
    });
    expect(others).toEqual([]);
    const causes = new Set(flags.flatMap(({ key }) => translation.differencesOf(key)).map(({ cause }) => cause));
    expect([...causes].filter((cause) => cause !== 'text')).toEqual([]);
    expect([flags.length, segments.length]).toEqual(imported);
    expect([...new Set(leftOut.map((line) => line.replace(/.* not supported: /, '')))]).toEqual(reasons);
  });
});
