import { describe, expect, test } from '@jest/globals';
import { sdkUser } from './message.ts';
import { type Outcome, SdkModel } from './sdkModel.ts';
import { ANDROID_RULES, CONTEXT_RULES, JS_RULES, SERVER_RULES } from './sdkRules.ts';

type Name = keyof typeof SERVER_RULES;

const flag = (key: string, version: number, more: object = {}) => ({
  key,
  updatedAt: new Date(version).toISOString(),
  isEnabled: true,
  rules: [],
  variations: [],
  ...more,
});

const toServer = (eventType: string, ...featureFlags: object[]) =>
  JSON.stringify({ messageType: 'data-sync', data: { eventType, featureFlags, segments: [] } });

const toClient = (eventType: string, userKeyId: string, ...featureFlags: object[]) =>
  JSON.stringify({ messageType: 'data-sync', data: { eventType, userKeyId, featureFlags } });

const SERVED = { variation: 'true', variationType: 'boolean', matchReason: 'default' };
const evaluated = (id: string, timestamp: number, more: object = {}) => ({ id, timestamp, ...SERVED, ...more });

/** A server-side SDK that has flag `a` of version 1000 and flag `b` of version 2000. */
function serverSdk(name: Name): SdkModel {
  const model = new SdkModel(SERVER_RULES[name]);
  model.request(0);
  model.receive(toServer('full', flag('a', 1_000), flag('b', 2_000)), 1);
  return model;
}

describe('a server-side SDK', () => {
  const pong = '{"messageType":"pong","data":{}}';
  const isNull = { rules: [{ conditions: [{ op: null, value: '' }] }] };

  test.each<[Name, Outcome, string, string]>([
    ['Go', 'reconnect', 'a patch that comes again', toServer('patch', flag('b', 2_000))],
    ['Java', 'reconnect', 'a patch that comes again', toServer('patch', flag('b', 2_000))],
    ['.NET', 'stored', 'a patch that comes again', toServer('patch', flag('b', 2_000))],
    ['Java', 'reconnect', 'a newer flag after a newer version', toServer('patch', flag('a', 1_500))],
    ['.NET', 'stored', 'a newer flag after a newer version', toServer('patch', flag('a', 1_500))],
    ['Go', 'reconnect', 'a patch of two flags', toServer('patch', flag('a', 3_000), flag('b', 4_000))],
    ['Java', 'stored', 'a patch of two flags', toServer('patch', flag('a', 3_000), flag('b', 4_000))],
    ['Go', 'old', 'a full without newer flags', toServer('full', flag('a', 1_000), flag('b', 2_000))],
    ['Rust', 'ask again', 'other content of a version', toServer('patch', flag('b', 2_000, { isEnabled: false }))],
    ['Rust', 'invalid', 'a null in a condition', toServer('patch', flag('b', 3_000, isNull))],
    ['Rust', 'reconnect', 'a message above 1 MiB', toServer('patch', flag('b', 3_000, { name: 'x'.repeat(1 << 20) }))],
    ['Ruby', 'reconnect', 'a pong', pong],
    ['Go', 'other', 'a pong', pong],
    ['Go', 'invalid', 'an error of API Gateway', '{"message":"Forbidden"}'],
  ])('for %s: %s after %s', (name, outcome, _, text) => {
    const model = serverSdk(name);
    expect(model.receive(text, 2).outcome).toBe(outcome);
    expect(model.outcomes.get(outcome)).toBeGreaterThan(0);
  });

  test('asks with the newest version that it has', () => {
    const model = serverSdk('Go');
    model.receive(toServer('patch', flag('a', 3_000)), 2);
    expect(JSON.parse(model.request(3))).toEqual({ messageType: 'data-sync', data: { timestamp: 3_000 } });
    expect(model.cursors).toEqual([0, 3_000]);
  });
});

describe('a client-side SDK', () => {
  test('ignores messages for another user', () => {
    const model = new SdkModel(JS_RULES, {}, sdkUser('u'));
    expect(model.receive(toClient('full', 'v', evaluated('a', 1_000)), 1).outcome).toBe('ignored');
    expect(model.value('a')).toBeUndefined();
  });

  test('has no value of an archived flag', () => {
    const model = new SdkModel(JS_RULES, {}, sdkUser('u'));
    model.receive(toClient('full', 'u', evaluated('a', 1), evaluated('b', 2, { matchReason: 'flag archived' })), 1);
    expect([model.value('a'), model.value('b')]).toEqual(['true', undefined]);
  });

  test('for Android ignores a message with a flag twice, and a flag without a value', () => {
    const model = new SdkModel(ANDROID_RULES, {}, sdkUser('u'));
    model.receive(toClient('full', 'u', evaluated('a', 1_000)), 1);
    expect(model.receive(toClient('patch', 'u', evaluated('b', 2), evaluated('b', 3)), 2).outcome).toBe('invalid');
    model.receive(toClient('patch', 'u', evaluated('a', 2_000, { variation: null })), 3);
    expect([...model.store.items]).toMatchObject([['flag:a', { version: 1_000 }]]);
  });

  test.each([
    ['keeps', CONTEXT_RULES, 1_000],
    ['drops', JS_RULES, 0],
  ])('%s a user’s flags when other attributes come and go', (_, rules, cursor) => {
    const model = new SdkModel(rules, {}, sdkUser('u', { a: '1', b: '2' }));
    model.receive(toClient('full', 'u', evaluated('a', 1_000)), 1);
    model.user = sdkUser('u', { a: '2' });
    expect(JSON.parse(model.request(2)).data.timestamp).toBe(0);
    model.user = sdkUser('u', { b: '2', a: '1' });
    expect(JSON.parse(model.request(3)).data.timestamp).toBe(cursor);
  });
});
