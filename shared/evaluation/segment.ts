import type { Segment } from '../flags/segment.ts';
import { parseTimestamp } from '../flags/timestamp.ts';
import { wireJson } from '../flags/wireDocument.ts';
import { type ConditionContext, compileConditions } from './condition.ts';
import { UncompilableCondition } from './matchers.ts';
import { anyOf, type Predicate } from './predicate.ts';

/** A segment, compiled for evaluation. */
export interface CompiledSegment {
  readonly document: Segment;
  /** Unix milliseconds. */
  readonly updatedAt: number;
  readonly contains: Predicate;
  /** The document as JSON, serialized once for all server-side SDKs. */
  readonly json: string;
}

/**
 * Compiles a segment. Excluded users are not members, included ones are. For other users, any matching rule decides
 * (FeatBit `RuleMatcher`). Archived segments match too, as on FeatBit's server.
 */
export function compileSegment(segment: Segment, context: Omit<ConditionContext, 'segment'>): CompiledSegment {
  const rules = segment.rules.map((rule, index) =>
    compileConditions(rule.conditions, `rules[${index}]`, { ...context, segment: refuseSegment }),
  );
  return new StoredSegment(segment, isMember(listed(segment.included), listed(segment.excluded), anyOf(rules)));
}

/** The parser refuses documents with such a rule. FeatBit's server would read an attribute of that name. */
function refuseSegment(): never {
  throw new UncompilableCondition('a segment cannot be defined by other segments');
}

function isMember(included: ReadonlySet<string>, excluded: ReadonlySet<string>, byRules: Predicate): Predicate {
  return (user) => !excluded.has(user.keyId) && (included.has(user.keyId) || byRules(user));
}

/** A user without a key id is in no list. */
function listed(keyIds: readonly string[]): ReadonlySet<string> {
  const users = new Set(keyIds);
  users.delete('');
  return users;
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
