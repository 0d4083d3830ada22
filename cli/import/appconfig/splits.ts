import type { Condition } from '../../../shared/flags/rule.ts';
import { allOf } from '../translation/conditions.ts';
import { rulesOf, servedBy, trafficSplit } from '../translation/trafficSplit.ts';
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
  const hash = JSON.stringify([by, seed]);
  const split: SplitCondition = { property: by, op: 'split', value: '', hash, percent, isNegated };
  return split;
}

/** An alternative of a variant's rule, and the variant's variation. */
interface Alternative {
  readonly conditions: readonly Condition[];
  readonly id: string;
}

/** The users of some conditions. */
interface Branch {
  readonly conditions: readonly Condition[];
  /** Their variation by the part of the hash's scale, and last of those without the attribute. */
  readonly ids: readonly (string | undefined)[];
  readonly by?: SplitCondition | undefined;
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
  const found: Branch[] = [];
  const follow = (n: number, branch: Branch): void => {
    const next = alternatives[n];
    const { conditions, ids, by } = branch;
    if (next && ids.includes(undefined)) {
      const splits = next.conditions.filter(isSplit);
      const added = next.conditions.filter((each) => !isSplit(each) && !conditions.some((one) => isEqual(one, each)));
      const [both] = allOf([[conditions], [added]]);
      // Users without the attribute are in no percentage, as with a hash of 100.
      const isServed = (at: number) =>
        splits.every(({ percent, isNegated }) => Number(bounds[at]) < percent !== isNegated);
      const later = ids.map((id, at) => id ?? (isServed(at) ? next.id : undefined));
      const hash = both && commonHash(by ? [by, ...splits] : splits);
      const isNew = both !== undefined && later.some((id, at) => id !== ids[at]);
      if (isNew) follow(n + 1, { conditions: both, ids: later, by: hash });
      if (added.length > 0 || !isNew) follow(n + 1, branch);
    } else if (found.push(branch) > RULES_LIMIT)
      throw new Untranslatable(`a flag that takes more than ${RULES_LIMIT} rules`);
  };
  follow(0, { conditions: [], ids: bounds.map(() => undefined) });
  const served = found.map(({ conditions, ids, by }) => {
    const shares = new Map<string, number>();
    for (const [at, id = otherwise] of ids.slice(0, -1).entries())
      shares.set(id, (shares.get(id) ?? 0) + Number(bounds[at + 1]) - Number(bounds[at]));
    const dispatchKey = by === undefined || by.property === 'keyId' ? null : by.property;
    return { conditions, split: servedBy(trafficSplit(dispatchKey, [...shares]), ids.at(-1) ?? otherwise) };
  });
  return served.flatMap(({ conditions, split }) => rulesOf([conditions], split));
}

function commonHash([first, ...others]: readonly SplitCondition[]): SplitCondition | undefined {
  if (others.every(({ hash }) => hash === first?.hash)) return first;
  throw new Untranslatable('percentages by different seeds or context values, of the same users');
}

function isSplit(condition: Condition): condition is SplitCondition {
  return 'hash' in condition;
}

function isEqual(one: Condition, other: Condition): boolean {
  return one.property === other.property && one.op === other.op && one.value === other.value;
}
