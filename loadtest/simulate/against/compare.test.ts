import { expect, test } from '@jest/globals';
import { compare, comparedRow, isClose } from './compare.ts';

const times = { connectMs: 2, syncMs: 10, pushMs: 80 };

test('compares when shares of the connections were reached', () => {
  const evenly = (count: number, overMs: number) => Array.from({ length: count }, (_, n) => ((n + 1) / count) * overMs);
  const compared = compare(
    100,
    { times, storm: evenly(100, 3_333), push: evenly(100, 1_000), refused: {}, invalid: [] },
    1,
  );
  expect(compared.map(({ scenario, figure }) => `${scenario} ${figure}`)).toEqual([
    'storm P50',
    'storm P99',
    'storm all',
    'push P50',
    'push P99',
    'push all',
  ]);
  // All come within the burst of the quota: nothing holds them up.
  expect(compared.slice(0, 3).every(isClose)).toBe(true);
});

test('a figure may be off by 15 %, and is marked where it is further off', () => {
  const figure = { scenario: 'push', connections: 1_000, figure: 'all', emulatorMs: 10_000 } as const;
  expect([8_500, 11_500].map((simulatedMs) => isClose({ ...figure, simulatedMs }))).toEqual([true, true]);
  expect(isClose({ ...figure, simulatedMs: 8_400 })).toBe(false);
  expect(isClose({ ...figure, simulatedMs: Number.POSITIVE_INFINITY })).toBe(false);
  expect(comparedRow({ ...figure, simulatedMs: 8_400 })).toEqual([
    'push',
    '1,000',
    'all',
    '10 s',
    '8.4 s',
    '-16.0 % !',
  ]);
});
