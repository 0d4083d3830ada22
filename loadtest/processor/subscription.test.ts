import { describe, expect, test } from '@jest/globals';
import type { Subscription } from '../processor.mjs';
import { benchmarkEnvironment, rightAnswer } from '../testing/benchmarkEnvironment.ts';
import { checkAgainst } from './expectation.ts';
import { ClientSubscription, ServerSubscription } from './subscription.ts';

const user = (keyId: string) => ({ keyId, name: keyId, attributes: new Map<string, string>() });
const asked = (subscription: Subscription) => subscription.request();
const newest = Math.max(...benchmarkEnvironment.flags.map(({ updatedAt }) => Date.parse(updatedAt)));

const patch = (userKeyId: string, ...timestamps: number[]) =>
  JSON.stringify({
    messageType: 'data-sync',
    data: { eventType: 'patch', userKeyId, featureFlags: timestamps.map((timestamp) => ({ id: 'f', timestamp })) },
  });

describe('a client’s subscription', () => {
  const answered = () => {
    const subscription = new ClientSubscription(user('u1'), checkAgainst(benchmarkEnvironment));
    expect(subscription.answer(rightAnswer(user('u1')))).toBeUndefined();
    return subscription;
  };

  test('asks for everything first, then for what is newer than the newest it has', () => {
    expect(asked(new ClientSubscription(user('u1'), checkAgainst(undefined)))).toMatchObject({ timestamp: 0 });
    const subscription = answered();
    expect(asked(subscription)).toMatchObject({ timestamp: newest, user: { keyId: 'u1' } });
    expect(subscription.change(patch('u1', newest + 5))).toBe(newest + 5);
    expect(asked(subscription)).toMatchObject({ timestamp: newest + 5 });
  });

  test('takes an empty patch, or everything, when it comes back, and only its own', () => {
    expect(answered().answer(patch('u1'))).toBeUndefined();
    expect(answered().answer(rightAnswer(user('u1')))).toBeUndefined();
    expect(answered().answer(patch('u2'))).toBe('an answer is for somebody else');
  });

  test('takes no change twice, and none out of order', () => {
    const subscription = answered();
    expect(subscription.change(patch('u1', newest + 2))).toBe(newest + 2);
    expect(subscription.change(patch('u1', newest + 2))).toBeUndefined();
    expect(subscription.change(patch('u1', newest + 1))).toBeUndefined();
  });

  test('asks for everything again after identify, and skips messages for the former user', () => {
    const subscription = answered();
    subscription.identify(user('u2'));
    expect(asked(subscription)).toMatchObject({ timestamp: 0, user: { keyId: 'u2' } });
    expect(subscription.isOutdated(patch('u1'))).toBe(true);
    expect(subscription.isOutdated(rightAnswer(user('u2')))).toBe(false);
    expect(subscription.answer(rightAnswer(user('u2')))).toBeUndefined();
  });
});

describe('a server’s subscription', () => {
  const message = (eventType: string, ...keys: readonly string[]) =>
    JSON.stringify({
      messageType: 'data-sync',
      data: {
        eventType,
        featureFlags: keys.map((key) => ({ id: 'same', key, updatedAt: new Date(1_000 + Number(key)).toISOString() })),
        segments: [],
      },
    });

  test('is whole with its last part, whichever messages the parts came in', () => {
    const subscription = new ServerSubscription(4);
    expect(subscription.answer(message('full', '1', '2'))).toBeUndefined();
    expect(subscription.isWhole).toBe(false);
    expect(subscription.change(message('patch', '3'))).toBe(1_003);
    expect(subscription.change(message('patch', '4'))).toBe(1_004);
    expect([subscription.isWhole, asked(subscription)]).toEqual([true, { timestamp: 1_004 }]);
  });

  test('begins with a full answer', () => {
    expect(new ServerSubscription(1).answer(message('patch', '1'))).toBe('an answer is no full data-sync');
  });
});
