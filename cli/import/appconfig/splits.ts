import type { Condition } from '../../../shared/flags/rule.ts';
import { allOf } from '../translation/conditions.ts';
import { type RuleContent, rulesOf, type ServedSplit, servedBy, trafficSplit } from '../translation/trafficSplit.ts';
import { Untranslatable } from '../translation/values.ts';

/** A `split` among the conditions of an alternative, until {@link followSplits} makes shares of it. */
interface SplitCondition extends Condition {
  /** The attribute and the seed. */
  readonly hash: string;
  readonly percent: number;
  readonly isNegated: boolean;
}

/** @param by the attribute that is hashed */
export function splitCondition(by: string, seed: string | undefined, percent: number, isNegated: boolean): Condition {
  const split: SplitCondition = { property: by, op: 'split', value: '', hash: `${by} ${seed}`, percent, isNegated };
  return split;
}

/** An alternative of a variant's rule, and the variant's variation. */
export interface Alternative {
  readonly conditions: readonly Condition[];
  readonly id: string;
}

/** Maximum number of rules of a flag. */
const RULES_LIMIT = 100;

/**
 * The rules of alternatives in order, and the default. In AWS AppConfig, users outside of a percentage go on to the next
 * rule. Here it ends the evaluation, so that each rule has the shares of all alternatives that follow.
 *
 * @throws {Untranslatable} if users outside of a percentage go on to one of another hash
 */
export function followSplits(alternatives: readonly Alternative[], otherwise: string) {
  const percents = alternatives.flatMap(({ conditions }) => conditions.filter(isSplit).map(({ percent }) => percent));
  const bounds = [...new Set([0, 100, ...percents])].toSorted((a, b) => a - b);
  const found: { readonly conditions: readonly Condition[]; readonly split: ServedSplit }[] = [];
  /** @param ids the variation of users from each bound on; the last one is of users without the attribute */
  const follow = (
    n: number,
    conditions: readonly Condition[],
    ids: readonly (string | undefined)[],
    by?: SplitCondition,
  ) => {
    const next = alternatives[n];
    if (!next || !ids.includes(undefined)) {
      const split = splitOf(
        bounds,
        ids.map((id) => id ?? otherwise),
        by,
      );
      if (found.push({ conditions, split }) > RULES_LIMIT)
        throw new Untranslatable(`rules that become more than ${RULES_LIMIT}`);
      return;
    }
    const splits = next.conditions.filter(isSplit);
    const added = next.conditions.filter((each) => !isSplit(each) && !conditions.some((known) => isEqual(known, each)));
    const [both] = allOf([[conditions], [added]]);
    if (both) {
      if (new Set([by ?? [], splits].flat().map(({ hash }) => hash)).size > 1)
        throw new Untranslatable('percentages by different seeds or context values, of the same users');
      const selected = bounds.map((bound, at) => {
        const isLacking = at === bounds.length - 1;
        return splits.every(({ percent, isNegated }) => (!isLacking && bound < percent) !== isNegated);
      });
      follow(
        n + 1,
        both,
        ids.map((id, at) => id ?? (selected[at] ? next.id : undefined)),
        by ?? splits[0],
      );
    }
    if (added.length > 0) follow(n + 1, conditions, ids, by);
  };
  follow(
    0,
    [],
    bounds.map(() => undefined),
  );
  const rest = found.pop()?.split as ServedSplit;
  const rules: readonly RuleContent[] = found.flatMap(({ conditions, split }) => rulesOf([conditions], split));
  return { rules, rest };
}

function isSplit(condition: Condition): condition is SplitCondition {
  return 'hash' in condition;
}

function isEqual(one: Condition, other: Condition): boolean {
  return one.property === other.property && one.op === other.op && one.value === other.value;
}

function splitOf(bounds: readonly number[], ids: readonly string[], by: SplitCondition | undefined): ServedSplit {
  const widths = new Map<string, number>();
  for (const [at, id] of ids.slice(0, -1).entries())
    widths.set(id, (widths.get(id) ?? 0) + (bounds[at + 1] ?? 100) - (bounds[at] ?? 0));
  const dispatchKey = by === undefined || by.property === 'keyId' ? null : by.property;
  return servedBy(trafficSplit(dispatchKey, [...widths]), ids.at(-1) ?? '');
}
