import { expect, test } from '@jest/globals';
import { aFlag, aRule } from '../testing/builders.ts';
import { countReads } from '../testing/countReads.ts';
import { lacksRule } from './planContent.ts';

test('rules of a plan are looked for in time in proportion to their number', () => {
  const readsOf = (n: number) => {
    const rules = Array.from({ length: n }, (_, index) => aRule([], { id: `r${index}` }));
    const fields = Object.fromEntries(rules.map(({ id }) => [id, []]));
    const step = { at: 0, text: '', fields: { rules: fields }, outcome: { kind: 'waiting' } } as const;
    return countReads(aFlag({ rules }), (flag) => expect(lacksRule({ steps: [step] }, flag)).toBe(false));
  };
  expect(readsOf(400) / readsOf(100)).toBeLessThan(4.2);
});
