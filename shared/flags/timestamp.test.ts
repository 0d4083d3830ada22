import { describe, expect, test } from '@jest/globals';
import { formatDuration, formatTimestamp, parseDuration, parsePlannedTime, parseTimestamp } from './timestamp.ts';

describe('parseTimestamp', () => {
  test.each([
    ['2023-01-28T02:04:55Z', 1674871495000],
    ['2023-01-28T02:04:55.6Z', 1674871495600],
    ['2023-01-28T02:04:55.616Z', 1674871495616],
    ['2023-01-19T08:04:54.3264271Z', 1674115494326],
    ['2023-01-28T03:04:55.616+01:00', 1674871495616],
    ['2023-01-28T03:04:55.616+0100', 1674871495616],
    ['2024-02-29T00:00:00.000Z', 1709164800000],
    ['1970-01-01T00:00:00Z', 0],
  ])('%s is %i', (text, ms) => {
    expect(parseTimestamp(text)).toBe(ms);
  });

  test('cuts digits beyond the third off, instead of rounding them', () => {
    expect(parseTimestamp('2023-01-19T08:04:54.0465999Z')).toBe(parseTimestamp('2023-01-19T08:04:54.046Z'));
  });

  test.each([
    [''],
    ['yesterday'],
    ['2023-01-28'],
    ['2023-01-28T02:04:55.616'],
    ['2023-01-28 02:04:55Z'],
    ['2023-13-01T00:00:00Z'],
    ['2023-02-30T00:00:00Z'],
    ['2023-02-29T00:00:00.000+01:00'],
    ['2023-01-28T02:04:55.Z'],
    ['x2023-01-28T02:04:55Z'],
    ['2023-01-28T02:04:55Zx'],
    ['1674871495616'],
  ])('%j is no instant', (text) => {
    expect(parseTimestamp(text)).toBeUndefined();
  });
});

test('formatTimestamp writes exactly three fraction digits', () => {
  expect(formatTimestamp(0)).toBe('1970-01-01T00:00:00.000Z');
  expect(formatTimestamp(1674871495600)).toBe('2023-01-28T02:04:55.600Z');
});

describe('a planned time', () => {
  const now = Date.UTC(2030, 0, 1);

  test.each([
    ['now', 0],
    ['+30m', 1_800_000],
    ['+2h', 7_200_000],
    ['+1d', 86_400_000],
    ['2030-01-01T02:00+01:00', 3_600_000],
    ['2030-01-01T02:00Z', 7_200_000],
    ['2030-01-01T00:00:30.5Z', 30_500],
  ])('%s is %i ms from now', (text, ms) => {
    expect(parsePlannedTime(text, now)).toBe(now + ms);
  });

  test.each([
    ['2030-01-01T09:00', '"2030-01-01T09:00" has no time zone; write 2030-01-01T09:00Z for UTC, or add your offset'],
    ['tomorrow', '"tomorrow" is not a time; write 2030-01-31T09:00+01:00'],
    ['+2', 'is not a time'],
    ['2030-02-30T09:00Z', 'is not a time'],
    ['2029-12-31T23:59Z', 'is in the past; it is 2030-01-01T00:00:00.000Z now'],
    ['+731d', '+731d is more than 730 days ahead'],
    ['+99999999999999d', 'more than 730 days ahead'],
  ])('%s is refused', (text, message) => {
    expect(() => parsePlannedTime(text, now)).toThrow(message);
  });
});

test('formats a duration in the unit that people expect', () => {
  const durations = [
    -5, 68, 99.4, 131, 1_131, 6_000, 9_960, 131_400, 599_499, 599_500, 3_569_999, 3_600_000, 5_400_000,
  ];
  const texts = [
    '0 ms',
    '68 ms',
    '99 ms',
    '0.1 s',
    '1.1 s',
    '6 s',
    '10 s',
    '131 s',
    '599 s',
    '10 min',
    '59 min',
    '1 h',
    '1.5 h',
  ];
  expect(durations.map(formatDuration)).toEqual(texts);
});

describe('a duration', () => {
  test.each([
    ['30s', 30_000],
    ['30m', 1_800_000],
    ['2h', 7_200_000],
    ['730d', 63_072_000_000],
  ])('%s is %i ms', (text, ms) => {
    expect(parseDuration(text)).toBe(ms);
  });

  test.each(['', '2', '0h', '-1d', '+2h', '1.5h', 'soon'])('"%s" is refused', (text) => {
    expect(() => parseDuration(text)).toThrow(`"${text}" is not a duration; write 30s, 30m, 2h or 1d`);
  });

  test('has a limit', () => {
    expect(() => parseDuration('731d')).toThrow('731d is more than 730 days; write a shorter duration');
  });
});
