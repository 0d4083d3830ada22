import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { aCondition, aFlag, aRule, aSegment } from '../testing/builders.ts';
import { runs } from '../testing/runs.ts';
import { bytesAbove, certainlyFits, ENVELOPE, leanDocumentJson, SENDABLE_BYTES } from './leanDocument.ts';

test('a document that certainly fits does, whatever its characters and conditions are', () => {
  const text = fc.oneof(fc.string({ unit: 'binary', maxLength: 20 }), fc.constantFrom('', '"\\u0000\\ud800', '€€€€'));
  const condition = fc.record({ property: text, op: fc.option(text), value: fc.option(text) });
  const conditions = fc.array(fc.oneof(condition, fc.constant(aCondition('User is in segment', null, null))), {
    maxLength: 20,
  });
  const law = fc.property(conditions, fc.array(text), (asked, keyIds) => {
    const flag = aFlag({ rules: [aRule(asked)], targetUsers: [{ keyIds, variationId: 'on' }] });
    const bytes = ENVELOPE.length + Buffer.byteLength(leanDocumentJson({ kind: 'flag', document: flag }));
    expect(certainlyFits(Buffer.byteLength(JSON.stringify(flag)), bytes - 1)).toBe(false);
    expect(bytesAbove(bytes, { kind: 'flag', document: flag })).toBeUndefined();
    expect(bytesAbove(bytes - 1, { kind: 'flag', document: flag })).toBe(bytes);
  });
  fc.assert(law, { numRuns: runs(500) });
});

test('a segment of 3,300 users with keys of 36 characters fits a message', () => {
  const of = (count: number) =>
    aSegment({ included: Array.from({ length: count }, (_, n) => String(n).padEnd(36, '.')) });
  expect(bytesAbove(SENDABLE_BYTES, { kind: 'segment', document: of(3_300) })).toBeUndefined();
  expect(bytesAbove(SENDABLE_BYTES, { kind: 'segment', document: of(3_400) })).toBeGreaterThan(SENDABLE_BYTES);
});
