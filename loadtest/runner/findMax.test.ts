import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { findMax } from './findMax.ts';

describe('the search for the highest rate', () => {
  test('finds the limit of a server to a twentieth, in few runs', async () => {
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 100, max: 50_000 }), async (limit) => {
        let tried = 0;
        const { rate, limitedBy } = await findMax(100, async (asked) => {
          tried++;
          return asked <= limit;
        });
        expect(rate).toBeLessThanOrEqual(limit);
        expect(rate).toBeGreaterThanOrEqual(limit / 1.06);
        expect(tried).toBeLessThan(16);
        expect(limitedBy).toBeUndefined();
      }),
    );
  });

  test('says when the generator ended it', async () => {
    const found = await findMax(100, async (rate) => (rate > 300 ? undefined : true));
    expect(found).toMatchObject({ rate: 200, limitedBy: "the generator's limit at 400 a second" });
  });

  test('ends between two rates that nothing lies between', async () => {
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 60 }), async (limit) => {
        const asked: number[] = [];
        const { rate } = await findMax(100, async (each) => {
          asked.push(each);
          if (asked.length > 20) throw new Error(`it goes on for ever: ${asked}`);
          return each <= limit;
        });
        expect([rate <= limit, limit - rate <= Math.max(1, limit / 19)]).toEqual([true, true]);
      }),
    );
  });

  test('ends with 0 when nothing is kept', async () => {
    expect(await findMax(100, async () => false)).toMatchObject({ rate: 0 });
  });
});
