import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { aUser } from '../../../shared/testing/builders.ts';
import { compileEnvironment } from '../../../shared/testing/evaluate.ts';
import { importFromUnleash } from './import.ts';

interface Case {
  readonly toggleName: string;
  readonly context: Readonly<Record<string, string>> & { readonly properties?: Readonly<Record<string, string>> };
  readonly expectedResult:
    | boolean
    | { readonly name: string; readonly payload?: { readonly value: string }; readonly feature_enabled: boolean };
}

/** The number of imported flags of each file, and the reasons for the others. */
const SAMPLES: readonly [name: string, imported: number, reasons: readonly string[]][] = [
  ['08-variants.json', 9, []],
  ['09-strategy-constraints.json', 9, []],
  [
    '13-constraint-operators.json',
    19,
    ['the operator DATE_AFTER', 'the operator DATE_BEFORE', 'the operator NOT_A_VALID_OPERATOR'],
  ],
  [
    '15-global-constraints.json',
    0,
    [
      'the operator SEMVER_EQ',
      'the segment 1, which is not imported',
      'the segment 2, which is not imported',
      'the operator SEMVER_LT',
    ],
  ],
  ['16-strategy-variants.json', 8, []],
];

const directory = join(import.meta.dirname, 'testing', 'data');

/** The expected value of the SDK in imported form. For features without variants: whether they are on. */
function expectedValue(result: Case['expectedResult'], hasVariants: boolean): string {
  if (typeof result === 'boolean') return String(result);
  return hasVariants ? (result.payload?.value ?? result.name) : String(result.feature_enabled);
}

describe('Unleash’s specification of SDKs', () => {
  test.each(SAMPLES)('%s: imported flags give what it asks for; the others are named', (name, imported, reasons) => {
    const { state, tests = [], variantTests = [] } = JSON.parse(readFileSync(join(directory, name), 'utf8'));
    const translation = importFromUnleash(state);
    const { flags, segments, leftOut } = translation;
    const compiled = new Map(compileEnvironment(flags, { segments }).flags.map((flag) => [flag.document.key, flag]));
    const others = (tests.length > 0 ? tests : variantTests).flatMap(
      ({ toggleName, context, expectedResult }: Case) => {
        const flag = compiled.get(toggleName);
        const isDrawn = translation.differencesOf(toggleName).some(({ cause }) => cause === 'percentages');
        if (!flag || isDrawn) return [];
        const { userId = 'anybody', properties, ...fields } = context;
        const ours = flag.evaluate(aUser(userId, { ...fields, ...properties })).value;
        const theirs = expectedValue(expectedResult, flag.document.variationType !== 'boolean');
        return ours === theirs ? [] : [{ toggleName, context, ours, theirs }];
      },
    );
    expect(others).toEqual([]);
    expect(flags.length).toBe(imported);
    expect([...new Set(leftOut.map((line) => line.replace(/.* not supported: /, '')))]).toEqual(reasons);
  });
});
