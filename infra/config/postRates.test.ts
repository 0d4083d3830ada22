import { expect, test } from '@jest/globals';
import { postRates } from './postRates.ts';

test.each([
  [10_000, 4, { deliver: 1_000, sync: 50, heal: 500 }],
  [150_000, 17, { deliver: 60_000 / 17, sync: 750, heal: 7_500 }],
  [2_500, 4, { deliver: 250, sync: 12.5, heal: 125 }],
  [70, 4, { deliver: 10, sync: 10, heal: 10 }],
])(
  'at %d requests a second and %d deliveries at once each instance sends its share, and enough to end in time',
  (throttlingRate, deliverConcurrency, rates) => {
    expect(postRates({ throttlingRate, deliverConcurrency })).toEqual(rates);
  },
);
