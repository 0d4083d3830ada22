import { beforeEach, describe, expect, test } from '@jest/globals';
import { measureOutage } from './tableOutage.ts';

let now: number;
let failed: unknown[];
let asked: number;
/** The table's response to the next read. */
let answer: () => Promise<unknown>;
let outage: ReturnType<typeof measureOutage>;

beforeEach(() => {
  [now, failed, asked] = [1_000, [], 0];
  answer = async () => {};
  const ask = () => {
    asked++;
    return answer();
  };
  outage = measureOutage(
    { ask, onAnswered: () => {}, onFailed: (error) => failed.push(error), now: () => now },
    30_000,
  );
});

describe('an outage of the table', () => {
  test('counts from the last answer, the start at first', async () => {
    now += 30_000;
    outage.requireAnswer();
    now += 1;
    expect(() => outage.requireAnswer()).toThrow(
      'the table has not answered for 30001 ms, more than MAX_TABLE_OUTAGE_MS (30000)',
    );
    await outage.look();
    outage.requireAnswer();
    now += 30_001;
    expect(() => outage.requireAnswer()).toThrow();
    outage.answered();
    outage.requireAnswer();
  });

  test('does not end by a question that fails, which is reported', async () => {
    const error = new Error('away');
    answer = () => Promise.reject(error);
    now += 30_001;
    await outage.look();
    expect(failed).toEqual([error]);
    expect(() => outage.requireAnswer()).toThrow();
  });

  test('asks nothing more while a question waits', async () => {
    const waiting = Promise.withResolvers<void>();
    answer = () => waiting.promise;
    const looks = [outage.look(), outage.look()];
    now += 30_001;
    expect(() => outage.requireAnswer()).toThrow();
    waiting.resolve();
    await Promise.all(looks);
    outage.requireAnswer();
    await outage.look();
    expect(asked).toBe(2);
  });

  test('has no limit by default, and each answer is reported', async () => {
    let answers = 0;
    const onAnswered = () => void answers++;
    const unlimited = measureOutage({ ask: () => answer(), onAnswered, onFailed: () => {}, now: () => now });
    now += 1e12;
    unlimited.requireAnswer();
    await unlimited.look();
    unlimited.answered();
    expect(answers).toBe(2);
  });
});
