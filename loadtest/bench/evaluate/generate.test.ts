import { describe, expect, test } from '@jest/globals';
import { compileEnvironment } from '../../../shared/testing/evaluate.ts';
import { parseDocuments } from '../../../shared/testing/fixtures.ts';
import { Random } from '../../../shared/testing/random.ts';
import { disagreements } from './agreement.ts';
import { generateDocuments } from './generate.ts';
import { generateUsers } from './population.ts';
import { benchmark } from './workloads.ts';

const SIZE = { flags: 60, rulesPerFlag: 3, segments: 4, usersPerSegment: 100 };

describe('Random', () => {
  test('goes the same way for the same seed, and another for another', () => {
    const numbers = (seed: number) =>
      Array.from(
        { length: 5 },
        (
          (random) => () =>
            random.next()
        )(new Random(seed)),
      );
    expect(numbers(7)).toEqual(numbers(7));
    expect(numbers(7)).not.toEqual(numbers(8));
    for (const number of numbers(7)) expect(number >= 0 && number < 1).toBe(true);
  });

  test('samples distinct items and writes GUIDs', () => {
    const random = new Random(1);
    expect(new Set(random.sample([1, 2, 3, 4], 3)).size).toBe(3);
    expect(random.sample([1, 2], 5).sort()).toEqual([1, 2]);
    expect(random.guid()).toMatch(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
  });
});

describe('a generated environment', () => {
  test('is always the same', () => {
    expect(generateDocuments(SIZE)).toEqual(generateDocuments(SIZE));
    expect(generateUsers(20)).toEqual(generateUsers(20));
  });

  test('is of the size asked for and compiles without a complaint', () => {
    const { flags, segments } = parseDocuments(generateDocuments(SIZE));
    expect([flags.length, segments.length]).toEqual([60, 4]);
    expect(flags.every((flag) => flag.rules.length === 3)).toBe(true);
    expect(segments.every(({ included, excluded }) => included.length + excluded.length === 100)).toBe(true);
    expect(compileEnvironment(flags, { segments }).invalidConditions).toEqual([]);
  });
});

describe('all contestants agree', () => {
  test('on the benchmark data set', async () => {
    const { documents, users } = benchmark();
    expect(await disagreements(documents, users.slice(0, 60))).toEqual([]);
  });

  test('on a generated environment', async () => {
    expect(await disagreements(parseDocuments(generateDocuments(SIZE)), generateUsers(60))).toEqual([]);
  });

  test('and it is told when they do not', async () => {
    const { documents } = benchmark();
    const user = JSON.stringify({ keyId: 'u1', name: 'x', customizedProperties: [{ name: 'age', value: '22abc' }] });
    expect(await disagreements(documents, [user])).not.toEqual([]);
  });
});
