import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { Flag } from '../flags/flag.ts';
import { documentsArbitrary } from '../testing/arbitraries/environment.ts';
import { aFlag } from '../testing/builders.ts';
import { manifestSchema } from '../testing/manifestSchema.ts';
import { runs } from '../testing/runs.ts';
import { manifestJson } from './manifest.ts';

/** A flag with these values, of which it serves the last while it is off. */
function flagOf(variationType: Flag['variationType'], ...values: string[]): Flag {
  const variations = values.map((value, n) => ({ id: String(n), value }));
  return aFlag({ key: 'f', variationType, variations, disabledVariationId: String(values.length - 1) });
}

const manifestOf = (...flags: Flag[]) => JSON.parse(manifestJson(flags)).flags;

describe('a manifest', () => {
  test('has each flag by key with name, description, type and the value while it is off', () => {
    const flags = [
      aFlag({ key: 'b', name: 'B', description: 'The second' }),
      aFlag({ key: 'a', name: '', description: '' }),
      aFlag({ key: 'archived', isArchived: true }),
    ];
    expect(manifestOf(...flags)).toEqual([
      { key: 'a', type: 'boolean', defaultValue: false },
      { key: 'b', name: 'B', type: 'boolean', description: 'The second', defaultValue: false },
    ]);
    expect(manifestJson([])).toBe('{"flags":[]}');
  });

  test.each<[Flag['variationType'], string[], string, unknown]>([
    ['boolean', ['true', 'False '], 'boolean', false],
    ['boolean', ['true', 'no'], 'boolean', true],
    ['boolean', ['yes', 'no'], 'boolean', false],
    ['string', ['a', ''], 'string', ''],
    ['string', [], 'string', ''],
    ['number', ['1', ' -2'], 'integer', -2],
    ['number', ['1.5', '2'], 'float', 2],
    ['number', ['9007199254740993', '1'], 'float', 1],
    ['number', ['1e3', '1'], 'float', 1],
    ['number', ['7', 'ten'], 'integer', 7],
    ['number', ['ten', 'NaN'], 'integer', 0],
    ['json', ['{}', '{"a":[1]}'], 'object', { a: [1] }],
    ['json', ['{"a":1}', 'null'], 'object', { a: 1 }],
    ['json', ['null', '{'], 'object', {}],
    ['json', ['{}', '["a"]'], 'object', ['a']],
  ])('has a %s flag of %j as %s with %j', (variationType, values, type, defaultValue) => {
    expect(manifestOf(flagOf(variationType, ...values))).toMatchObject([{ type, defaultValue }]);
  });

  test('has the first valid value where the off variation does not exist', () => {
    expect(manifestOf({ ...flagOf('string', 'a', 'b'), disabledVariationId: 'gone' })).toMatchObject([
      { defaultValue: 'a' },
    ]);
  });

  test('is accepted by the OpenFeature CLI for any flags', () => {
    fc.assert(
      fc.property(documentsArbitrary(8), ({ flags }) => {
        const manifest = JSON.parse(manifestJson(flags));
        expect(manifestSchema.safeParse(manifest)).toMatchObject({ success: true });
        expect(manifest.flags).toHaveLength(flags.filter(({ isArchived }) => !isArchived).length);
      }),
      { numRuns: runs(200) },
    );
  });
});
