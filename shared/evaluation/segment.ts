import type { Segment } from '../flags/segment.ts';
import { parseTimestamp } from '../flags/timestamp.ts';
import { type ConditionContext, compileConditions, type Predicate } from './condition.ts';

/** A segment, ready to be asked about many users. */
export interface CompiledSegment {
  readonly document: Segment;
  /** Unix milliseconds. */
  readonly updatedAt: number;
  readonly contains: Predicate;
  /** The document as JSON, serialised once for all server-side SDKs. */
  readonly json: string;
}

/**
 * Compiles a segment: excluded users are out, included ones in, otherwise the first rule that holds decides
 * (FeatBit `RuleMatcher`). Being archived changes nothing: FeatBit's server goes on matching archived segments.
 */
export function compileSegment(segment: Segment, context: Omit<ConditionContext, 'segment'>): CompiledSegment {
  const excluded = new Set(segment.excluded);
  const included = new Set(segment.included);
  const rules = segment.rules.map((rule, index) =>
    compileConditions(rule.conditions, `rules[${index}]`, { ...context, segment: () => undefined }),
  );
  let json: string | undefined;
  return {
    document: segment,
    updatedAt: parseTimestamp(segment.updatedAt) ?? 0,
    contains: (user) => !excluded.has(user.keyId) && (included.has(user.keyId) || rules.some((holds) => holds(user))),
    get json() {
      json ??= JSON.stringify(segment);
      return json;
    },
  };
}
