import { describe, expect, test } from '@jest/globals';
import { ExactNumber } from './exactJson.ts';
import { formatProblem, type Problem } from './problem.ts';
import { DocumentReader, describe as describeValue } from './reader.ts';

/** A reader's result for `{ field: value }`, and its problems. */
function reading<T>(value: unknown, read: (reader: DocumentReader) => T): { result: T; problems: string[] } {
  const problems: Problem[] = [];
  const result = read(new DocumentReader({ field: value }, 'root', problems));
  return { result, problems: problems.map(formatProblem) };
}

describe('DocumentReader', () => {
  test.each<[string, (reader: DocumentReader) => unknown, unknown, unknown]>([
    ['a string', (reader) => reader.string('field'), 'x', 'x'],
    ['a missing string with a fallback', (reader) => reader.string('field', 'x'), undefined, 'x'],
    ['a null string with a fallback', (reader) => reader.string('field', 'x'), null, 'x'],
    ['a nullable string', (reader) => reader.nullableString('field'), 'x', 'x'],
    ['a nullable string that is null', (reader) => reader.nullableString('field'), null, null],
    ['a nullable string that is missing', (reader) => reader.nullableString('field'), undefined, null],
    ['a boolean', (reader) => reader.boolean('field'), false, false],
    ['a null boolean with a fallback', (reader) => reader.boolean('field', true), null, true],
    ['a missing boolean with a fallback', (reader) => reader.boolean('field', true), undefined, true],
    ['a number', (reader) => reader.number('field'), 0, 0],
    ['a null number with a fallback', (reader) => reader.number('field', 1), null, 1],
    ['a number with more digits than a double', (reader) => reader.number('field'), new ExactNumber('0.50'), 0.5],
    ['strings', (reader) => reader.strings('field'), ['a', 'b'], ['a', 'b']],
    ['missing strings', (reader) => reader.strings('field'), undefined, []],
    ['objects', (reader) => reader.objects('field', (item) => item.string('id')), [{ id: 'a' }], ['a']],
    ['null objects', (reader) => reader.objects('field', (item) => item.string('id')), null, []],
    ['an object', (reader) => reader.object('field', (item) => item.string('id')), { id: 'a' }, 'a'],
  ])('reads %s', (_, read, value, result) => {
    expect(reading(value, read)).toEqual({ result, problems: [] });
  });

  test.each<[string, (reader: DocumentReader) => unknown, unknown, string[]]>([
    [
      'a required string',
      (reader) => reader.string('field'),
      undefined,
      ['root.field: must be a string, but is missing'],
    ],
    ['a string', (reader) => reader.string('field', ''), 7, ['root.field: must be a string, but is a number']],
    [
      'a nullable string',
      (reader) => reader.nullableString('field'),
      [],
      ['root.field: must be a string or null, but is an array'],
    ],
    [
      'a boolean',
      (reader) => reader.boolean('field', true),
      'true',
      ['root.field: must be true or false, but is a string'],
    ],
    ['a number', (reader) => reader.number('field', 1), '1', ['root.field: must be a number, but is a string']],
    ['a required number', (reader) => reader.number('field'), null, ['root.field: must be a number, but is null']],
    [
      'a number beyond the largest',
      (reader) => reader.number('field'),
      Number.POSITIVE_INFINITY,
      ['root.field: must be a number, but is a number out of range'],
    ],
    [
      'strings, each wrong one',
      (reader) => reader.strings('field'),
      ['a', 1, null],
      ['root.field[1]: must be a string, but is a number', 'root.field[2]: must be a string, but is null'],
    ],
    ['an array', (reader) => reader.strings('field'), {}, ['root.field: must be an array, but is an object']],
    [
      'objects, each wrong one and each wrong field',
      (reader) => reader.objects('field', (item) => item.string('id')),
      [[], { id: true }],
      ['root.field[0]: must be an object, but is an array', 'root.field[1].id: must be a string, but is a boolean'],
    ],
    [
      'an object and its fields',
      (reader) => reader.object('field', (item) => item.string('id')),
      null,
      ['root.field: must be an object, but is null', 'root.field.id: must be a string, but is missing'],
    ],
  ])('names by path what is wrong with %s', (_, read, value, problems) => {
    expect(reading(value, read).problems).toEqual(problems);
  });

  test.each<[string, (reader: DocumentReader) => unknown, unknown]>([
    ['a string', (reader) => reader.string('field'), ''],
    ['a string with a fallback', (reader) => reader.string('field', 'x'), 'x'],
    ['a boolean', (reader) => reader.boolean('field'), false],
    ['a boolean with a fallback', (reader) => reader.boolean('field', true), true],
    ['a number', (reader) => reader.number('field'), 0],
    ['a number with a fallback', (reader) => reader.number('field', 1), 1],
    ['strings', (reader) => reader.strings('field'), []],
  ])('goes on after an error with harmless %s', (_, read, result) => {
    expect(reading({}, read)).toEqual({ result, problems: [expect.stringContaining('root.field: must be')] });
    expect(reading([{}], (reader) => reader.strings('field')).result).toEqual([]);
  });

  test('keeps the fields it was not asked for, and never lets them win', () => {
    const reader = new DocumentReader({ id: 7, extra: { deep: [1] }, other: null }, '', []);
    expect(reader.withExtras({ id: 'read' })).toEqual({ id: 'read', extra: { deep: [1] }, other: null });
  });

  test('tells errors from warnings', () => {
    const problems: Problem[] = [];
    const reader = new DocumentReader({}, '', problems);
    reader.warn('name', 'is odd');
    reader.error('key', 'is wrong');
    expect(problems).toEqual([
      { path: 'name', message: 'is odd', severity: 'warning' },
      { path: 'key', message: 'is wrong', severity: 'error' },
    ]);
  });
});

test.each([
  [undefined, 'missing'],
  [null, 'null'],
  [[], 'an array'],
  [{}, 'an object'],
  ['', 'a string'],
  [0, 'a number'],
  [false, 'a boolean'],
])('%j is described as %s', (value, text) => {
  expect(describeValue(value)).toBe(text);
});

test('a problem of the whole document has no path to print', () => {
  expect(formatProblem({ path: '', message: 'must be an object', severity: 'error' })).toBe('must be an object');
});
