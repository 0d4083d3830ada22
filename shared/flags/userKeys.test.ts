import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { documentsArbitrary } from '../testing/arbitraries/environment.ts';
import { userArbitrary } from '../testing/arbitraries/user.ts';
import { aFlag, aSegment } from '../testing/builders.ts';
import { evaluateFlag } from '../testing/evaluate.ts';
import type { Document } from './document.ts';
import { cleanedText, problemOfUserKeys, readUserKeys, userKeysToRemove, withCleanUserKeys } from './userKeys.ts';

const BLANKS = [' ann', 'ann', 'carl\n', '', ' \t', '\ufeffbob\u00a0', 'a b'];
const flagFor = (...keyIds: string[]): Document => ({
  kind: 'flag',
  document: aFlag({ targetUsers: [{ variationId: 'on', keyIds }] }),
});
const segmentOf = (included: string[], excluded: string[] = []): Document => ({
  kind: 'segment',
  document: { ...aSegment({ included, excluded }), key: 'an unknown field' } as never,
});

describe('typed user keys', () => {
  test('are trimmed, and each is taken once', () => {
    expect(readUserKeys([' ann', 'ann', 'carl\n', '\ufeffbob'])).toEqual(['ann', 'carl', 'bob']);
  });

  test.each([
    [['ann', ''], 'a user key must not be blank'],
    [[' \n'], 'a user key must not be blank'],
    [['a\nb'], 'a user key must not have control characters, but is "a\\nb"'],
    [['a\u0085'], 'a user key must not have control characters'],
  ])('%j are refused', (keys, message) => {
    expect(() => readUserKeys(keys)).toThrow(message);
  });

  test('are removed trimmed and as they are', () => {
    expect(userKeysToRemove([' ann', 'bob', ''])).toEqual(['ann', 'bob', ' ann', '']);
  });
});

describe('the user keys of a document', () => {
  test('are trimmed, each once and none empty', () => {
    const clean = ['ann', 'carl', 'bob', 'a b'];
    expect(withCleanUserKeys(flagFor(...BLANKS), undefined)).toEqual(flagFor(...clean));
    expect(withCleanUserKeys(segmentOf(BLANKS, BLANKS), undefined)).toEqual(segmentOf(clean, clean));
  });

  test('stay if the stored document has them', () => {
    const stored = flagFor(' ann', '', 'a\nb');
    expect(withCleanUserKeys(stored, stored)).toEqual(stored);
    expect(withCleanUserKeys(flagFor(' ann', ' bob'), stored)).toEqual(flagFor(' ann', 'bob'));
    expect(problemOfUserKeys(stored, stored)).toBeUndefined();
    expect(problemOfUserKeys(flagFor('a\tb'), stored)).toContain('must not have control characters');
  });

  test('are named if they are changed', () => {
    const text = (document: Document) => cleanedText(document, withCleanUserKeys(document, undefined));
    expect(text(flagFor('ann', 'ann'))).toBeUndefined();
    expect(text(segmentOf([' ann', ''], ['b ']))).toBe(
      'space around user keys is removed, and empty ones are left out: " ann", "", "b "',
    );
    expect(text(flagFor(...[1, 2, 3, 4, 5, 6].map((n) => ` ${n}`)))).toMatch(/" 5" and 1 more$/);
  });

  test('are the same after a second cleaning, and a stored flag serves everybody the same', () => {
    const property = fc.property(documentsArbitrary(1), fc.constantFrom(...BLANKS), userArbitrary, (all, key, user) => {
      const [flag] = all.flags;
      if (!flag) return;
      const document = { ...flag, targetUsers: [{ variationId: flag.variations[0]?.id ?? '', keyIds: [key, 'x'] }] };
      const stored = { kind: 'flag', document } as const;
      const kept = withCleanUserKeys(stored, stored).document;
      for (const who of [user, { ...user, keyId: key || 'y' }]) {
        expect(evaluateFlag(kept, who, all)).toEqual(evaluateFlag(document, who, all));
      }
      const once = withCleanUserKeys(stored, undefined);
      expect(withCleanUserKeys(once, undefined)).toEqual(once);
      expect(evaluateFlag(once.document, { ...user, keyId: 'x' }, all)).toEqual(
        evaluateFlag(document, { ...user, keyId: 'x' }, all),
      );
    });
    fc.assert(property, { numRuns: 100 });
  });
});
