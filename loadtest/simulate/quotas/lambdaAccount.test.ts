import { describe, expect, test } from '@jest/globals';
import { LambdaAccount } from './lambdaAccount.ts';

const limits = { concurrentExecutions: 3, scaling: { perSecond: 1, burst: 2 }, callsPerExecution: 10 };

describe('the Lambda of an account', () => {
  test('begins in a new instance where none is free, and in one that is there else', () => {
    const lambda = new LambdaAccount(limits, () => 0);
    expect([lambda.enter('a'), lambda.enter('a')]).toEqual(['cold', 'cold']);
    lambda.leave('a');
    expect(lambda.enter('a')).toBe('warm');
  });

  test('refuses what is too much at once, of all functions together', () => {
    const lambda = new LambdaAccount(limits, () => 0);
    for (const name of ['a', 'b', 'c']) expect(lambda.enter(name)).toBe('cold');
    expect(lambda.enter('a')).toBe('Lambda: concurrent executions');
    lambda.leave('b');
    expect(lambda.enter('a')).toBe('cold');
  });

  test('lets a function grow at its rate only', () => {
    let now = 0;
    const lambda = new LambdaAccount(limits, () => now);
    lambda.enter('a');
    lambda.enter('a');
    expect(lambda.enter('a')).toBe('Lambda: new instances');
    now = 1_000;
    expect(lambda.enter('a')).toBe('cold');
  });

  test('takes ten calls a second for each execution', () => {
    const lambda = new LambdaAccount(limits, () => 0);
    for (let n = 0; n < 30; n++) {
      expect(lambda.enter('a')).not.toContain('Lambda');
      lambda.leave('a');
    }
    expect(lambda.enter('a')).toBe('Lambda: calls a second');
  });

  test('knows an end without a beginning', () => {
    expect(() => new LambdaAccount(limits, () => 0).leave('a')).toThrow('no call of a is running');
  });
});
