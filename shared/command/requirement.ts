import type { z } from 'zod';

/** JSON types in words. */
const TYPES: Readonly<Record<string, string>> = {
  int: 'a whole number',
  number: 'a number',
  boolean: 'true or false',
  string: 'a string',
  array: 'a list',
  object: 'an object',
  record: 'an object',
};

/**
 * What a value must be, in words, instead of zod's message.
 *
 * @param format formats a limit
 * @returns undefined for an issue with a message of the schema
 */
export function requirement(
  issue: z.core.$ZodRawIssue | z.core.$ZodIssue,
  format: (limit: number | bigint) => string = String,
): string | undefined {
  switch (issue.code) {
    case 'invalid_type':
      return `it must be ${TYPES[issue.expected] ?? `a ${issue.expected}`}`;
    case 'too_small':
      if (issue.origin === 'array') return `it must have at least ${issue.minimum}`;
      return `it must be ${issue.inclusive ? 'at least' : 'more than'} ${format(issue.minimum)}`;
    case 'too_big':
      return `it must be ${issue.inclusive ? 'at most' : 'less than'} ${format(issue.maximum)}`;
    case 'invalid_value':
      return `it must be one of ${issue.values.map(String).join(', ')}`;
    default:
      return undefined;
  }
}
