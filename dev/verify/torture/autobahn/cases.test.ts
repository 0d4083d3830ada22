import { describe, expect, test } from '@jest/globals';
import { type CaseOutcome, DIFFERENCES, judgeCases } from './cases.ts';

const outcome = (behavior: string, behaviorClose: string, remoteCloseCode: number | null = 1000): CaseOutcome => ({
  behavior,
  behaviorClose,
  remoteCloseCode,
});
const [binary, large, compression] = DIFFERENCES;

describe('Autobahn’s cases', () => {
  test('pass when messages and close are as they must be, or might be', () => {
    const { passed, failed } = judgeCases({
      '1.1.1': outcome('OK', 'OK'),
      '6.4.1': outcome('NON-STRICT', 'OK', 1007),
      '7.13.1': outcome('INFORMATIONAL', 'INFORMATIONAL', 1002),
    });
    expect([passed, failed]).toEqual([3, []]);
  });

  test('differ only where it is known, and as it is known', () => {
    const { passed, differ, failed } = judgeCases({
      '9.1.2': outcome('FAILED', 'FAILED', 1009),
      '9.1.4': outcome('FAILED', 'FAILED', 1009),
      '9.2.1': outcome('FAILED', 'FAILED', 1003),
      '12.1.1': outcome('ERROR', 'FAILED', null),
      '12.2.1': outcome('FAILED', 'FAILED', 1003),
      '13.3.1': outcome('UNIMPLEMENTED', 'OK'),
    });
    expect([passed, failed]).toEqual([0, []]);
    expect([large, binary, compression].map((each) => differ.get(each as (typeof DIFFERENCES)[number]))).toEqual([
      2, 1, 3,
    ]);
  });

  test.each([
    ['a case that must pass', '1.1.1', outcome('FAILED', 'OK')],
    ['one that is closed wrongly', '7.1.1', outcome('OK', 'WRONG CODE', 1002)],
    ['a large message that is dropped without a word', '9.1.2', outcome('FAILED', 'FAILED', null)],
    ['a binary message that is taken for too large', '1.2.1', outcome('FAILED', 'FAILED', 1009)],
    ['compression that is agreed to and fails', '13.1.1', outcome('FAILED', 'OK')],
    ['one that could not be run', '2.1', outcome('ERROR', 'OK', null)],
    ['one beside those that may differ', '1.1.8', outcome('FAILED', 'FAILED', 1009)],
  ])('fail otherwise: %s', (_, id, what) => {
    expect(judgeCases({ [id]: what }).failed).toEqual([id]);
  });
});
