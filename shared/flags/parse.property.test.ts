import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { documentsArbitrary } from '../testing/arbitraries/environment.ts';
import { userArbitrary } from '../testing/arbitraries/user.ts';
import { evaluateFlag } from '../testing/evaluate.ts';
import { accepted } from '../testing/fixtures.ts';
import { runs } from '../testing/runs.ts';
import { type Flag, parseFlag } from './flag.ts';
import { parseSegment } from './segment.ts';
import { parseUser, userDocument } from './user.ts';

const throughJson = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

/** Replaces one field somewhere within a document. */
function replaceSomewhere(document: unknown, steps: readonly number[], value: unknown): unknown {
  const [step, ...rest] = steps;
  if (step === undefined || typeof document !== 'object' || document === null) return value;
  const key = Object.keys(document)[step % Math.max(1, Object.keys(document).length)] ?? 'added';
  const inner = (document as Record<string, unknown>)[key];
  const replaced = replaceSomewhere(inner, rest, value);
  if (Array.isArray(document)) return document.toSpliced(document.length > 0 ? Number(key) : 0, 1, replaced);
  return { ...document, [key]: replaced };
}

/** Expects that enough documents were accepted and enough refused. Otherwise the property proves little. */
function expectBoth({ taken, refused }: { readonly taken: number; readonly refused: number }): void {
  expect(Math.min(taken, refused) / (taken + refused)).toBeGreaterThan(0.1);
}

describe('documents', () => {
  test('are taken as they are, and again after a round trip', () => {
    const law = fc.property(documentsArbitrary(2), ({ flags, segments }) => {
      for (const flag of flags) {
        const once = accepted(parseFlag(throughJson(flag)));
        expect(once).toEqual(flag);
        expect(JSON.stringify(accepted(parseFlag(throughJson(once))))).toBe(JSON.stringify(once));
      }
      for (const segment of segments) expect(accepted(parseSegment(throughJson(segment)))).toEqual(segment);
    });
    fc.assert(law);
  });

  test('are evaluated the same with any tags and ids of rules', () => {
    const texts = fc.constantFrom(undefined, null, '', 'a', ' a', 'rule-1', 'rule-2');
    const property = fc.property(documentsArbitrary(1), fc.infiniteStream(texts), userArbitrary, (all, ids, user) => {
      const [flag] = all.flags;
      if (!flag) return;
      const next = () => ids.next().value;
      const rules = flag.rules.map((rule) => ({ ...rule, id: next() }));
      const once = accepted(parseFlag(throughJson({ ...flag, rules, tags: [next() ?? '', next() ?? '', 'a'] })));
      expect(evaluateFlag(once, user, all)).toEqual(evaluateFlag(flag, user, all));
      expect(new Set(once.rules.map(({ id }) => id)).size).toBe(rules.length);
      expect(once.rules.every(({ id }) => id !== '')).toBe(true);
      expect(accepted(parseFlag(throughJson(once)))).toEqual(once);
    });
    fc.assert(property, { numRuns: runs(300) });
  });

  test('are refused by path or can be evaluated and stored with any value anywhere', () => {
    const path = fc.array(fc.nat(20), { minLength: 1, maxLength: 5 });
    const anything = fc.oneof(fc.jsonValue(), fc.string(), fc.double(), fc.boolean());
    const seen = { taken: 0, refused: 0 };
    const law = fc.property(documentsArbitrary(1), path, anything, userArbitrary, ({ flags }, steps, junk, user) => {
      const result = parseFlag(replaceSomewhere(throughJson(flags[0]), steps, junk));
      seen[result.ok ? 'taken' : 'refused'] += 1;
      if (!result.ok) {
        expect(result.problems).toContainEqual(
          expect.objectContaining({ severity: 'error', path: expect.any(String) }),
        );
        return;
      }
      expect(typeof evaluateFlag(result.value, user).clientJson).toBe('string');
      const stored: Flag = accepted(parseFlag(throughJson(result.value)));
      expect(JSON.stringify(stored)).toBe(JSON.stringify(result.value));
    });
    fc.assert(law, { numRuns: runs(1000) });
    expectBoth(seen);
  });
});

describe('users', () => {
  test('come through their own document', () => {
    const law = fc.property(userArbitrary, (user) => {
      expect(parseUser(throughJson(userDocument(user)))).toEqual(user);
    });
    fc.assert(law);
  });

  test('are read whole or not at all from any JSON', () => {
    const often = <T>(usual: fc.Arbitrary<T>) =>
      fc.oneof({ weight: 9, arbitrary: usual }, { weight: 1, arbitrary: fc.jsonValue() });
    const property = fc.record({ name: often(fc.string()), value: often(fc.string()) });
    const document = often(
      fc.record({
        keyId: often(fc.string()),
        name: often(fc.string()),
        customizedProperties: often(fc.array(often(property), { maxLength: 3 })),
      }),
    );
    const seen = { taken: 0, refused: 0 };
    const law = fc.property(document, (json) => {
      const user = parseUser(json);
      seen[user ? 'taken' : 'refused'] += 1;
      if (!user) return;
      expect(user.keyId.trim()).not.toBe('');
      expect(user.name === null || typeof user.name === 'string').toBe(true);
      for (const text of [...user.attributes].flat()) expect(typeof text).toBe('string');
    });
    fc.assert(law, { numRuns: runs(1000) });
    expectBoth(seen);
  });
});
