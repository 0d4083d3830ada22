import { describe, expect, test } from '@jest/globals';
import { matchesPattern } from './pattern.ts';

const record = {
  eventName: 'INSERT',
  count: 7,
  nothing: null,
  tags: ['a', 'b'],
  dynamodb: { NewImage: { kind: { S: 'flag' }, key: { S: 'Some-Key' } } },
};

describe('filter patterns', () => {
  test.each([
    [{}, true],
    [{ eventName: ['INSERT', 'MODIFY'], dynamodb: { NewImage: { kind: { S: ['flag', 'segment'] } } } }, true],
    [{ eventName: ['MODIFY'] }, false],
    [{ eventName: ['INSERT'], count: [8] }, false],
    [{ dynamodb: { OldImage: { kind: { S: ['flag'] } } } }, false],
    [{ dynamodb: ['flag'] }, false],
    [{ count: [7] }, true],
    [{ count: ['7'] }, false],
    [{ nothing: [null] }, true],
    [{ missing: [null] }, false],
    [{ tags: ['b'] }, true],
    [{ tags: ['c'] }, false],
    [{ dynamodb: { NewImage: { key: { S: [{ prefix: 'Some' }] } } } }, true],
    [{ eventName: [{ exists: true }] }, true],
    [{ missing: [{ exists: false }] }, true],
    [{ missing: [{ exists: true }] }, false],
    [{ dynamodb: { OldImage: { kind: { S: [{ exists: false }] } } } }, false],
    [{ toString: [{ exists: true }] }, false],
  ])('%j: %s', (pattern, expected) => {
    expect(matchesPattern(pattern, record)).toBe(expected);
  });

  test('an unknown condition is named', () => {
    expect(() => matchesPattern({ eventName: [{ cidr: '10.0.0.0/8' }] }, record)).toThrow('{"cidr":"10.0.0.0/8"}');
    expect(() => matchesPattern({ count: [{ numeric: ['>', 1] }] }, record)).toThrow('{"numeric":[">",1]}');
  });
});
