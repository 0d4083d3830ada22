import type { Flag } from '../flags/flag.ts';
import { type Condition, isSegmentCondition } from '../flags/rule.ts';
import type { Segment } from '../flags/segment.ts';
import { type ExpressionEngine, isExpressionOperator } from './operators.ts';

/**
 * Maximum sum of the sizes of the expressions of a flag or segment, and of an environment. Characters with counted repeats written out, as in
 * `EXPRESSION_LIMIT`. Each takes about a microsecond and 75 bytes to compile.
 */
export const DOCUMENT_EXPRESSIONS_LIMIT = 50_000;
export const ENVIRONMENT_EXPRESSIONS_LIMIT = 500_000;

/** Why conditions over the limits never match. */
export const OVER_DOCUMENT_LIMIT = `comes after regular expressions of more than ${DOCUMENT_EXPRESSIONS_LIMIT} characters with their repeats written out, the limit of a flag or segment: use lists of values`;
const OVER_ENVIRONMENT_LIMIT = `is one of regular expressions of more than ${ENVIRONMENT_EXPRESSIONS_LIMIT} characters with their repeats written out, the limit of an environment: use lists of values`;

type Rules = readonly { readonly conditions: readonly Condition[] }[];

/** The expressions of a flag or segment that are within its limit. */
interface Expressions {
  /** Sum of their sizes. */
  readonly size: number;
  /** Conditions over the limit, in the order of the rules. They are not compiled. */
  readonly over: ReadonlySet<Condition>;
}

const NOTHING: Expressions = { size: 0, over: new Set() };

/** Compares the expressions of rules with the limit of a document. @param engine without one, nothing is compiled */
export function expressionsOf(rules: Rules, engine: Pick<ExpressionEngine, 'sizeOf'> | undefined): Expressions {
  if (!engine) return NOTHING;
  let size = 0;
  const over = new Set<Condition>();
  for (const { conditions } of rules) {
    for (const condition of conditions) {
      const { op, value } = condition;
      if (!isExpressionOperator(op) || value === null || isSegmentCondition(condition)) continue;
      // Later ones are not even read, which takes time too.
      const next = over.size > 0 ? 0 : size + engine.sizeOf(value);
      if (over.size > 0 || next > DOCUMENT_EXPRESSIONS_LIMIT) over.add(condition);
      else size = next;
    }
  }
  return size === 0 ? NOTHING : { size, over };
}

/** Sizes of documents, so that a change measures only its own. */
const SIZES = new WeakMap<Rules, number>();

/**
 * The flags and segments whose expressions exceed the limit of their environment: all that no longer fit, in the order of their names. The
 * result depends on nothing else, so that all processes evaluate alike.
 */
export function overEnvironmentLimit(
  flags: readonly Flag[],
  segments: readonly Segment[],
  engine: ExpressionEngine,
): ReadonlySet<Flag | Segment> {
  const sized = [...segments, ...flags.filter(isCompiled)].flatMap((document) => {
    const size = SIZES.get(document.rules) ?? expressionsOf(document.rules, engine).size;
    SIZES.set(document.rules, size);
    return size === 0 ? [] : [{ document, size }];
  });
  if (sized.reduce((sum, { size }) => sum + size, 0) <= ENVIRONMENT_EXPRESSIONS_LIMIT) return new Set();
  const inOrder = sized.toSorted((one, other) => (nameOf(one.document) < nameOf(other.document) ? -1 : 1));
  let left = ENVIRONMENT_EXPRESSIONS_LIMIT;
  const over = inOrder.filter(({ size }) => {
    if (size > left) return true;
    left -= size;
    return false;
  });
  return new Set(over.map(({ document }) => document));
}

function isCompiled({ isEnabled, isArchived }: Flag): boolean {
  return isEnabled && !isArchived;
}

function nameOf(document: Flag | Segment): string {
  return 'variations' in document ? `flag ${document.key}` : `segment ${document.id}`;
}

/** For documents that {@link overEnvironmentLimit} names: compiles no expression. */
export const NO_ENGINE: ExpressionEngine = {
  compile() {
    throw new Error(OVER_ENVIRONMENT_LIMIT);
  },
  warningsOf: () => [],
  sizeOf: () => 0,
};
