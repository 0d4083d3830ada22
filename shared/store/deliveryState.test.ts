import { describe, expect, test } from '@jest/globals';
import {
  type DeliveryState,
  isAnswered,
  isLeased,
  isUnanswered,
  isUnreachable,
  LEFT_TO_HEALING_MS,
  pushAccess,
  stateIn,
} from './deliveryState.ts';

const NOW = 1_700_000_000_000;
const answering = (leaseUntil: number): DeliveryState => ({ kind: 'answering', leaseUntil });
const current: DeliveryState = { kind: 'current', version: 7 };
const unreachable: DeliveryState = { kind: 'behind', version: 7, reason: 'unreachable' };
const interrupted: DeliveryState = { kind: 'behind', version: 7, reason: 'interrupted' };
const unanswered: DeliveryState = { kind: 'behind', version: 7, reason: 'unanswered' };
const unanswerable: DeliveryState = { kind: 'unanswerable' };

test.each<[string, DeliveryState, unknown]>([
  ['left to the sender that is answering it', answering(NOW + 1), { kind: 'leave' }],
  ['left to healing once that sender is dead', answering(NOW - LEFT_TO_HEALING_MS + 1), { kind: 'skip' }],
  [
    'sent everything where healing had its time',
    answering(NOW - LEFT_TO_HEALING_MS),
    { kind: 'send missed', version: 0 },
  ],
  ['sent new changes where it has all others', current, { kind: 'send new', version: 7 }],
  ['sent what it has missed', unreachable, { kind: 'send missed', version: 7 }],
  ['sent what there was no time for', interrupted, { kind: 'send missed', version: 7 }],
  ['not sent anything where its answer fits no message', unanswerable, { kind: 'skip' }],
])('a connection is %s', (_, state, access) => {
  expect(pushAccess(state, NOW)).toEqual(access);
});

test('a lease ends at its time', () => {
  expect([NOW - 1, NOW].map((at) => isLeased(answering(NOW), at))).toEqual([true, false]);
  expect(isLeased(current, NOW)).toBe(false);
});

test('healing has nothing to do where a connection is answered, or cannot be', () => {
  const states = [answering(NOW + 1), answering(NOW), unreachable, interrupted, current, unanswerable];
  expect(states.map(isAnswered)).toEqual([false, false, false, false, true, true]);
});

test('a delivery does not wait again for one that could not be reached, or lacks its answer', () => {
  const states = [unreachable, unanswered, interrupted, current, answering(0)];
  expect(states.map(isUnreachable)).toEqual([true, true, false, false, false]);
  expect(states.map(isUnanswered)).toEqual([false, true, false, false, true]);
});

describe('the state in a row', () => {
  const N = (value: number) => ({ N: String(value) });

  test.each<[DeliveryState, Parameters<typeof stateIn>[0]]>([
    [answering(NOW), { leaseUntil: N(NOW), asks: N(2), leftVersion: N(9) }],
    [current, { version: N(7) }],
    [unreachable, { version: N(7), behind: { S: 'unreachable' } }],
    [interrupted, { version: N(7), behind: { S: 'interrupted' } }],
    [unanswered, { version: N(7), behind: { S: 'unanswered' } }],
    [unanswerable, { unanswerable: { BOOL: true } }],
  ])('is %j', (state, row) => {
    expect(stateIn(row)).toEqual(state);
  });

  test('that says nothing of itself is that everything is owed', () => {
    expect(stateIn({})).toEqual({ kind: 'behind', version: 0, reason: 'interrupted' });
  });
});
