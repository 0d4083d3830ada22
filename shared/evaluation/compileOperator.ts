import { RE2 } from './expression.ts';
import { compileWith, type Matcher } from './operators.ts';

export * from './operators.ts';
export { RE2 };

/** {@link compileWith} for all operators. */
export function compileOperator(
  op: string | null,
  value: string,
  onSkipped: (message: string) => void = () => {},
): Matcher {
  return compileWith(RE2, op, value, onSkipped);
}
