import { expect, test } from '@jest/globals';
import { testsWorthRunning } from './testTimes.ts';

test('a mutant gets the tests beside its source, and the quickest of the others', () => {
  const times = { 'own a': 90_000, 'other a': 29_000, 'other b': 1_000, 'other c': 1 };
  const ids = [...Object.keys(times), 'other of no known time'];
  expect([...testsWorthRunning(ids, times, (id) => id.startsWith('own'))].sort()).toEqual([
    'other b',
    'other c',
    'other of no known time',
    'own a',
  ]);
});
