import { describe, expect, test } from '@jest/globals';
import {
  type DeliveryState,
  isAnswered,
  isLeased,
  isUnreachable,
  knownVersion,
  pushAccess,
  stateIn,
} from './deliveryState.ts';

const NOW = 1_700_000_000_000;
const answering = (leaseUntil: number): DeliveryState => ({ kind: 'answering', leaseUntil });
const current: DeliveryState = { kind: 'current', version: 7 };
const unreachable: DeliveryState = { kind: 'behind', version: 7, reason: 'unreachable' };
const interrupted: DeliveryState = { kind: 'behind', version: 7, reason: 'interrupted' };
const waiting: DeliveryState = { kind: 'waiting', version: 7 };

test.each<[string, DeliveryState, unknown]>([
  ['left to the sender that is answering it', answering(NOW + 1), { kind: 'leave' }],
  ['left to healing where a delivery could not reach it twice', waiting, { kind: 'heal' }],
  ['sent new changes where it has all others', current, { kind: 'send new', version: 7 }],
  ['sent what it has missed', unreachable, { kind: 'send missed', version: 7 }],
  ['sent what there was no time for', interrupted, { kind: 'send missed', version: 7 }],
])('a connection is %s', (_, state, access) => {
  expect(pushAccess(state)).toEqual(access);
});

test('a lease ends at its time', () => {
  expect([NOW - 1, NOW].map((at) => isLeased(answering(NOW), at))).toEqual([true, false]);
  expect(isLeased(current, NOW)).toBe(false);
});

test('healing has nothing to do where deliveries send what a connection lacks', () => {
  const states = [answering(NOW + 1), answering(NOW), waiting, unreachable, interrupted, current];
  expect(states.map(isAnswered)).toEqual([false, false, false, true, true, true]);
});

test('a delivery does not wait again for one that could not be reached', () => {
  expect([unreachable, interrupted, current, waiting].map(isUnreachable)).toEqual([true, false, false, false]);
});

test('a connection has the version that was sent to it', () => {
  const half: DeliveryState = { kind: 'answering', leaseUntil: NOW, sentTo: 5 };
  expect([current, unreachable, waiting, half, answering(NOW)].map(knownVersion)).toEqual([7, 7, 7, 5, 0]);
});

describe('the state in a row', () => {
  const N = (value: number) => ({ N: String(value) });

  test.each<[DeliveryState, Parameters<typeof stateIn>[0]]>([
    [answering(NOW), { leaseUntil: N(NOW), asks: N(2), leftVersion: N(9) }],
    [current, { version: N(7) }],
    [unreachable, { version: N(7), behind: { S: 'unreachable' } }],
    [interrupted, { version: N(7), behind: { S: 'interrupted' } }],
    [waiting, { version: N(7), behind: { S: 'waiting' } }],
    // Written by version 0.2.0.
    [{ kind: 'waiting', version: 0 }, { unanswerable: { BOOL: true } }],
  ])('is %j', (state, row) => {
    expect(stateIn(row)).toEqual(state);
  });

  test('waits for everything without attributes', () => {
    expect(stateIn({})).toEqual({ kind: 'waiting', version: 0 });
  });
});
