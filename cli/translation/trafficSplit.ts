import type { Condition, Rollout } from '../../shared/flags/rule.ts';
import type { Alternatives } from './alternatives.ts';
import { isNotSet } from './conditions.ts';
import { Untranslatable } from './translation.ts';

/** Who gets which variation: one for everybody, or shares of several. */
export type TrafficSplit = Pick<Rollout, 'dispatchKey' | 'variations'>;

/** What serves users, where those who lack the attribute that divides them are served apart from the others. */
export interface ServedSplit {
  readonly split: TrafficSplit;
  /** The variation of those who lack it; undefined where they are divided like all others, or there is nothing to divide by. */
  readonly lacking: string | undefined;
}

/** What a rule of a flag is made of. */
export type RuleContent = TrafficSplit & { readonly conditions: readonly Condition[] };

/**
 * Variations by weight, in order.
 *
 * @param dispatchKey the attribute that users are divided by; null for their key
 * @throws {Untranslatable} when nobody gets any
 */
export function trafficSplit(
  dispatchKey: string | null,
  weighted: readonly (readonly [id: string, weight: number])[],
): TrafficSplit {
  const total = weighted.reduce((sum, [, weight]) => sum + weight, 0);
  if (total === 0) throw new Untranslatable('weights that are nothing together');
  let before = 0;
  const variations = weighted.map(([id, weight]) => {
    const lower = before / total;
    before += weight;
    return { id, rollout: [lower, before / total] as const, exptRollout: 1 };
  });
  return { dispatchKey, variations: variations.filter(({ rollout: [lower, upper] }) => upper > lower) };
}

/** One variation for everybody. */
export function everybody(id: string): TrafficSplit {
  return trafficSplit(null, [[id, 1]]);
}

/** One variation for everybody, or a split of everybody. */
export function servedAlike(split: TrafficSplit): ServedSplit {
  return { split, lacking: undefined };
}

/** What serves by an attribute, with one variation for those who lack it: needless where all others get that one too. */
export function servedBy(split: TrafficSplit, lacking: string): ServedSplit {
  const isNeeded = split.dispatchKey !== null && split.variations.some(({ id }) => id !== lacking);
  return isNeeded ? { split, lacking } : servedAlike(split);
}

/** The rules of these alternatives. */
export function rulesOf(alternatives: Alternatives, { split, lacking }: ServedSplit): readonly RuleContent[] {
  return alternatives.flatMap((conditions) => [...lackingRule(conditions, split, lacking), { conditions, ...split }]);
}

/** The rules behind all others that what serves everybody else takes. */
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
