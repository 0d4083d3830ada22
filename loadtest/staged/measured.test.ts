import { expect, test } from '@jest/globals';
import { aLoad } from '../testing/staged.ts';
import { failuresOf, STAGE_CPU } from './measured.ts';

test.each([
  [{}, []],
  [{ errorPercent: 1, syncP99: 200, replyP99: 200, cpu: 0.9 }, []],
  [{ errorPercent: 1.1 }, ['FAILED: errors.percent is 1.1, at most 1']],
  [{ syncP99: 201 }, ['FAILED: sync.p99 is 201, at most 200']],
  [{ replyP99: 236 }, ['FAILED: reply.p99 is 236, at most 200']],
  [{ cpu: 0.91 }, ['FAILED: cpu.percent is 91, at most 90']],
  [{ cpu: Number.NaN }, ['FAILED: cpu.percent was not measured, at most 90']],
  [{ bottlenecks: ['a worker was 80 ms late'] }, ['a worker was 80 ms late']],
  [
    { errorPercent: 2, reasons: ['refused: 503'] },
    ['FAILED: errors.percent is 2, at most 1', 'an error was: refused: 503'],
  ],
  // What ends a load by itself is told by the gates; one error in a thousand is none.
  [{ reasons: ['refused: 503'] }, []],
])('a load with %j fails by %j', (fields, expected) => {
  expect(failuresOf(aLoad(fields), STAGE_CPU)).toEqual(expected);
});

test('what was not measured keeps no gate after it was kept as JSON, either', () => {
  const unanswered = aLoad({ syncP99: Number.NaN, replyP99: Number.NaN });
  expect(failuresOf(JSON.parse(JSON.stringify(unanswered)), STAGE_CPU)).toEqual(failuresOf(unanswered, STAGE_CPU));
  expect(failuresOf(unanswered, STAGE_CPU)).toHaveLength(2);
});
