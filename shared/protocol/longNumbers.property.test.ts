import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { parseForeignJson } from '../flags/nesting.ts';
import { parseUser, type User } from '../flags/user.ts';
import { runs } from '../testing/runs.ts';
import { parseEvaluateRequest } from './evaluateRequest.ts';
import { parseInsights } from './insight.ts';
import { parseDataSync, parseMessage } from './message.ts';
import { parseOfrepRequest } from './ofrep.ts';

const properties = (digits: string) => `{"keyId":"u1","customizedProperties":[{"name":"id","value":${digits}}]}`;

/** Each way in: the text that a client sends for an attribute `id`, and its reader. */
const WAYS: readonly (readonly [string, (digits: string) => unknown])[] = [
  [
    'OFREP',
    (digits) =>
      (parseOfrepRequest(parseForeignJson(`{"context":{"targetingKey":"u1","id":${digits}}}`)) as User).attributes,
  ],
  [
    'the evaluate endpoint',
    (digits) =>
      (parseEvaluateRequest(parseForeignJson(`{"user":${properties(digits)}}`)) as { user: User }).user.attributes,
  ],
  ['the polling endpoint', (digits) => parseUser(parseForeignJson(properties(digits)))?.attributes],
  [
    'data-sync',
    (digits) => {
      const text = `{"messageType":"data-sync","data":{"timestamp":${digits},"user":${properties(digits)}}}`;
      return parseDataSync(parseMessage(text).data, 'client').user?.attributes;
    },
  ],
  [
    'insights',
    (digits) => {
      const [insight] = parseInsights(parseForeignJson(`[{"user":${properties(digits)}}]`)) ?? [];
      return new Map(insight?.user.customizedProperties.map(({ name, value }) => [name, value]));
    },
  ],
];

test.each(WAYS)('%s keeps the digits of any whole number of 64 bits', (_, attributesOf) => {
  fc.assert(
    fc.property(fc.bigInt({ min: -(2n ** 63n), max: 2n ** 64n - 1n }), (number) => {
      expect(attributesOf(String(number))).toEqual(new Map([['id', String(number)]]));
    }),
    { numRuns: runs(200) },
  );
});

test.each(WAYS)('%s keeps the digits of a long fraction', (_, attributesOf) => {
  expect(attributesOf('1764187200.1234567891')).toEqual(new Map([['id', '1764187200.1234567891']]));
});

test('an attribute of OFREP that is a list or an object keeps the digits in it', () => {
  const text = '{"context":{"targetingKey":"u1","ids":[9007199254740993],"of":{"id":-9223372036854775808,"n":1.0}}}';
  expect((parseOfrepRequest(parseForeignJson(text)) as User).attributes).toEqual(
    new Map([
      ['ids', '[9007199254740993]'],
      ['of', '{"id":-9223372036854775808,"n":1}'],
    ]),
  );
});

test('a long number where a number is expected counts as its double', () => {
  const digits = '12345678901234567890';
  const filtered = parseEvaluateRequest(parseForeignJson(`{"user":{"keyId":"u1"},"filter":{"timestamp":${digits}}}`));
  expect((filtered as { includes: (flag: unknown) => boolean }).includes({ document: {}, updatedAt: 5 })).toBe(false);
  const metric = `{"eventName":"e","numericValue":0.12345678901234567890,"timestamp":${digits}}`;
  expect(
    parseInsights(parseForeignJson(`[{"user":{"keyId":"u1"},"metrics":[${metric}]}]`))?.[0]?.metrics,
  ).toMatchObject([{ numericValue: Number('0.12345678901234567890'), timestamp: Number(digits) }]);
  expect(parseDataSync(parseForeignJson(`{"timestamp":${digits}}`), 'server')).toEqual({ timestamp: Number(digits) });
});

test('a targeting key or a key id that is a long number is refused as a number', () => {
  const digits = '12345678901234567890';
  expect(parseOfrepRequest(parseForeignJson(`{"context":{"targetingKey":${digits}}}`))).toMatchObject({
    errorCode: 'INVALID_CONTEXT',
    errorDetails: 'targetingKey must be a string, but is a number',
  });
  expect(parseUser(parseForeignJson(`{"keyId":${digits}}`))).toBeUndefined();
  expect(parseUser(parseForeignJson(digits))).toBeUndefined();
});
