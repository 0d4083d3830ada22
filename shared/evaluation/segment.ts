import type { Segment } from '../flags/segment.ts';
import { CompiledDocument } from './compiledDocument.ts';
import { type ConditionContext, compileConditions } from './condition.ts';
import { expressionsOf } from './expressionLimits.ts';
import { UncompilableCondition } from './operators.ts';
import { anyOf, type Predicate } from './predicate.ts';

/** A segment, compiled for evaluation. */
export interface CompiledSegment extends CompiledDocument<'segment'> {
  readonly contains: Predicate;
}

/**
 * Compiles a segment. Excluded users are not members, included ones are. For other users, any matching rule decides
 * (FeatBit `RuleMatcher`). Archived segments match too, as on FeatBit's server.
 */
export function compileSegment(segment: Segment, context: Omit<ConditionContext, 'segment'>): CompiledSegment {
  const { over } = expressionsOf(segment.rules, context.engine);
  const rules = segment.rules.map((rule, index) =>
    compileConditions(rule.conditions, `rules[${index}]`, { ...context, over, segment: refuseSegment }),
  );
  const contains = isMember(listed(segment.included), listed(segment.excluded), anyOf(rules));
  return Object.assign(new CompiledDocument('segment', segment), { contains });
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
