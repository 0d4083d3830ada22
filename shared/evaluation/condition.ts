import { type Condition, IN_SEGMENT, isSegmentCondition, NOT_IN_SEGMENT } from '../flags/rule.ts';
import { attributeMatches, type MissingAttribute } from './attribute.ts';
import { compileOperator, parseList, UncompilableCondition, warningsOf } from './operator.ts';
import { allOf, anyOf, never, not, type Predicate } from './predicate.ts';

export type { MissingAttribute };

/** What conditions are compiled against. */
export interface ConditionContext {
  readonly missingAttribute: MissingAttribute;
  /** Membership test of a segment by its id; undefined when there is no such segment. */
  readonly segment: (id: string) => Predicate | undefined;
  /** Conditions compiled so far, so that equal ones share a predicate; without it nothing is shared. */
  readonly compiled?: Map<string, Predicate>;
  /** Called with each condition that does not do what its author meant: its path within the document, and what it does. */
  readonly report: (path: string, message: string) => void;
  /** Called with the same, once, for a condition that was not searched in a user's text, when it is evaluated. It must hold no snapshot. */
  readonly onSkipped?: (path: string, message: string) => void;
}

/**
 * All conditions of a rule as one predicate (none: holds for everybody). A condition that cannot be compiled is
 * reported and never holds, negative operators included; the rest of the flag and all other flags are evaluated as usual. A
 * missing segment is reported, and has no members.
 *
 * The predicate references nothing of the context but `onSkipped`, and so nothing of the snapshot it was compiled for.
 *
 * @param path the rule's place in its document, for reports: `rules[0]`
 */
export function compileConditions(
  conditions: readonly Condition[],
  path: string,
  context: ConditionContext,
): Predicate {
  const predicates = conditions.map((condition, index) => {
    const at = `${path}.conditions[${index}]`;
    const report = {
      atOnce: (message: string) => context.report(at, message),
      later: laterReport(at, context.onSkipped),
    };
    try {
      return compileCondition(condition, context, report);
    } catch (error) {
      if (!(error instanceof UncompilableCondition)) throw error;
      report.atOnce(`never matches: ${error.message}`);
      return never;
    }
  });
  return allOf(predicates);
}

/** Ids of the segments a condition refers to; empty for any other condition and for a value that is not a list. */
export function segmentIdsOf(condition: Condition): readonly string[] {
  if (!isSegmentCondition(condition)) return [];
  try {
    return parseSegmentIds(condition.value);
  } catch {
    return [];
  }
}

/** Says what a condition does: when it is compiled, or when it is evaluated. */
interface Report {
  readonly atOnce: (message: string) => void;
  readonly later: (message: string) => void;
}

/** Apart, since a predicate keeps it, and would keep all variables that it shares a scope with. */
function laterReport(at: string, onSkipped: ConditionContext['onSkipped']): Report['later'] {
  return (message) => onSkipped?.(at, message);
}

function compileCondition(condition: Condition, context: ConditionContext, report: Report): Predicate {
  const { property, op, value } = condition;
  if (property === IN_SEGMENT) return compileMembership(value, context, report);
  if (property === NOT_IN_SEGMENT) return not(compileMembership(value, context, report));
  if (value === null) return never;

  const question = JSON.stringify([property, op, value]);
  const known = context.compiled?.get(question);
  const predicate =
    known ?? attributeMatches(property, compileOperator(op, value, report.later), context.missingAttribute);
  if (!known) context.compiled?.set(question, predicate);
  for (const warning of warningsOf(op, value)) report.atOnce(warning);
  return predicate;
}

function compileMembership(value: string | null, { segment }: ConditionContext, report: Report): Predicate {
  const ids = parseSegmentIds(value);
  const members = ids.map(segment);
  const missing = ids.filter((_, index) => !members[index]);
  if (missing.length > 0) {
    report.atOnce(`names segments that do not exist and so have no members: ${JSON.stringify(missing).slice(0, 80)}`);
  }
  return anyOf(members.filter((member) => member !== undefined));
}

function parseSegmentIds(value: string | null): readonly string[] {
  return value === null || value === '' ? [] : (parseList(value) ?? []);
}
