import { compileOperator, type Matcher, parseList, UncompilableCondition } from '../evaluation/compileOperator.ts';
import { segmentIdsOf } from '../evaluation/condition.ts';
import { parseNumber } from '../evaluation/number.ts';
import { type Condition, isSegmentCondition } from '../flags/rule.ts';
import { isBlank } from '../flags/user.ts';

/**
 * Why no user can match a condition. Undefined if one can.
 *
 * A condition that nearly every user matches is no mistake: `name contains ""` requires a name.
 */
export function neverMatches(condition: Condition): string | undefined {
  const { property, op, value } = condition;
  if (isSegmentCondition(condition)) {
    return property.includes(' not ') || segmentIdsOf(condition).length > 0 ? undefined : 'it names no segment';
  }
  if (value === null) return 'it has no value';
  let matches: Matcher;
  try {
    matches = compileOperator(op, value);
  } catch (error) {
    if (!(error instanceof UncompilableCondition)) throw error;
    return `"${value}" ${error.message}`;
  }
  if (isBlank(property) && !matches('')) return 'its attribute has no name';
  return neverTrue(op, value, matches);
}

function neverTrue(op: string | null, value: string, matches: Matcher): string | undefined {
  switch (op) {
    case 'LessThan':
    case 'LessEqualThan':
    case 'BiggerThan':
    case 'BiggerEqualThan': {
      const bound = parseNumber(value);
      if (Number.isNaN(bound)) return `"${value}" is not a number`;
      const [least, most] = [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY];
      if (op === 'LessThan' && bound === least) return 'no number is smaller';
      return op === 'BiggerThan' && bound === most ? 'no number is larger' : undefined;
    }
    case 'IsOneOf':
      return parseList(value)?.length ? undefined : 'its list is empty';
    case 'NotContain':
      return value === '' ? 'every text contains the empty text' : undefined;
    case 'NotMatchRegex':
      // Without an assertion or an escape, an expression that finds something in the empty text finds it in every text.
      return !matches('') && !/[\\^$]/.test(value) ? 'every text matches the expression' : undefined;
    default:
      return undefined;
  }
}
