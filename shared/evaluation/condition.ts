import { type Condition, IN_SEGMENT, isSegmentCondition, NOT_IN_SEGMENT } from '../flags/rule.ts';
import { attributeMatches, type MissingAttribute } from './attribute.ts';
import { compileOperator, parseList, UncompilableCondition } from './operator.ts';
import { allOf, anyOf, never, not, type Predicate } from './predicate.ts';

export type { MissingAttribute };

/** What conditions are compiled against. */
export interface ConditionContext {
  readonly missingAttribute: MissingAttribute;
  /** Membership test of a segment by its id; undefined when there is no such segment. */
  readonly segment: (id: string) => Predicate | undefined;
  /** Conditions compiled so far, so that equal ones share a predicate, as many flags ask the same; none: nothing is shared. */
  readonly compiled?: Map<string, Predicate>;
  /** Told of each condition that cannot be compiled: its path within the document, and why. */
  readonly report: (path: string, message: string) => void;
}

/**
 * All conditions of a rule as one predicate (none: holds for everybody). A condition that cannot be compiled is
 * reported and never holds, whichever way it asks, so that the rest of the flag and all other flags go on.
 *
 * The predicate holds on to nothing of the context, and so to nothing of the snapshot it was compiled for.
 *
 * @param path where the rule stands in its document, for reports: `rules[0]`
 */
export function compileConditions(
  conditions: readonly Condition[],
  path: string,
  context: ConditionContext,
): Predicate {
  const predicates = conditions.map((condition, index) => {
    try {
      return compileCondition(condition, context);
    } catch (error) {
      if (!(error instanceof UncompilableCondition)) throw error;
      context.report(`${path}.conditions[${index}]`, error.message);
      return never;
    }
  });
  return allOf(predicates);
}

/** Ids of the segments a condition refers to; empty for any other condition and for a value that is no list. */
export function segmentIdsOf(condition: Condition): readonly string[] {
  if (!isSegmentCondition(condition)) return [];
  try {
    return parseSegmentIds(condition.value);
  } catch {
    return [];
  }
}

function compileCondition({ property, op, value }: Condition, context: ConditionContext): Predicate {
  if (property === IN_SEGMENT) return compileMembership(value, context);
  if (property === NOT_IN_SEGMENT) return not(compileMembership(value, context));
  if (value === null) return never;

  const question = JSON.stringify([property, op, value]);
  const known = context.compiled?.get(question);
  if (known) return known;
  const predicate = attributeMatches(property, compileOperator(op, value), context.missingAttribute);
  context.compiled?.set(question, predicate);
  return predicate;
}

function compileMembership(value: string | null, context: ConditionContext): Predicate {
  const members = parseSegmentIds(value).map((id) => {
    const segment = context.segment(id);
    if (!segment) throw new UncompilableCondition(`there is no segment ${JSON.stringify(id)}`);
    return segment;
  });
  return anyOf(members);
}

function parseSegmentIds(value: string | null): readonly string[] {
  return value === null || value === '' ? [] : (parseList(value) ?? []);
}
