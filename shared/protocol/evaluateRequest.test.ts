import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { CompiledFlag } from '../evaluation/flag.ts';
import { aFlag } from '../testing/builders.ts';
import { compileEnvironment } from '../testing/evaluate.ts';
import { runs } from '../testing/runs.ts';
import { parseEvaluateRequest } from './evaluateRequest.ts';

test('a filter takes a flag that has one of its keys, and all or any of its tags, however often they are named', () => {
  const word = fc.constantFrom('a', 'b', 'c', 'toString');
  const words = fc.array(word, { maxLength: 4 });
  const law = fc.property(
    word,
    words,
    words,
    words,
    fc.constantFrom('and', 'or', '', undefined),
    (key, has, keys, tags, mode) => {
      const [flag] = compileEnvironment([aFlag({ key, tags: has })]).flags;
      const request = parseEvaluateRequest({ user: { keyId: 'u1' }, filter: { keys, tags, tagFilterMode: mode } });
      if (typeof request === 'string') throw new Error(request);
      const isTagged = (tag: (typeof has)[number]) => has.includes(tag);
      const byTags = mode === 'or' ? tags.some(isTagged) : tags.every(isTagged);
      const expected = (keys.length === 0 || keys.includes(key)) && (tags.length === 0 || byTags);
      expect(request.includes(flag as CompiledFlag)).toBe(expected);
    },
  );
  fc.assert(law, { numRuns: runs(1_000) });
});
