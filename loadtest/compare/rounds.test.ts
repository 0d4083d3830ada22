import { expect, test } from '@jest/globals';
import { type MeasurableDesign, TARGETS } from './designs.ts';
import { type CompareOptions, roundsOf, secondsOf } from './rounds.ts';

const designs = ['host', 'serverless', 'fargate'].flatMap((name) => TARGETS[name] ?? []);
const options = { target: ['host', 'serverless', 'fargate'], minutes: 120 };

/** The profiles of all runs of a design. */
function profilesFor(design: MeasurableDesign, options: CompareOptions) {
  const parts = new Set(roundsOf([design], options, '').flatMap((steps) => steps.map(({ part }) => part)));
  return [...parts].flatMap(({ profiles, warmUp, runs }) => [
    ...profiles,
    ...(warmUp ? Array.from({ length: runs }, () => warmUp) : []),
  ]);
}

test('each round makes one run of each design at each rate, in rotated order', () => {
  const rounds = roundsOf(designs, options, '');
  const orders = rounds.map((steps) =>
    steps.map(({ design, only }) => [design.name, ...only.map(([rate]) => rate / design.part)]),
  );
  expect(orders[0]?.map(([name]) => name)).toEqual(['host', 'serverless-default', 'serverless-raised', 'fargate']);
  expect(orders[1]?.[0]).toEqual(['serverless-default', 1_100, 1_200, 1_000]);
  expect(orders[4]?.[0]).toEqual(['host', 1_100, 1_200, 1_000]);
  for (const order of orders.slice(0, 6)) {
    expect(order.map(([name]) => name).sort()).toEqual(designs.map(({ name }) => name).sort());
    for (const [, ...rates] of order) expect(rates.sort()).toEqual([1_000, 1_100, 1_200]);
  }
});

test('five short rounds, one of full length, and one of changes are numbered for --resume', () => {
  const numbers = (more: Partial<CompareOptions> = {}) =>
    roundsOf(designs, { ...options, ...more }, '').map(([step]) => [
      step?.part.out.split('/').at(-1),
      step?.only[0]?.[1],
    ]);
  expect(numbers({ fullRuns: 3 })).toEqual([
    ['full', 1],
    ['full', 2],
    ['full', 3],
    ['changes', 1],
  ]);
  expect(numbers()).toEqual([
    ['short', 1],
    ['short', 2],
    ['short', 3],
    ['short', 4],
    ['short', 5],
    ['full', 1],
    ['changes', 1],
  ]);
  expect(roundsOf(designs, { ...options, quick: true }, '').map((steps) => steps.length)).toEqual([4, 4]);
});

test('asks only for the rates of the command', () => {
  for (const design of designs) {
    const peaks = new Set(profilesFor(design, { ...options, rates: [500] }).map(({ peak }) => peak / design.part));
    expect([...peaks].sort((a, b) => a - b)).toEqual([7_500, 10_000]);
  }
  const [host] = TARGETS['host'] ?? [];
  expect(host && secondsOf(profilesFor(host, options))).toBeLessThan(1_900);
});
