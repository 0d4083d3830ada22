import { describe, expect, test } from '@jest/globals';
import { findSlowExpressions } from './expressions.ts';

describe('the check of regular expressions', () => {
  test.each([
    // The one of a request's header with which one packet held up a host for ten seconds.
    [String.raw`/^([\w-]+):[ \t]*([\t -~\x80-\xff]*?)[ \t]*$/`, /more than linear time/],
    ['/=+$/', /more than linear time/],
    ['/^a+a+$/', /more than linear time/],
    ['new RegExp(text)', /built at run time/],
    ["RegExp('a')", /built at run time/],
  ])('finds %s, and says where', (expression, problem) => {
    const [finding, ...others] = findSlowExpressions('a.ts', `const one = 1;\nconst found = ${expression};`);
    expect(finding).toMatch(problem);
    expect(finding).toMatch(/^a\.ts:2 /);
    expect(others).toEqual([]);
  });

  test.each(['/^[a-z]+$/i', String.raw`/^(\d+)([smhd]?)$/`, '"/=+$/"', 'matcher.test(text)'])(
    'lets %s pass',
    (expression) => {
      expect(findSlowExpressions('a.ts', `export const it = ${expression};`)).toEqual([]);
    },
  );
});
