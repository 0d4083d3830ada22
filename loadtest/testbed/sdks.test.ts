import { expect, test } from '@jest/globals';
import { pauseSeconds, SDKS } from './sdks.ts';

test('SDKs come back after the pauses of their sources, the last of which is repeated', () => {
  const pauses = (name: keyof typeof SDKS, random: number) =>
    Array.from({ length: 12 }, (_, n) => SDKS[name].backOffSeconds(n + 1, random));
  expect(pauses('js-client', 0)).toEqual([1, 3, 5, 7, 11, 13, 30, 60, 60, 60, 60, 60]);
  expect(pauses('dotnet', 0)).toEqual([0, 1, 2, 3, 5, 8, 13, 21, 34, 55, 55, 55]);
  expect(pauses('go', 0)).toEqual([0.5, 1, 2, 4, 8, 16, 30, 30, 30, 30, 30, 30]);
  expect(pauses('java', 1).at(-1)).toBe(60);
});

test('each SDK begins after an end with the pause of its own count', () => {
  const pauses = (name: keyof typeof SDKS) => [0, 1, 2, 3].map((attempt) => pauseSeconds(SDKS[name], attempt, 1));
  expect(pauses('js-client')).toEqual([1, 3, 5, 7]);
  expect(pauses('dotnet')).toEqual([0, 1, 2, 3]);
  expect(pauses('go')).toEqual([0, 1, 2, 4]);
  expect(pauses('java')).toEqual([17, 1, 2, 4]);
});
