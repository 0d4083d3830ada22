import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { aCondition, aFlag, aRule, aSegment } from '../testing/builders.ts';
import { runs } from '../testing/runs.ts';
import { problemOfText, wellFormedJson } from './wellFormed.ts';

const HALF = '\ud83c';

/** Any text, also with halves of pairs. */
const text = fc.string({
  unit: fc.oneof(fc.string({ unit: 'binary' }), fc.constantFrom('\ud83c', '\udf55', '\\', '"', 'ud83c')),
});

/** A JSON text that escapes all characters but some. */
const escaped = (json: string) =>
  Array.from({ length: json.length }, (_, at) => json[at] ?? '')
    .map((unit) => (unit >= '\ud800' && unit <= '\udfff' ? `\\u${unit.charCodeAt(0).toString(16)}` : unit))
    .join('');

describe('a JSON text', () => {
  test('has U+FFFD in place of each half of a pair, and nothing else is changed', () => {
    fc.assert(
      fc.property(text, (value) => {
        const small = escaped(JSON.stringify(value));
        const large = small.replace(/u[\da-f]{4}/g, (each) => `u${each.slice(1).toUpperCase()}`);
        for (const json of [JSON.stringify(value), small, large]) {
          expect(JSON.parse(wellFormedJson(json))).toBe(JSON.parse(json).toWellFormed());
        }
      }),
      { numRuns: runs(500) },
    );
  });

  test.each(['"\\\\ud83c"', '"\\ud83c\\udf55"', '"\\uD83C\\uDF55"', '"\\u0000"', '{"\\\\":"\\\\\\\\ud83c"}', '"🍕"'])(
    'stays as it is: %s',
    (json) => expect(wellFormedJson(json)).toBe(json),
  );
});

describe('a document', () => {
  test.each<[string, object]>([
    ['name', aFlag({ name: `x${HALF}` })],
    ['description', aFlag({ description: HALF })],
    ['tags[1]', aFlag({ tags: ['a', HALF] })],
    ['variations[0].value', aFlag({ variations: [{ id: 'on', value: `sale ${HALF}` }] })],
    ['variations[0].name', aFlag({ variations: [{ id: 'on', name: HALF, value: '' }] })],
    ['targetUsers[0].keyIds[0]', aFlag({ targetUsers: [{ keyIds: ['\udf55'], variationId: 'on' }] })],
    ['rules[0].name', aFlag({ rules: [aRule([], { name: HALF })] })],
    ['rules[0].conditions[0].property', aFlag({ rules: [aRule([aCondition(HALF, 'Equal', 'b')])] })],
    ['included[0]', aSegment({ included: [`${HALF}x`] })],
    ['more.some', { ...aFlag(), more: { some: HALF } }],
    ['a member of more', { ...aFlag(), more: { [HALF]: 1 } }],
  ])('is refused with the place of half a character: %s', (place, document) => {
    expect(problemOfText(document)).toBe(
      `${place} has half of a character (an unpaired surrogate), such as a cut emoji; write the whole character`,
    );
  });

  test('may have any whole characters, and text that looks like an escape', () => {
    expect(problemOfText(aFlag({ name: '🍕\u0000\ufffd \\ud83c' }))).toBeUndefined();
  });
});
