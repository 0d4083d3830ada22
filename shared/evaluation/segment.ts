import type { Segment } from '../flags/segment.ts';
import { parseTimestamp } from '../flags/timestamp.ts';
import { wireJson } from '../flags/wireDocument.ts';
import { type ConditionContext, compileConditions } from './condition.ts';
import { UncompilableCondition } from './operator.ts';
import { anyOf, type Predicate } from './predicate.ts';

/** A segment, ready to be evaluated for many users. */
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
  const rules = segment.rules.map((rule, index) =>
    compileConditions(rule.conditions, `rules[${index}]`, { ...context, segment: refuseSegment }),
  );
  return new StoredSegment(segment, isMember(new Set(segment.included), new Set(segment.excluded), anyOf(rules)));
}

/** Documents with such a rule are refused when they are read; FeatBit's server would read an attribute of that name. */
function refuseSegment(): never {
  throw new UncompilableCondition('a segment cannot be defined by other segments');
}

function isMember(included: ReadonlySet<string>, excluded: ReadonlySet<string>, byRules: Predicate): Predicate {
  return (user) => !excluded.has(user.keyId) && (included.has(user.keyId) || byRules(user));
}

class StoredSegment implements CompiledSegment {
  readonly document: Segment;
  readonly updatedAt: number;
  readonly contains: Predicate;
  #json: string | undefined;

  constructor(document: Segment, contains: Predicate) {
    this.document = document;
    this.updatedAt = parseTimestamp(document.updatedAt) ?? 0;
    this.contains = contains;
  }

  get json(): string {
    this.#json ??= wireJson(this.document);
    return this.#json;
  }
}
