import { expect, test } from '@jest/globals';
import { z } from 'zod';
import { requirement } from './requirement.ts';

test.each([
  [z.number(), 'two', 'it must be a number'],
  [z.number().int(), 1.5, 'it must be a whole number'],
  [z.boolean(), 'yes', 'it must be true or false'],
  [z.string(), 5, 'it must be a string'],
  [z.array(z.string()), 'a', 'it must be a list'],
  [z.strictObject({}), 3, 'it must be an object'],
  [z.record(z.string(), z.string()), 'a', 'it must be an object'],
  [z.array(z.string()).min(1), [], 'it must have at least 1'],
  [z.number().positive(), 0, 'it must be more than 0'],
  [z.number().min(2000), 1, 'it must be at least 2000'],
  [z.number().max(10), 11, 'it must be at most 10'],
  [z.enum(['off', 'on']), 'x', 'it must be one of off, on'],
  [z.string().regex(/a/, 'a name has an a'), 'x', 'a name has an a'],
  [z.number().min(2, 'two or more'), 1, 'two or more'],
])('an invalid value is explained in words (%#)', (schema, value, text) => {
  expect(schema.safeParse(value, { error: (issue) => requirement(issue) }).error?.issues[0]?.message).toBe(text);
});

test('limits are in the format of the caller', () => {
  const error = (issue: z.core.$ZodRawIssue) => requirement(issue, (limit) => limit.toLocaleString('en'));
  expect(z.number().max(1e6).safeParse(1e7, { error }).error?.issues[0]?.message).toBe('it must be at most 1,000,000');
});
