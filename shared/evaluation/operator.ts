import { RE2JS } from 're2js';
import { compileWith, type ExpressionEngine, type Matcher } from './matchers.ts';

export * from './matchers.ts';

/** Regular expressions in linear time. */
export const RE2: ExpressionEngine = (source) => RE2JS.compile(source);

/** {@link compileWith} for all operators. */
export function compileOperator(
  op: string | null,
  value: string,
  onSkipped: (message: string) => void = () => {},
): Matcher {
  return compileWith(RE2, op, value, onSkipped);
}
