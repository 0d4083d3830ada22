import { expect, test } from '@jest/globals';
import { plainText, timeText } from './plainText.ts';

const NOW = new Date(2030, 10, 28, 12, 0).getTime();

test.each([
  [new Date(2030, 10, 28, 0, 5), 'today 00:05'],
  [new Date(2030, 10, 28, 23, 59, 59), 'today 23:59'],
  [new Date(2030, 10, 27, 23, 59), 'yesterday 23:59'],
  [new Date(2030, 10, 29, 9, 0), 'tomorrow 09:00'],
  [new Date(2030, 8, 1, 21, 20), '1 Sep 21:20'],
  [new Date(2029, 10, 28, 21, 20), '28 Nov 2029 21:20'],
  [new Date(2031, 0, 2, 8, 0), '2 Jan 2031 08:00'],
])('formats a time as people write it: %s', (at, text) => {
  expect(timeText(at.getTime(), NOW)).toBe(text);
});

const at = new Date(2030, 10, 28, 9, 30);

test.each([
  ['ann@laptop', 'you'],
  ['bob@laptop', 'bob@laptop'],
  ['plan p-mx0wwzjs0z of ann@laptop', 'your plan'],
  ['guard errors of p-mx0wwzjs0z of bob', 'guard errors of a plan of bob'],
  ['guard errors of p-mx0wwzjs0z of ann@laptop', 'guard errors of your plan'],
  [`ann@laptop changed the flag at ${at.toISOString()}`, 'you changed the flag today 09:30'],
  [`undid the change of ${at.toISOString()}`, 'undid the change of today 09:30'],
])('replaces ids, times and the reader in a stored text: %s', (stored, text) => {
  expect(plainText(stored, { now: NOW, own: 'ann@laptop' })).toBe(text);
});

test('names all authors if the reader is not known', () => {
  expect(plainText('ann@laptop', { now: NOW })).toBe('ann@laptop');
});
