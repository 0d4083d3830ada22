import { type Condition, IN_SEGMENT, isSegmentCondition, NOT_IN_SEGMENT } from '../flags/rule.ts';
import { attributeMatches, type MissingAttribute } from './attribute.ts';
import { OVER_DOCUMENT_LIMIT } from './expressionLimits.ts';
import { compileWith, type ExpressionEngine, parseList, UncompilableCondition, warningsOf } from './operators.ts';
import { allOf, anyOf, never, not, type Predicate } from './predicate.ts';

export type { MissingAttribute };

/** Dependencies of compiling conditions. */
export interface ConditionContext {
  readonly missingAttribute: MissingAttribute;
  /** The membership test of a segment by id. Undefined if the segment does not exist. */
  readonly segment: (id: string) => Predicate | undefined;
  /** If absent, a condition with a regular expression throws `EngineMissing`. */
  readonly engine?: ExpressionEngine | undefined;
  /** Compiled conditions by definition, so that equal ones share a predicate. If absent, nothing is shared. */
  readonly compiled?: Map<string, Predicate>;
  /** Conditions over the limit of their document, by `expressionsOf`. They never match. */
  readonly over?: ReadonlySet<Condition>;
  /** Called for each condition with an unintended effect, with its path in the document and the effect. */
  readonly report: (path: string, message: string) => void;
  /** Called once for a condition whose evaluation skipped a user's text. It must not reference a snapshot. */
  readonly onSkipped?: (path: string, message: string) => void;
}

/**
 * Compiles all conditions of a rule into one predicate. Without conditions it matches all users.
 *
 * A condition that cannot be compiled is reported and never matches, even with a negative operator. All other
 * conditions are evaluated as usual. A missing segment is reported and has no members.
 *
 * The predicate references only `onSkipped` of the context, and so nothing of the snapshot.
 *
 * @param path the rule's path in its document, for reports: `rules[0]`
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

/** Ids of the segments that a condition refers to. Empty for other conditions and for a value that is not a list. */
export function segmentIdsOf(condition: Condition): readonly string[] {
  if (!isSegmentCondition(condition)) return [];
  try {
    return parseSegmentIds(condition.value);
  } catch {
    return [];
  }
}

/** Reports the effect of a condition, at compilation or at evaluation. */
interface Report {
  readonly atOnce: (message: string) => void;
  readonly later: (message: string) => void;
}

/** A separate function: a predicate keeps it, together with all variables in its scope. */
function laterReport(at: string, onSkipped: ConditionContext['onSkipped']): Report['later'] {
  return (message) => onSkipped?.(at, message);
}

function compileCondition(condition: Condition, context: ConditionContext, report: Report): Predicate {
  const { property, op, value } = condition;
  if (property === IN_SEGMENT) return compileMembership(value, context, report);
  if (property === NOT_IN_SEGMENT) return not(compileMembership(value, context, report));
  if (value === null) return never;
  if (context.over?.has(condition)) throw new UncompilableCondition(OVER_DOCUMENT_LIMIT);

  const question = JSON.stringify([property, op, value]);
  const known = context.compiled?.get(question);
  const predicate =
    known ?? attributeMatches(property, compileWith(context.engine, op, value, report.later), context.missingAttribute);
  if (!known) context.compiled?.set(question, predicate);
  for (const warning of warningsOf(context.engine, op, value)) report.atOnce(warning);
  return predicate;
}

function compileMembership(value: string | null, { segment }: ConditionContext, report: Report): Predicate {
  const ids = parseSegmentIds(value);
  const members = ids.map(segment);
  const missing = ids.filter((_, index) => !members[index]);
  if (missing.length > 0) {
    report.atOnce(`refers to segments that do not exist: ${JSON.stringify(missing).slice(0, 80)}`);
  }
  return anyOf(members.filter((member) => member !== undefined));
}

function parseSegmentIds(value: string | null): readonly string[] {
  return value === null || value === '' ? [] : (parseList(value) ?? []);
}
