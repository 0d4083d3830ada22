import { describe, expect, test } from '@jest/globals';
import { aUser } from '../testing/builders.ts';
import { allOf, always, anyOf, never, not, type Predicate } from './predicate.ts';

const user = aUser('u1');
const isU1: Predicate = ({ keyId }) => keyId === 'u1';
const unasked: Predicate = () => {
  throw new Error('must not be asked');
};

describe('allOf', () => {
  test.each<[string, Predicate[], boolean]>([
    ['none', [], true],
    ['one that holds', [isU1], true],
    ['one that does not', [never], false],
    ['several that hold', [isU1, always, isU1], true],
    ['two that hold', [isU1, always], true],
    ['two of which the first does not', [never, unasked], false],
    ['two of which the second does not', [isU1, never], false],
    ['one of several that does not, and asks no further', [isU1, never, unasked], false],
    ['several of which the last does not', [isU1, always, never], false],
  ])('%s', (_, predicates, expected) => {
    expect(allOf(predicates)(user)).toBe(expected);
  });
});

describe('anyOf', () => {
  test.each<[string, Predicate[], boolean]>([
    ['none', [], false],
    ['one that holds', [isU1], true],
    ['one that does not', [never], false],
    ['several that do not', [never, not(isU1)], false],
    ['one of several that holds, and asks no further', [never, isU1, unasked], true],
  ])('%s', (_, predicates, expected) => {
    expect(anyOf(predicates)(user)).toBe(expected);
  });
});

test('returns a single predicate unchanged', () => {
  expect([allOf([isU1]), anyOf([isU1])]).toEqual([isU1, isU1]);
});

test('not turns a predicate around', () => {
  expect([not(always)(user), not(never)(user), not(isU1)(aUser('u2'))]).toEqual([false, true, true]);
});
