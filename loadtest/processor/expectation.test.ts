import { describe, expect, test } from '@jest/globals';
import { aUser } from '../../shared/testing/builders.ts';
import { benchmarkEnvironment, rightAnswer } from '../testing/benchmarkEnvironment.ts';
import { checkAgainst } from './expectation.ts';

const user = aUser('u1');
const check = checkAgainst(benchmarkEnvironment);
const changed = (change: (answer: ReturnType<typeof JSON.parse>) => void) => {
  const answer = JSON.parse(rightAnswer(user));
  change(answer);
  return JSON.stringify(answer);
};

describe('an answer', () => {
  test('is right when it is what the documents evaluate to, in whatever order', () => {
    expect(check(user, rightAnswer(user))).toBeUndefined();
    expect(
      check(
        user,
        changed(({ data }) => data.featureFlags.reverse()),
      ),
    ).toBeUndefined();
  });

  test.each([
    ['an answer is not JSON', rightAnswer(user).slice(0, -1)],
    ['an answer is no full data-sync', '{"messageType":"pong","data":{}}'],
    ['an answer is no full data-sync', changed(({ data }) => Object.assign(data, { eventType: 'patch' }))],
    ['an answer is for somebody else', rightAnswer(aUser('u2'))],
    ['an answer lacks a flag', changed(({ data }) => data.featureFlags.pop())],
    [
      'an answer has a wrong variation',
      changed(({ data }) => Object.assign(data.featureFlags[0], { variation: 'maybe' })),
    ],
    ['an answer has a flag too many', changed(({ data }) => data.featureFlags.push({ id: 'more', variation: 'true' }))],
  ])('is wrong: %s', (why, answer) => {
    expect(check(user, answer)).toBe(why);
  });

  test('is looked at without documents too', () => {
    const look = checkAgainst(undefined);
    expect(
      look(
        user,
        changed(({ data }) => data.featureFlags.pop()),
      ),
    ).toBeUndefined();
    expect(look(user, rightAnswer(aUser('u2')))).toBe('an answer is for somebody else');
  });
});
