import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { anyText } from '../testing/arbitraries/text.ts';
import { decodeGuid, encodeGuid, isGuid } from './guid.ts';

const VECTORS = [
  ['ad99d259-1f50-4ed9-a002-7c65e25487df', 'WdKZrVAf2U6gAnxl4lSH3w'],
  ['8dc61769-5af3-4d9f-8cb3-d7342e24c3eb', 'aRfGjfNan02Ms9c0LiTD6w'],
  ['226b9bf8-4af3-4ffa-9b01-162270e4cd40', '-JtrIvNK-k-bARYicOTNQA'],
  ['7dfd851b-6256-44b5-a7b6-bca2d126834b', 'G4X9fVZitUSntryi0SaDSw'],
] as const;

describe('a GUID', () => {
  test.each(VECTORS)('%s is written as %s, in the byte order of .NET', (guid, text) => {
    expect(encodeGuid(guid)).toBe(text);
    expect(decodeGuid(text)).toBe(guid);
    expect(encodeGuid(guid.toUpperCase())).toBe(text);
  });

  test('comes back from its 22 characters, whichever it is', () => {
    fc.assert(
      fc.property(fc.uuid({ version: [1, 2, 3, 4, 5, 6, 7, 8] }), (guid) => {
        const text = encodeGuid(guid);
        expect(text).toMatch(/^[\w-]{22}$/);
        expect(decodeGuid(text)).toBe(guid);
      }),
    );
  });

  test('is treated as none if it is all zeros, as in FeatBit', () => {
    const zeros = '00000000-0000-0000-0000-000000000000';
    expect(isGuid(zeros)).toBe(true);
    expect(decodeGuid(encodeGuid(zeros))).toBeUndefined();
  });

  test.each([
    '',
    'WdKZrVAf2U6gAnxl4lSH3',
    'WdKZrVAf2U6gAnxl4lSH3ww',
    'WdKZrVAf2U6gAnxl4lSH+w',
    'WdKZrVAf2U6gAnxl4lSH3=',
    'WdKZrVAf2U6gAnxl4lSH3\n',
  ])('is not read from %j', (text) => {
    expect(decodeGuid(text)).toBeUndefined();
  });

  test('is not read from arbitrary text, which never throws', () => {
    fc.assert(
      fc.property(anyText(30), (text) => {
        const guid = decodeGuid(text);
        expect(guid === undefined || isGuid(guid)).toBe(true);
      }),
    );
  });

  test.each([
    '',
    'no-guid',
    'ad99d2591f504ed9a0027c65e25487df',
    '{ad99d259-1f50-4ed9-a002-7c65e25487df',
    'ad99d259-1f50-4ed9-a002-7c65e25487df}',
    'gd99d259-1f50-4ed9-a002-7c65e25487df',
  ])('%j is refused by name', (text) => {
    expect(isGuid(text)).toBe(false);
    expect(() => encodeGuid(text)).toThrow(`"${text}" is not a GUID`);
  });
});
