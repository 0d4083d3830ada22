import { expect, test } from '@jest/globals';
import { aFlag } from '../testing/builders.ts';
import { evaluationsText } from './evaluationsText.ts';

const flag = aFlag({
  variations: [
    { id: 'v1', name: 'red', value: 'r' },
    { id: 'v2', value: 'blue' },
  ],
});

test.each([
  [{}, 'not evaluated in shop in the last 24 hours'],
  [{ v1: 0 }, 'not evaluated in shop in the last 24 hours'],
  [{ v2: 1 }, 'evaluated once in shop in the last 24 hours (blue 1)'],
  [{ '': 2, v2: 236, v1: 300 }, 'evaluated 538 times in shop in the last 24 hours (red 300, blue 236, no variation 2)'],
])('says how often a flag was evaluated, and with what: %j', (counts, text) => {
  expect(evaluationsText(flag, 'shop', Object.entries(counts))).toBe(text);
});
