import { expect, test } from '@jest/globals';
import { Tables } from './tables.ts';

const limits = { reads: 100, writes: 10, partitionReads: 50, partitionWrites: 5 };

test('a partition’s units wait for one another, and those of a table for all of its partitions', () => {
  const tables = new Tables(limits);
  // What a second keeps of either.
  for (let n = 0; n < 5; n++) expect(tables.write(0, 'a', 1)).toBe(0);
  expect(tables.write(0, 'a', 1)).toBeCloseTo(200);
  for (let n = 0; n < 4; n++) expect(tables.write(0, 'b', 1)).toBe(0);
  expect(tables.write(0, 'c', 1)).toBeCloseTo(100);
  expect(tables.write(60_000, 'a', 1)).toBe(0);
  expect(tables.read(0, 'a', 50)).toBe(0);
  expect(tables.units).toEqual({ read: 50, written: 12 });
});
