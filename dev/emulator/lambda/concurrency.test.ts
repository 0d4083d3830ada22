import { describe, expect, test } from '@jest/globals';
import { functionDefinition } from '../testing/functions.ts';
import { createConcurrency } from './concurrency.ts';

const [a, b] = [functionDefinition('A'), functionDefinition('B')];
const reserving = (name: string, reservedConcurrency: number) => functionDefinition(name, { reservedConcurrency });

/** @returns the function that ends an admitted invocation */
function admitted(entered: (() => void) | string): () => void {
  if (typeof entered === 'string') throw new Error(`refused: ${entered}`);
  return entered;
}

describe('concurrent executions', () => {
  test('are shared by all functions; past them an invocation is refused until another ends', () => {
    const enter = createConcurrency(2, [a, b]);
    const end = admitted(enter('A'));
    admitted(enter('B'));
    expect(enter('A')).toBe('ConcurrentInvocationLimitExceeded');
    expect(enter('B')).toBe('ConcurrentInvocationLimitExceeded');
    end();
    admitted(enter('B'));
    expect(enter('A')).toBe('ConcurrentInvocationLimitExceeded');
  });

  test('a function uses all of its reserved executions and no others', () => {
    const enter = createConcurrency(102, [reserving('A', 2), b]);
    admitted(enter('A'));
    admitted(enter('A'));
    expect(enter('A')).toBe('ReservedFunctionConcurrentInvocationLimitExceeded');
    for (let n = 0; n < 100; n += 1) admitted(enter('B'));
    expect(enter('B')).toBe('ConcurrentInvocationLimitExceeded');
  });

  test('none reserved for a function switches it off, in an account of any size', () => {
    const enter = createConcurrency(10, [reserving('A', 0), b]);
    expect(enter('A')).toBe('ReservedFunctionConcurrentInvocationLimitExceeded');
    admitted(enter('B'));
  });

  test('a hundred stay unreserved, and in a small account all of them', () => {
    expect(() => createConcurrency(1000, [reserving('A', 600), reserving('B', 301)])).toThrow(
      "Functions reserve 901 of the account's 1000 concurrent executions (A 600, B 301), and at least 100 must",
    );
    expect(() => createConcurrency(10, [reserving('A', 1)])).toThrow('and at least 10 must stay unreserved');
    createConcurrency(1000, [reserving('A', 600), reserving('B', 300)]);
  });
});
