import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { lostKeys } from './jsonFile.ts';

test.each<[string, readonly string[]]>([
  ['{"flags":{"a":{},"b":{},"a":{}}}', ['flags.a']],
  ['{"flags":{},"flags":{}}', ['flags']],
  ['[{"key":"a","key":"b"},{"key":"c"}]', ['[0].key']],
  ['{"a":[[],{"b":1,"c":{"b":1},"b":2,"b":3}]}', ['a[1].b']],
  ['{"a\\u0062":1,"ab":2}', ['ab']],
  ['{"a":"{\\"b\\":1,\\"b\\":2}","c":["d","d"]}', []],
  ['{"__proto__":1,"__proto__":2}', ['__proto__']],
  ['"text"', []],
])('a key that occurs twice in an object is found: %s', (text, repeated) => {
  expect(lostKeys(text)).toEqual({ repeated, moved: [] });
});

test.each<[string, readonly string[]]>([
  ['{"a":{"10":1,"2":2}}', ['a']],
  ['{"a":[{"x":1,"2":2}]}', ['a[0]']],
  ['{"2":1,"10":2,"x":3,"01":4,"-1":5}', []],
])('an object whose members change places is found: %s', (text, moved) => {
  expect(lostKeys(text)).toEqual({ repeated: [], moved });
});

test('exactly the keys that JSON.parse moves or drops are named', () => {
  const keys = fc.constantFrom('a', 'b', '1', '2', '10', '4294967294', '');
  const { value } = fc.letrec<{ value: string }>((tie) => ({
    value: fc.oneof(
      { maxDepth: 3 },
      fc.jsonValue({ maxDepth: 0 }).map((scalar) => JSON.stringify(scalar)),
      fc.array(tie('value')).map((items) => `[${items.join()}]`),
      fc.array(fc.tuple(keys, tie('value'))).map((all) => `{${all.map(([key, of]) => `"${key}":${of}`).join()}}`),
    ),
  }));
  const check = () =>
    fc.assert(
      fc.property(value, (text) => {
        const { repeated, moved } = lostKeys(text);
        if ((JSON.stringify(JSON.parse(text)) === text) !== (repeated.length + moved.length === 0))
          throw new Error(text);
      }),
      { numRuns: 1_000 },
    );
  expect(check).not.toThrow();
});
