import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { SyncRate } from './syncRate.ts';

test('a connection may ask twenty times at once, then once a second; another is not concerned', () => {
  let now = 1_000_000;
  const rate = new SyncRate(() => now);
  const take = (count: number, id = 'a') => Array.from({ length: count }, () => rate.take(id));
  expect(new Set(take(20))).toEqual(new Set(['answer']));
  expect(take(3)).toEqual(['first refused', 'refused', 'refused']);
  expect(rate.take('b')).toBe('answer');
  now += 999;
  expect(rate.take('a')).toBe('refused');
  now += 1;
  expect(take(2)).toEqual(['answer', 'first refused']);
  now += 60_000;
  expect(new Set(take(20))).toEqual(new Set(['answer']));
  expect(rate.take('a')).toBe('first refused');
});

test('however it asks, no more is answered in a time than twenty and one for each second', () => {
  const pauses = fc.array(fc.nat(3_000), { minLength: 1, maxLength: 200 });
  fc.assert(
    fc.property(pauses, (all) => {
      let now = 1_000_000;
      const rate = new SyncRate(() => now);
      const answered: number[] = [];
      for (const pause of all) {
        now += pause % 5 === 0 ? pause : 0;
        if (rate.take('a') === 'answer') answered.push(now);
      }
      for (const [first, from] of answered.entries()) {
        const last = answered.length - 1;
        expect(last - first + 1).toBeLessThanOrEqual(20 + ((answered[last] as number) - from) / 1_000);
      }
    }),
  );
});

test('ten thousand connections are known; the one heard of longest ago is forgotten', () => {
  const rate = new SyncRate(() => 1_000_000);
  const exhaust = (id: string) => {
    while (rate.take(id) === 'answer');
  };
  exhaust('old');
  for (let n = 0; n < 9_999; n++) rate.take(`c${n}`);
  expect(rate.take('old')).toBe('refused');
  for (let n = 0; n < 10_000; n++) rate.take(`d${n}`);
  expect(rate.take('old')).toBe('answer');
});
