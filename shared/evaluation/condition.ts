import { type Condition, IN_SEGMENT, isSegmentCondition, NOT_IN_SEGMENT } from '../flags/rule.ts';
import type { User } from '../flags/user.ts';
import { attributeReader } from './attribute.ts';
import { compileOperator, parseList, UncompilableCondition } from './operator.ts';

/** Whether something holds for a user. */
export type Predicate = (user: User) => boolean;

/**
 * How a condition reads an attribute that the user lacks: as the empty text, as FeatBit's server does (negative
 * operators then hold), or as a condition that never holds, as FeatBit's draft of an SDK specification asks.
 */
export type MissingAttribute = 'empty' | 'no-match';

/** What conditions are compiled against. */
export interface ConditionContext {
  readonly missingAttribute: MissingAttribute;
  /** Membership test of a segment by its id; undefined when there is no such segment. */
  readonly segment: (id: string) => Predicate | undefined;
  /** Told of each condition that cannot be compiled: its path within the document, and why. */
  readonly report: (path: string, message: string) => void;
}

const never: Predicate = () => false;

/**
 * All conditions of a rule as one predicate (none: holds for everybody). A condition that cannot be compiled is
 * reported and never holds, whichever way it asks, so that the rest of the flag and all other flags go on.
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
  const [first, second] = predicates;
  if (!first) return () => true;
  if (!second) return first;
  return (user) => predicates.every((holds) => holds(user));
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

function compileCondition(condition: Condition, context: ConditionContext): Predicate {
  const { property, op, value } = condition;
  if (property === IN_SEGMENT) return compileSegmentCondition(value, context);
  if (property === NOT_IN_SEGMENT) {
    const isIn = compileSegmentCondition(value, context);
    return (user) => !isIn(user);
  }
  if (value === null) return never;

  const read = attributeReader(property);
  const matches = compileOperator(op, value);
  if (context.missingAttribute === 'no-match') {
    return (user) => {
      const text = read(user);
      return typeof text === 'string' && matches(text);
    };
  }
  return (user) => {
    const text = read(user);
    return text !== null && matches(text ?? '');
  };
}

function compileSegmentCondition(value: string | null, context: ConditionContext): Predicate {
  const members = parseSegmentIds(value).map((id) => {
    const segment = context.segment(id);
    if (!segment) throw new UncompilableCondition(`there is no segment ${JSON.stringify(id)}`);
    return segment;
  });
  return (user) => members.some((isMember) => isMember(user));
}

function parseSegmentIds(value: string | null): readonly string[] {
  return value === null || value === '' ? [] : (parseList(value) ?? []);
}
