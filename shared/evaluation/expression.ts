import { RE2JS } from 're2js';
import type { ExpressionEngine } from './operators.ts';
import { EXPRESSION_LIMIT, readExpression, sizeOf } from './readExpression.ts';

/** Regular expressions in linear time. */
export const RE2: ExpressionEngine = {
  compile(pattern) {
    const { source, size } = readExpression(pattern);
    if (size > EXPRESSION_LIMIT) {
      throw new Error(
        `is an expression of ${size} characters with its repeats written out; the limit is ${EXPRESSION_LIMIT}: ` +
          'use a list of values, or several rules',
      );
    }
    try {
      return RE2JS.compile(source);
    } catch (cause) {
      const message = (cause as Error).message.slice(0, 160);
      throw new Error(`is not a regular expression that runs in linear time: ${message}`, { cause });
    }
  },
  warningsOf: (pattern) => readExpression(pattern).warnings,
  sizeOf,
};
