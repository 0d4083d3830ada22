import { type Condition, isSegmentCondition } from './rule.ts';

/** What has rules: a flag or a segment. */
interface WithRules {
  readonly isDeleted?: boolean;
  readonly rules: readonly { readonly conditions: readonly Condition[] }[];
}

/**
 * A flag or a segment as JSON, as SDKs that evaluate on their own get it: see {@link wireCondition}. A deleted one is an archived one
 * to them.
 */
export function wireJson({ isDeleted, ...document }: WithRules): string {
  const rules = document.rules.map((rule) => ({ ...rule, conditions: rule.conditions.map(wireCondition) }));
  return JSON.stringify({ ...document, rules });
}

/**
 * A condition that means the same to every SDK of FeatBit (docs/decisions/0007-evaluation-differences.md). FeatBit's Rust SDK (0.1.1)
 * discards a whole message for a null in one. So what asks about segments has its property for an operator, as Go, Java, Python
 * and Ruby fill it in themselves and the others do not look at it; and what never holds, as its value is null, has an operator
 * that no SDK knows.
 */
export function wireCondition(condition: Condition): Condition {
  const { property, op, value } = condition;
  if (isSegmentCondition(condition)) return { ...condition, op: property, value: value ?? '[]' };
  return value === null ? { ...condition, op: '', value: '' } : { ...condition, op: op ?? '' };
}
