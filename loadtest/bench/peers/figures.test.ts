import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { formatFigure, isBetter, makeFigures } from './figures.ts';

test('uses the median of rounds, and compares rates with bare Bun by processor time', () => {
  const half = (value: number) => ({ value, cpu: 0.5, isAtLeast: true });
  const full = (value: number) => ({ value, cpu: 1 });
  const samples = {
    newClientsPerSecond: [full(900), full(1_000), full(1_100)],
    changeMedianMs: [{ value: 30 }],
    changeBytes: [{ value: 447 }],
  };
  const bare = {
    newClientsPerSecond: [half(2_000)],
    changeMedianMs: [{ value: 20 }],
    changeBytes: [{ value: 474 }],
  };
  expect(makeFigures(samples, bare)).toEqual({
    newClientsPerSecond: { runs: [900, 1_000, 1_100], median: 1_000, perProcessorSecond: 1_000, toBareBun: 0.25 },
    changeMedianMs: { runs: [30], median: 30, toBareBun: 1.5 },
    changeBytes: { runs: [447], median: 447 },
  });
  expect(makeFigures(bare, bare).newClientsPerSecond).toMatchObject({ toBareBun: 1, isAtLeast: true });
});

const figure = (median: number, toBareBun?: number) => ({
  runs: [median],
  median,
  ...(toBareBun !== undefined && { toBareBun }),
});

test.each([
  ['a higher rate', 'allOf5PerSecond', figure(1_200), figure(1_000), true],
  ['a lower rate', 'allOf5PerSecond', figure(900), figure(1_000), false],
  ['a lower rate for each second of processor', 'allOf5PerSecond', figure(1_200, 0.5), figure(1_000, 0.6), false],
  ['a shorter time', 'changeMedianMs', figure(10), figure(20), true],
  ['more bytes', 'changeBytes', figure(20), figure(10), false],
] as const)('tells whether %s is better', (_, name, one, other, isExpected) => {
  expect(isBetter(name, one, other)).toBe(isExpected);
});

test('shows the median, and the multiple of bare Bun', () => {
  expect(formatFigure({ runs: [9], median: 9, toBareBun: 0.25, isAtLeast: true })).toBe('at least 9 (0.25 ×)');
  expect(formatFigure(undefined)).toBe('–');
});

test('limits an adapter to 100 lines', () => {
  const folder = join(import.meta.dirname, 'entries');
  const lengths = readdirSync(folder).map((file) => readFileSync(join(folder, file), 'utf8').split('\n').length - 1);
  expect(Math.max(...lengths)).toBeLessThanOrEqual(100);
});
