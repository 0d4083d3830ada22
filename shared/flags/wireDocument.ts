import { type Condition, isSegmentCondition } from './rule.ts';

/** A flag or a segment, which have rules. */
interface WithRules {
  readonly isDeleted?: boolean;
  readonly rules: readonly { readonly conditions: readonly Condition[] }[];
}

/** A flag or segment as JSON for server-side SDKs. See {@link wireCondition}. A deleted one is sent as archived. */
export function wireJson({ isDeleted, ...document }: WithRules): string {
  const rules = document.rules.map((rule) => ({ ...rule, conditions: rule.conditions.map(wireCondition) }));
  return JSON.stringify({ ...document, rules });
}

/**
 * A condition with the same meaning for all of FeatBit's SDKs (docs/decisions/0007-evaluation-differences.md).
 * FeatBit's Rust SDK (0.1.1) discards a whole message if a condition contains null.
 *
 * A condition on segments therefore has its property as operator. Go, Java, Python and Ruby do the same, and the others
 * ignore it. A condition with the value null never matches, so it has an operator that no SDK knows.
 */
export function wireCondition(condition: Condition): Condition {
  const { property, op, value } = condition;
  if (isSegmentCondition(condition)) return { ...condition, op: property, value: value ?? '[]' };
  return value === null ? { ...condition, op: '', value: '' } : { ...condition, op: op ?? '' };
}
