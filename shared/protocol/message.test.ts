import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { anyText } from '../testing/arbitraries/text.ts';
import { runs } from '../testing/runs.ts';
import { INBOUND_LIMIT_BYTES, InvalidRequest, PONG, parseDataSync, parseMessage } from './message.ts';
import { SECRET_TYPES } from './secret.ts';

const user = { keyId: 'u1', name: 'u1', customizedProperties: [{ name: 'country', value: 'us' }] };

describe('an envelope', () => {
  test('is an object with a type, in any letter case, and data', () => {
    expect(parseMessage('{"messageType":"Data-SYNC","data":{"timestamp":0},"more":1}')).toEqual({
      messageType: 'data-sync',
      data: { timestamp: 0 },
    });
    expect(parseMessage(' {\n "data": null, "messageType": "ping" } ')).toEqual({ messageType: 'ping', data: null });
  });

  test.each([
    ['nothing', '', 'the message is not JSON'],
    ['no JSON', 'hello', 'the message is not JSON'],
    ['half of a message', '{"messageType":"ping"', 'the message is not JSON'],
    ['binary', '\u0000\u0001\ufffd\ufeff', 'the message is not JSON'],
    ['a number', '1', 'the message is not a JSON object'],
    ['null', 'null', 'the message is not a JSON object'],
    ['a list', '[{"messageType":"ping","data":{}}]', 'the message is not a JSON object'],
    ['no type', '{"data":{}}', 'the message has no messageType or data'],
    ['no data', '{"messageType":"ping"}', 'the message has no messageType or data'],
    ['a type that is no text', '{"messageType":7,"data":{}}', 'messageType is not a string'],
    ['a type from a prototype', '{"__proto__":{"messageType":"ping","data":{}}}', 'the message has no messageType'],
    [
      'a constructor',
      '{"constructor":{"prototype":{"messageType":"ping","data":{}}}}',
      'the message has no messageType',
    ],
    ['a list nested 2,000 deep', '['.repeat(2_000) + ']'.repeat(2_000), 'the message is not a JSON object'],
    [
      'a list nested deeper',
      '['.repeat(2_001) + ']'.repeat(2_001),
      'the message is nested deeper than the limit of 2000',
    ],
    [
      'an object nested 100,000 deep',
      `${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}`,
      'more than the limit of 32768',
    ],
  ])('is not read from %s', (_, text, reason) => {
    expect(() => parseMessage(text)).toThrow(InvalidRequest);
    expect(() => parseMessage(text)).toThrow(reason);
  });

  test('a refusal is told from other errors by its name', () => {
    expect(new InvalidRequest('')).toHaveProperty('name', 'InvalidRequest');
  });

  test('above the limit is refused with its size and the limit', () => {
    const message = (bytes: number) => `{"messageType":"echo","data":"${'é'.repeat((bytes - 32) / 2)}"}`;
    expect(Buffer.byteLength(message(INBOUND_LIMIT_BYTES))).toBe(INBOUND_LIMIT_BYTES);
    expect(parseMessage(message(INBOUND_LIMIT_BYTES)).messageType).toBe('echo');
    expect(() => parseMessage(message(INBOUND_LIMIT_BYTES + 2))).toThrow(
      'the message takes 32770 bytes, more than the limit of 32768',
    );
  });

  test('is refused without quoting it: it may hold what a log must not', () => {
    const refusals = ['{"secret":"hunter2"', '{"messageType":{"secret":"hunter2"},"data":{}}'].map((text) => {
      try {
        return parseMessage(text);
      } catch (error) {
        return String((error as Error).stack) + String((error as Error).cause);
      }
    });
    expect(refusals.join()).not.toContain('hunter2');
  });

  test('the pong is what FeatBit answers', () => {
    expect(PONG).toBe('{"messageType":"pong","data":{}}');
  });
});

describe('a data-sync', () => {
  test('has the user of a client', () => {
    expect(parseDataSync({ timestamp: 12, user }, 'client')).toEqual({
      timestamp: 12,
      user: { keyId: 'u1', name: 'u1', attributes: new Map([['country', 'us']]) },
    });
    expect(parseDataSync({ User: { KEYID: 'u1', customizedproperties: null }, TimeStamp: 5 }, 'client')).toEqual({
      timestamp: 5,
      user: { keyId: 'u1', name: null, attributes: new Map() },
    });
  });

  test('has no user for a server', () => {
    expect(parseDataSync({}, 'server')).toEqual({ timestamp: 0 });
    expect(parseDataSync({ timestamp: 1, user }, 'server')).toEqual({ timestamp: 1 });
    expect(parseDataSync({ user: 'nonsense' }, 'server')).toEqual({ timestamp: 0 });
  });

  test.each([
    [0, 0],
    [-5, -5],
    [1674871495616, 1674871495616],
    [9e15, 9e15],
    [1e300, 1e300],
    [0.5, 0],
    [1674871495616.5, 0],
    [Number.POSITIVE_INFINITY, 0],
  ])('accepts the cursor %p as %p', (timestamp, cursor) => {
    expect(parseDataSync({ timestamp }, 'server').timestamp).toBe(cursor);
  });

  test.each([['0'], [null], [true], [[]], [{}]])('refuses the cursor %j', (timestamp) => {
    expect(() => parseDataSync({ timestamp }, 'server')).toThrow(new InvalidRequest('timestamp is not a number'));
  });

  test.each([
    ['nothing', undefined],
    ['null', null],
    ['a list', []],
    ['text', 'u1'],
    ['no user', {}],
    ['a user that is null', { user: null }],
    ['a user without keyId', { user: { name: 'u1' } }],
    ['a blank keyId', { user: { keyId: ' \t' } }],
    ['a keyId that is a number', { user: { keyId: 1 } }],
    ['a keyId of the prototype', { user: JSON.parse('{"__proto__":{"keyId":"u1"}}') }],
    ['properties that are no list', { user: { keyId: 'u1', customizedProperties: {} } }],
    ['a property that is no object', { user: { keyId: 'u1', customizedProperties: ['country'] } }],
    ['a value that is an object', { user: { keyId: 'u1', customizedProperties: [{ name: 'a', value: {} }] } }],
  ])('is refused for a client with %s', (_, data) => {
    const isObject = typeof data === 'object' && data !== null && !Array.isArray(data);
    const reason = isObject ? 'the user is missing or not valid' : 'data is not an object';
    expect(() => parseDataSync(data, 'client')).toThrow(InvalidRequest);
    expect(() => parseDataSync(data, 'client')).toThrow(reason);
  });

  test('reads properties that are called like what objects are made of', () => {
    const data = JSON.parse(
      '{"user":{"keyId":"__proto__","customizedProperties":[{"name":"__proto__","value":"a"},{"name":"constructor","value":true}]}}',
    );
    expect(parseDataSync(data, 'client').user).toEqual({
      keyId: '__proto__',
      name: null,
      attributes: new Map([
        ['__proto__', 'a'],
        ['constructor', 'true'],
      ]),
    });
    expect(Object.prototype).not.toHaveProperty('a');
  });
});

describe('any data from an SDK', () => {
  test('is read or refused; nothing else is thrown', () => {
    const keys = fc.constantFrom(
      'messageType',
      'data',
      'user',
      'keyId',
      'timestamp',
      '__proto__',
      'constructor',
      'name',
    );
    const { json } = fc.letrec((tie) => ({
      json: fc.oneof(
        { maxDepth: 4 },
        fc.constantFrom(null, true, 0, -1, Number.POSITIVE_INFINITY, 'data-sync', ''),
        anyText(),
        fc.array(tie('json'), { maxLength: 3 }),
        fc.array(fc.tuple(keys, tie('json')), { maxLength: 5 }).map((fields) => Object.fromEntries(fields)),
      ),
    }));
    const texts = fc.oneof(
      anyText(),
      json.map((value) => JSON.stringify(value)),
    );
    fc.assert(
      fc.property(texts, json, fc.constantFrom(...SECRET_TYPES), (text, data, type) => {
        for (const read of [() => parseMessage(text), () => parseDataSync(data, type)]) {
          try {
            read();
          } catch (error) {
            expect(error).toBeInstanceOf(InvalidRequest);
          }
        }
      }),
      { numRuns: runs(1_000) },
    );
  });
});
