import { expect, test } from '@jest/globals';
import { minuteText, spanText, tickText } from './chartTexts.ts';

test('names each minute of an axis once', () => {
  const ticks = [0, 15, 30, 45, 60, 90, 120].map((seconds) => minuteText(1_764_400_000 - 40 + seconds));
  expect(ticks.filter(Boolean)).toHaveLength(3);
  expect(new Set(ticks.filter(Boolean)).size).toBe(3);
});

test('names the time zone of each hour of an axis', () => {
  const midnight = Date.UTC(2026, 10, 26) / 1_000;
  expect([tickText(midnight + 6 * 3_600, true), tickText(midnight, false)]).toEqual(['06:00\nUTC', 'Nov 26']);
});

const bars = (...counts: number[]) =>
  counts.map((count, n) => ({ at: `2026-11-26T${String(19 + n).padStart(2, '0')}`, counts: { on: count } }));

test.each([
  ['all of a day', bars(3, 0, 4), '24 hours, UTC'],
  ['the last hour of a day', bars(0, 0, 4), 'since 21:00 UTC'],
  ['nothing', bars(0, 0, 0), '24 hours, UTC'],
  [
    'the last days of a month',
    [
      { at: '2026-11-01', counts: {} },
      { at: '2026-11-02', counts: { on: 1 } },
    ],
    'since Nov 2, UTC',
  ],
])('names the time of a chart with bars for %s', (_, given, text) => expect(spanText(given)).toBe(text));
