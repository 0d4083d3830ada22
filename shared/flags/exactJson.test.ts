import { describe, expect, jest, test } from '@jest/globals';
import fc from 'fast-check';
import { runs } from '../testing/runs.ts';
import { ExactNumber, parseExactJson, parseLongNumbers, roundNumber } from './exactJson.ts';
import { describe as describeValue, isJsonObject } from './reader.ts';

const LONG_NUMBERS = [
  '9007199254740993',
  '-9223372036854775808',
  '18446744073709551615',
  '0.12345678901234567890',
  '1764187200.1234567891',
  '12345678901234567890e-5',
];

describe('parseLongNumbers', () => {
  test.each(LONG_NUMBERS)('keeps the digits of %s', (text) => {
    expect(parseLongNumbers(text)).toEqual(new ExactNumber(text));
    expect(JSON.stringify(parseLongNumbers(`{"a":[${text}]}`))).toBe(`{"a":[${text}]}`);
  });

  test.each(['1.0', '-0', '1e2', '9007199254740991', '9007199254740992', '0.30000000000000004'])(
    'reads %s as a number, also next to a long number',
    (text) => {
      expect(parseLongNumbers(text)).toBe(Number(text));
      expect(parseLongNumbers(`[${text},12345678901234567890]`)).toEqual([
        Number(text),
        new ExactNumber('12345678901234567890'),
      ]);
    },
  );

  test.each(['1e400', '-2E+999', '1e-400'])('keeps a number that no double holds: %s', (text) => {
    expect(parseLongNumbers(text)).toEqual(new ExactNumber(text));
  });

  test('leaves digits in texts and names unchanged', () => {
    const value = { '12345678901234567890': '12345678901234567890' };
    expect(parseLongNumbers(JSON.stringify(value))).toEqual(value);
  });

  test('parses 2,000 levels', () => {
    const text = `${'['.repeat(2000)}9007199254740993${']'.repeat(2000)}`;
    expect(JSON.stringify(parseLongNumbers(text))).toBe(text);
  });

  test('throws for text that is not JSON', () => {
    expect(() => parseLongNumbers('{"a":12345678901234567890')).toThrow(SyntaxError);
  });

  test('returns the digits of any whole number of 64 bits', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: -(2n ** 63n), max: 2n ** 64n - 1n }), (number) => {
        const value = parseLongNumbers(`{"id":${number}}`) as { readonly id: unknown };
        expect(value.id instanceof ExactNumber ? value.id.text : String(value.id)).toBe(String(number));
      }),
      { numRuns: runs(500) },
    );
  });

  test('returns what JSON.parse returns if no number is long', () => {
    fc.assert(
      fc.property(fc.json({ maxDepth: 4 }), (text) => {
        expect(parseLongNumbers(text)).toEqual(JSON.parse(text));
      }),
      { numRuns: runs(300) },
    );
  });
});

describe('parseExactJson', () => {
  test.each([...LONG_NUMBERS, '1.0', '-0', '1e2', '1E400', '0.10'])('keeps %s as it was', (text) => {
    expect(JSON.stringify(parseExactJson(`{"a":[${text}]}`))).toBe(`{"a":[${text}]}`);
  });

  test('returns any JSON with the numbers that were sent', () => {
    fc.assert(
      fc.property(jsonText, (text) => {
        expect(JSON.stringify(parseExactJson(text))).toBe(text);
      }),
      { numRuns: runs(300) },
    );
  });
});

describe('both parsers', () => {
  test.each([
    ['parseLongNumbers', parseLongNumbers, /[\d.]{16}|\de[+-]?\d{3}/i],
    ['parseExactJson', parseExactJson, /\d/],
  ] as const)('%s returns what a reviver returns that sees the text of each number', (_, parse, kept) => {
    fc.assert(
      fc.property(looseJson, (text) => {
        expect(outcomeOf(() => parse(text))).toEqual(outcomeOf(() => parseByReviver(text, kept)));
      }),
      { numRuns: runs(500) },
    );
  });

  test.each([
    ['{"__proto__":12345678901234567890}', '{"__proto__":12345678901234567890}'],
    ['{"a":1,"a":12345678901234567890}', '{"a":12345678901234567890}'],
    ['{"a":12345678901234567890,"a":1}', '{"a":1}'],
    ['[1e150,12345678901234567890,3e150]', '[1e150,12345678901234567890,3e150]'],
    ['["\\\\",12345678901234567890,"\\",1e150"]', '["\\\\",12345678901234567890,"\\",1e150"]'],
  ])('reads %s', (text, written) => {
    expect(JSON.stringify(parseExactJson(text))).toBe(written);
  });

  test('read a million levels next to a long number', () => {
    const [open, close] = ['['.repeat(1e6), ']'.repeat(1e6)];
    for (const parse of [parseLongNumbers, parseExactJson]) {
      let inner = parse(`${open}12345678901234567890${close}`);
      while (Array.isArray(inner)) [inner] = inner;
      expect(inner).toEqual(new ExactNumber('12345678901234567890'));
    }
  });

  test('name the place in the text that was given if it is not JSON', () => {
    const text = '[12345678901234567890,12345678901234567890,}';
    const thrown = outcomeOf(() => JSON.parse(text));
    for (const parse of [parseLongNumbers, parseExactJson]) expect(outcomeOf(() => parse(text))).toEqual(thrown);
  });
});

/** What a call returns, or the message of its error. */
function outcomeOf(run: () => unknown): unknown {
  try {
    return { returned: run() };
  } catch (error) {
    return { thrown: String(error) };
  }
}

/** The obvious implementation, which is slow. */
function parseByReviver(text: string, kept: RegExp): unknown {
  return JSON.parse(text, (_, value: unknown, { source = '' }: { readonly source?: string } = {}) =>
    typeof value === 'number' && kept.test(source) && String(value) !== source ? new ExactNumber(source) : value,
  );
}

/** JSON with any numbers, without space between its parts. Names are ordered as in JavaScript. */
const { text: jsonText } = fc.letrec<{ text: string }>((tie) => ({
  text: fc.oneof(
    { maxDepth: 4 },
    fc.stringMatching(/^-?(0|[1-9]\d{0,25})(\.\d{1,20})?([eE][+-]?\d{1,3})?$/),
    fc.string().map((value) => JSON.stringify(value)),
    fc.constantFrom('true', 'false', 'null'),
    fc.array(tie('text')).map((items) => `[${items.join()}]`),
    fc.array(tie('text')).map((items) => `{${items.map((item, index) => `"${index}":${item}`).join()}}`),
  ),
}));

/** The same with repeated and odd names, and text that looks like numbers. */
const { text: spacedJson } = fc.letrec<{ text: string; name: string }>((tie) => ({
  name: fc.oneof(fc.constantFrom('a', '__proto__', '1', 'a"b', '\\', '12345678901234567890'), fc.string()),
  text: fc.oneof(
    { maxDepth: 4 },
    fc.stringMatching(/^-?(0|[1-9]\d{0,25})(\.\d{1,20})?([eE][+-]?\d{1,3})?$/),
    fc.constantFrom('-0', '0.0', '1e150', '2E150', '1e+200', '1e-400', '1E999', '9007199254740993', '0e000'),
    tie('name').map((value) => JSON.stringify(value)),
    fc.constantFrom('"\\u0031e999"', '"[12345678901234567890]"', 'true', 'null'),
    fc.array(tie('text')).map((items) => `[ ${items.join(' , ')}]`),
    fc.array(fc.tuple(tie('name'), tie('text'))).map(objectOf),
  ),
}));

function objectOf(members: readonly (readonly [string, string])[]): string {
  return `{${members.map(([name, value]) => `${JSON.stringify(name)} :${value}`).join(',\n')}}`;
}

/** The same, and the same with one character replaced. */
const looseJson = fc
  .tuple(spacedJson, fc.nat(), fc.constantFrom(undefined, '1', '"', '\\', 'e', '-', '.', '0', ','))
  .map(([text, place, part]) => {
    const at = place % text.length;
    return part === undefined ? text : `${text.slice(0, at)}${part}${text.slice(at + 1)}`;
  });

test('an exact number is a number for messages, and no object', () => {
  const number = new ExactNumber('9007199254740993');
  expect(describeValue(number)).toBe('a number');
  expect(describeValue(new ExactNumber('1e400'))).toBe('a number out of range');
  expect(isJsonObject(number)).toBe(false);
});

test('roundNumber returns the nearest double, and other values unchanged', () => {
  expect([new ExactNumber('9007199254740993'), 'text', null].map(roundNumber)).toEqual([
    9007199254740992,
    'text',
    null,
  ]);
});

test('a runtime without the text of numbers says once that long numbers are rounded', async () => {
  const holder = JSON as { rawJSON?: unknown };
  const { rawJSON } = holder;
  const lines = jest.spyOn(console, 'error').mockReturnValue();
  delete holder.rawJSON;
  try {
    const module = './exactJson.ts?node20';
    const older = (await import(module)) as typeof import('./exactJson.ts');
    expect(older.parseExactJson('[1.0]')).toEqual([1]);
    expect(lines).not.toHaveBeenCalled();
    expect(older.parseLongNumbers('[9007199254740993]')).toEqual([9007199254740992]);
    expect(older.parseExactJson('[9007199254740993]')).toEqual([9007199254740992]);
    expect(lines.mock.calls).toEqual([
      ['Numbers with more than 15 digits are rounded. Run this program with Node 22 or newer'],
    ]);
  } finally {
    Object.assign(JSON, { rawJSON });
    lines.mockRestore();
  }
});
