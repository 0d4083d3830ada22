import type { Condition, Rollout } from '../../../shared/flags/rule.ts';
import { type Alternatives, isNotSet } from './conditions.ts';
import { Untranslatable } from './values.ts';

/** What to serve: one variation for everyone, or shares of several. */
export type TrafficSplit = Pick<Rollout, 'dispatchKey' | 'variations'>;

/** A split in which users without the splitting attribute may be served separately. */
export interface ServedSplit {
  readonly split: TrafficSplit;
  /**
   * The variation of users without the attribute. Undefined if they are split like others, or there is no attribute.
   */
  readonly lacking: string | undefined;
}

/** The content of a flag's rule. */
export type RuleContent = TrafficSplit & { readonly conditions: readonly Condition[] };

/**
 * Splits users between variations by weight, in order.
 *
 * @param dispatchKey the attribute that splits users; null for their key
 * @throws {Untranslatable} if all weights are 0
 */
export function trafficSplit(
  dispatchKey: string | null,
  weighted: readonly (readonly [id: string, weight: number])[],
): TrafficSplit {
  const total = weighted.reduce((sum, [, weight]) => sum + weight, 0);
  if (total === 0) throw new Untranslatable('weights that add up to zero');
  let before = 0;
  const variations = weighted.map(([id, weight]) => {
    const lower = before / total;
    before += weight;
    return { id, rollout: [lower, before / total] as const, exptRollout: 1 };
  });
  return { dispatchKey, variations: variations.filter(({ rollout: [lower, upper] }) => upper > lower) };
}

/** One variation for everyone. */
export function everybody(id: string): TrafficSplit {
  return trafficSplit(null, [[id, 1]]);
}

/** One variation or a split for everyone. */
export function servedAlike(split: TrafficSplit): ServedSplit {
  return { split, lacking: undefined };
}

/** A split by an attribute, with one variation for users without it. It is omitted if all users get that variation. */
export function servedBy(split: TrafficSplit, lacking: string): ServedSplit {
  const isNeeded = split.dispatchKey !== null && split.variations.some(({ id }) => id !== lacking);
  return isNeeded ? { split, lacking } : servedAlike(split);
}

/** The rules of these alternatives. */
export function rulesOf(alternatives: Alternatives, { split, lacking }: ServedSplit): readonly RuleContent[] {
  return alternatives.flatMap((conditions) => [...lackingRule(conditions, split, lacking), { conditions, ...split }]);
}

/** The rules that follow all others, for a default that needs rules. */
export function rulesOfRest({ split, lacking }: ServedSplit): readonly RuleContent[] {
  return lackingRule([], split, lacking);
}

function lackingRule(
  conditions: readonly Condition[],
  { dispatchKey }: TrafficSplit,
  lacking: string | undefined,
): readonly RuleContent[] {
  if (lacking === undefined || dispatchKey === null) return [];
  return [{ conditions: [...conditions, isNotSet(dispatchKey)], ...everybody(lacking) }];
}
