import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { runs } from '../../../shared/testing/runs.ts';
import { indentJson } from './indentJson.ts';

test('text is indented as by JSON.stringify, however it was spaced', () => {
  const law = fc.property(fc.jsonValue(), fc.constantFrom(undefined, 1, '\t'), (value, space) => {
    expect(indentJson(JSON.stringify(value, null, space))).toBe(JSON.stringify(value, null, 2));
  });
  fc.assert(law, { numRuns: runs(500) });
});

test('keeps numbers, keys that look like numbers, and keys that occur twice', () => {
  expect(indentJson('{"id":9007199254740993,"10":1.0,"2":-0,"id":1e400}')).toBe(
    '{\n  "id": 9007199254740993,\n  "10": 1.0,\n  "2": -0,\n  "id": 1e400\n}',
  );
});
