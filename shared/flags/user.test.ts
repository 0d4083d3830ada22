import { describe, expect, test } from '@jest/globals';
import { isBlank, isSameUser, parseUser, type User, userDocument } from './user.ts';

const property = (name: unknown, value: unknown) => ({ keyId: 'u1', customizedProperties: [{ name, value }] });

describe('parseUser', () => {
  test('reads a user as SDKs send it', () => {
    const user = parseUser({
      keyId: 'u1',
      name: 'bob',
      customizedProperties: [
        { name: '国家', value: '中国' },
        { name: 'age', value: '16' },
      ],
    });
    expect(user).toEqual({
      keyId: 'u1',
      name: 'bob',
      attributes: new Map([
        ['国家', '中国'],
        ['age', '16'],
      ]),
    });
  });

  test('takes a keyId that only JavaScript takes for blank', () => {
    expect(parseUser({ keyId: '\ufeff' })).toMatchObject({ keyId: '\ufeff' });
  });

  test.each([
    ['no name and no properties', { keyId: 'u1' }],
    ['a null name and null properties', { keyId: 'u1', name: null, customizedProperties: null }],
    ['a null property', { keyId: 'u1', customizedProperties: [null] }],
    ['a property without a name', { keyId: 'u1', customizedProperties: [{ value: 'x' }] }],
    ['a property with a null name', property(null, 'x')],
  ])('takes a user with %s', (_, document) => {
    expect(parseUser(document)).toEqual({ keyId: 'u1', name: null, attributes: new Map() });
  });

  test.each([
    ['no user', undefined],
    ['null', null],
    ['a text', 'u1'],
    ['an array', ['u1']],
    ['no keyId', { name: 'bob' }],
    ['an empty keyId', { keyId: '' }],
    ['a blank keyId', { keyId: ' \t\n' }],
    ['a keyId that .NET takes for blank', { keyId: '\u0085\u2028' }],
    ['a null keyId', { keyId: null }],
    ['a number as keyId', { keyId: 1 }],
    ['an object as name', { keyId: 'u1', name: {} }],
    ['an object as properties', { keyId: 'u1', customizedProperties: {} }],
    ['a text as a property', { keyId: 'u1', customizedProperties: ['age'] }],
    ['an array as a value', property('roles', ['admin'])],
    ['an object as a value', property('address', { city: 'x' })],
  ])('refuses %s', (_, document) => {
    expect(parseUser(document)).toBeUndefined();
  });

  test.each([
    ['null', null, ''],
    ['a missing value', undefined, ''],
    ['a number', 16, '16'],
    ['a fraction', 0.5, '0.5'],
    ['true', true, 'true'],
    ['false', false, 'false'],
  ])('reads %s as a value', (_, value, text) => {
    expect(parseUser(property('x', value))?.attributes.get('x')).toBe(text);
  });

  test('takes field names in any letter case, attribute names only in their own', () => {
    const user = parseUser({ KEYID: 'u1', Name: 'bob', CustomizedProperties: [{ NAME: 'Age', Value: '16' }] });
    expect(user).toEqual({ keyId: 'u1', name: 'bob', attributes: new Map([['Age', '16']]) });
    expect(user?.attributes.get('age')).toBeUndefined();
  });

  test('a field named "undefined" stands for none', () => {
    expect(parseUser({ undefined: 'u1', customizedProperties: [] })).toBeUndefined();
  });

  test('prefers a field by its exact name', () => {
    expect(parseUser({ KEYID: 'other', keyId: 'u1' })?.keyId).toBe('u1');
  });

  test('takes the first of several properties with one name', () => {
    const document = { keyId: 'u1', customizedProperties: ['a', 'b'].map((value) => ({ name: 'plan', value })) };
    expect(parseUser(document)?.attributes).toEqual(new Map([['plan', 'a']]));
  });

  test('takes ten thousand properties', () => {
    const customizedProperties = Array.from({ length: 10_000 }, (_, n) => ({ name: `p${n}`, value: `${n}` }));
    const user = parseUser({ keyId: 'u1', customizedProperties });
    expect(user?.attributes.size).toBe(10_000);
    expect(user?.attributes.get('p9999')).toBe('9999');
  });

  test('names that mean something to JavaScript are attributes like any other', () => {
    const text = `{"__proto__":{"name":"evil"},"keyId":"u1","customizedProperties":[
      {"name":"__proto__","value":"polluted"},{"name":"constructor","value":"x"},{"name":"toString","value":"y"},
      {"__proto__":{"name":"inherited"},"value":"z"}]}`;
    const user = parseUser(JSON.parse(text));
    expect(user).toMatchObject({ keyId: 'u1', name: null });
    expect([...(user?.attributes ?? [])]).toEqual([
      ['__proto__', 'polluted'],
      ['constructor', 'x'],
      ['toString', 'y'],
    ]);
    expect(Object.getPrototypeOf({})).not.toHaveProperty('name');
  });
});

test('blank is a text of nothing but what .NET takes for blank', () => {
  const codes = Array.from({ length: 0x1_0000 }, (_, code) => code);
  const isSo = (place: (character: string) => string) =>
    codes.filter((code) => isBlank(place(String.fromCharCode(code))));
  const blank = [9, 10, 11, 12, 13, 32, 0x85, 0xa0, 0x1680, ...codes.slice(0x2000, 0x200b)];
  const all = [...blank, 0x2028, 0x2029, 0x202f, 0x205f, 0x3000];
  expect(isSo((character) => character)).toEqual(all);
  expect(isSo((character) => ` ${character}\t`)).toEqual(all);
  expect(isBlank('')).toBe(true);
});

test('userDocument is what parseUser read', () => {
  const document = { keyId: 'u1', name: 'bob', customizedProperties: [{ name: 'age', value: '16' }] };
  const user = parseUser(document);
  expect(user && userDocument(user)).toEqual(document);
});

test('users are the same when flags find the same in them', () => {
  const user = (fields: object) => parseUser({ keyId: 'u1', ...fields }) as User;
  const pro = { customizedProperties: [{ name: 'plan', value: 'pro' }] };
  const one = user(pro);
  for (const other of [one, user(pro)]) expect(isSameUser(one, other)).toBe(true);
  for (const other of [user({}), user({ ...pro, name: 'bob' }), user({ ...pro, keyId: 'u2' }), undefined]) {
    expect([isSameUser(one, other), isSameUser(other, one)]).toEqual([false, false]);
  }
  expect(isSameUser(undefined, undefined)).toBe(true);
});
