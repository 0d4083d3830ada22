import { describe, expect, test } from '@jest/globals';
import { failure } from '../lambda/result.ts';
import { failedItems } from './streamPoller.ts';

const batch = ['1', '2', '3'];
const report = (...ids: unknown[]) => ({
  ok: true as const,
  payload: { batchItemFailures: ids.map((itemIdentifier) => ({ itemIdentifier })) },
});

describe('the answer of a function to a batch', () => {
  test.each([
    ['nothing', { ok: true as const, payload: null }, []],
    ['an empty report', report(), []],
    ['no list', { ok: true as const, payload: { batchItemFailures: null } }, []],
    ['something else', { ok: true as const, payload: { hello: 1 } }, []],
    ['two failures', report('3', '2'), ['2', '3']],
    ['an error', { ok: false as const, reason: 'failed' as const, errorType: 'E', errorMessage: 'm' }, 'all'],
    ['a throttle', failure('throttled', 'TooManyRequestsException', 'Rate Exceeded'), 'all'],
    ['an unknown identifier', report('1', '9'), 'all'],
    ['an empty identifier', report(''), 'all'],
    ['no identifier', report(null), 'all'],
    ['a list that is none', { ok: true as const, payload: { batchItemFailures: 'x' } }, 'all'],
  ])('%s', (_name, result, expected) => {
    expect(failedItems(result, batch, true)).toEqual(expected);
  });

  test('a report nobody asked for is not read', () => {
    expect(failedItems(report('1'), batch, false)).toEqual([]);
  });
});
