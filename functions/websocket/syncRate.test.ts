import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { MAX_CONNECTIONS, SyncRate } from './syncRate.ts';

test('a connection may ask twenty times at once, then once a second, apart from others', () => {
  let now = 1_000_000;
  const rate = new SyncRate(() => now);
  const take = (id = 'a') => rate.take(id);
  const takeMany = (count: number) => Array.from({ length: count }, () => take());
  expect(new Set(takeMany(20))).toEqual(new Set(['admitted']));
  expect(takeMany(3)).toEqual(['refused first', 'refused again', 'refused again']);
  expect(take('b')).toBe('admitted');
  now += 999;
  expect(take()).toBe('refused again');
  now += 1;
  expect(takeMany(2)).toEqual(['admitted', 'refused first']);
  now += 20_000;
  expect(new Set(takeMany(20))).toEqual(new Set(['admitted']));
  expect(take()).toBe('refused first');
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
        if (rate.take('a') === 'admitted') answered.push(now);
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
    while (rate.take(id) === 'admitted');
  };
  exhaust('old');
  for (let n = 0; n < MAX_CONNECTIONS - 1; n++) rate.take(`c${n}`);
  expect(rate.take('old')).toBe('refused again');
  for (let n = 0; n < MAX_CONNECTIONS; n++) {
    exhaust(`d${n}`);
    expect(rate.size).toBeLessThanOrEqual(MAX_CONNECTIONS);
  }
  expect(rate.take('old')).toBe('admitted');
});
