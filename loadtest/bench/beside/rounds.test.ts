import { expect, test } from '@jest/globals';
import { comparePhase, compareRounds, type Measurement, RATE } from './rounds.ts';

const NAMES = { other: 'ws://other', ours: 'ours' };

const measurementsOf = (
  side: 'other' | 'ours',
  name: string,
  values: readonly number[],
  fields: Partial<Measurement> = {},
) =>
  values.map((value, n): Measurement => {
    return { round: n + 1, side, phase: 'warm', figures: { [name]: value }, invalid: [], ...fields };
  });

test.each([
  ['less of a time is better', 'sync P50, ms', [3, 1, 2], [0.6, 0.5, 0.7], '0.3×, better'],
  ['more of a time is worse', 'sync P50, ms', [0.5, 0.7, 2.2], [2.3, 2.3, 2.4], '3.29×, worse'],
  ['more of a rate is better', RATE, [1_000, 1_100, 1_050], [2_100, 2_200, 2_000], '2×, better'],
  ['less of a rate is worse', RATE, [1_000, 990, 995], [900, 905, 910], '0.91×, worse'],
  ['an equal figure is neither', RATE, [300.2, 300.1, 300.3], [299.9, 299.8, 300], '0.999×'],
  ['two rounds are too few', RATE, [1_000, 990], [900, 905], '0.907×, too few rounds'],
  [
    'a round without the figure does not count',
    'sync P50, ms',
    [3, 1, 2],
    [0.6, 0.5, Number.NaN],
    '0.275×, too few rounds',
  ],
  ['overlapping ranges give no verdict', 'errors', [1, 5, 9], [4, 3, 2], '0.6×, the ranges overlap'],
  ['there is no ratio to 0', 'errors', [0, 0, 0], [1, 1, 1], '–'],
])('%s', (_, name, other, ours, ratio) => {
  const measurements = [...measurementsOf('other', name, other), ...measurementsOf('ours', name, ours)];
  expect(comparePhase(measurements, 'warm')).toEqual([expect.objectContaining({ name, ratio })]);
});

test('shows the median of the rounds with its range, and a dash without a value', () => {
  const measurements = [
    ...measurementsOf('other', 'memory, MB', [Number.NaN]),
    ...measurementsOf('ours', 'memory, MB', [143, 140, 151]),
  ];
  expect(comparePhase(measurements, 'warm')).toEqual([
    { name: 'memory, MB', other: '–', ours: '143 (140 – 151)', ratio: '–' },
  ]);
});

test('excludes a round that the generator limited, and names it', () => {
  const late = { round: 2, invalid: ['a worker was 90 ms late'] };
  const measurements = [
    ...measurementsOf('ours', 'sync P99, ms', [7]),
    ...measurementsOf('ours', 'sync P99, ms', [900], late),
  ];
  expect(comparePhase(measurements, 'warm')[0]?.ours).toBe('7');
  expect(compareRounds(measurements, NAMES, [])[0]?.invalid).toEqual([
    'round 2, warm, our host: a worker was 90 ms late',
  ]);
});

test('marks a rate as a lower bound if the generator was busy, and gives no verdict', () => {
  const full = { isAtLeast: true };
  const [other, ours] = [[1_700, 1_690, 1_710], measurementsOf('ours', RATE, [7_300, 7_290, 7_310], full)];
  expect(comparePhase([...measurementsOf('other', RATE, other), ...ours], 'warm')[0]).toMatchObject({
    ours: 'at least 7,300 (7,290 – 7,310)',
    ratio: 'at least 4.29×, better',
  });
  expect(comparePhase([...measurementsOf('other', RATE, other, full), ...ours], 'warm')[0]?.ratio).toBe('–');
});

test('makes a table for each phase, with the notes in the last one', () => {
  const measurements = [
    ...measurementsOf('other', RATE, [1_000]),
    ...measurementsOf('ours', RATE, [1_000], { phase: 'held', invalid: ['a worker was 90 ms late'] }),
  ];
  const [warm, held] = compareRounds(measurements, NAMES, ['a note']);
  expect([warm?.title, held?.title]).toEqual(['warm', 'held']);
  expect(warm?.rows).toEqual([[RATE, '1,000', '–', '–']]);
  expect(held?.notes).toContain('a note');
});
