import { describe, expect, test } from '@jest/globals';
import { parseMix, pauseSeconds, pingsPerSecond, SDKS, sdkOf } from './sdks.ts';

describe('a mix of SDKs', () => {
  test('gives each its part of any hundred connections in a row', () => {
    const of = sdkOf(parseMix('js-client=80,go=15,java=5'));
    const names = Array.from({ length: 100 }, (_, n) => of(300 + n).name);
    const counts = Object.fromEntries([...Map.groupBy(names, (name) => name)].map(([name, all]) => [name, all.length]));
    expect(counts).toEqual({ 'js-client': 80, go: 15, java: 5 });
  });

  test('pings as often as its SDKs do', () => {
    expect(pingsPerSecond(parseMix('js-client'))).toBeCloseTo(1 / 18);
    expect(pingsPerSecond(parseMix('js-client=50,go=50'))).toBeCloseTo((1 / 18 + 1 / 10) / 2);
  });

  test.each([
    ['rust', 'there is no SDK "rust"; there are js-client, node, dotnet, go, python, java'],
    ['go=50', 'the percentages add up to 50, not to 100'],
    ['go=half', '"go=half" has no whole percentage'],
  ])('%s is refused, and why', (text, why) => {
    expect(() => parseMix(text)).toThrow(why);
  });
});

test('SDKs come back after the pauses of their sources, the last of which is repeated', () => {
  const pauses = (name: keyof typeof SDKS, random: number) =>
    Array.from({ length: 12 }, (_, n) => SDKS[name].backOffSeconds(n + 1, random));
  expect(pauses('js-client', 0)).toEqual([1, 3, 5, 7, 11, 13, 30, 60, 60, 60, 60, 60]);
  expect(pauses('dotnet', 0)).toEqual([0, 1, 2, 3, 5, 8, 13, 21, 34, 55, 55, 55]);
  expect(pauses('go', 0)).toEqual([0.5, 1, 2, 4, 8, 16, 30, 30, 30, 30, 30, 30]);
  expect(pauses('java', 1).at(-1)).toBe(60);
});

test('after an end the first attempt is one of those pauses, or one before them, as each SDK counts', () => {
  const pauses = (name: keyof typeof SDKS) => [0, 1, 2, 3].map((attempt) => pauseSeconds(SDKS[name], attempt, 1));
  expect(pauses('js-client')).toEqual([1, 3, 5, 7]);
  expect(pauses('dotnet')).toEqual([0, 1, 2, 3]);
  expect(pauses('go')).toEqual([0, 1, 2, 4]);
  expect(pauses('java')).toEqual([17, 1, 2, 4]);
});
